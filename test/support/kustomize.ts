import { execFileSync } from 'node:child_process'
import { parseAllDocuments, stringify } from 'yaml'
import { recordUse } from './programs.ts'

export type Container = {
  image: string
  ports?: unknown[]
  envFrom?: { secretRef?: { name: string } }[]
  startupProbe?: unknown
  securityContext: Record<string, unknown>
}
/** The fields of Kubernetes that tests use. */
export type Manifest = {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  data?: Record<string, string>
  spec?: {
    replicas?: number
    maxReplicas?: number
    strategy?: { rollingUpdate: { maxSurge: number } }
    ports?: unknown[]
    ingress?: unknown[]
    egress?: {
      to: { ipBlock: { cidr: string; except?: string[] } }[]
      ports?: { port: number; protocol: string }[]
    }[]
    selector?: Record<string, unknown>
    template?: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Container[]; initContainers?: Container[] } & Record<string, unknown>
    }
  }
}

/** Renders a folder of deploy/kustomize, as kubectl does. */
export function renderZone(zone: 'a' | 'b'): Manifest[] {
  recordUse('kubectl')
  const rendered = execFileSync('kubectl', ['kustomize', `deploy/kustomize/zone-${zone}`], {
    encoding: 'utf8',
  })
  return parseAllDocuments(rendered).map(document => document.toJS())
}

/** Converts the manifests for podman: the rendered Deployment and ConfigMap as one pod on this machine's ports. */
export function toOnePod(manifests: Manifest[], settings: Record<string, string>): string {
  const played = manifests.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Deployment')
  for (const { data, spec } of played) {
    if (data) Object.assign(data, settings)
    if (spec) spec.replicas = 1
    // Remove the init containers: podman may not notice the end of an init container, and then podman fails to remove
    // the container. Therefore the init container that migrates the database does not run here.
    // test/deploy/roles.test.ts tests the migration.
    delete spec?.template?.spec.initContainers
    for (const container of spec?.template?.spec.containers ?? []) delete container.ports
  }
  return played.map(manifest => stringify(manifest)).join('---\n')
}
