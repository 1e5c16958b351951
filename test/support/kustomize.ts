import { execFileSync } from 'node:child_process'
import { parseAllDocuments, stringify } from 'yaml'
import { recordUse } from './programs.ts'

type Container = {
  image: string
  env?: { name: string; value: string }[]
  securityContext: Record<string, unknown>
}
/** As much of Kubernetes' words as the tests ask for. */
export type Manifest = {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: {
    replicas?: number
    selector?: Record<string, unknown>
    template?: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Container[] } & Record<string, unknown>
    }
  }
}

/** A folder of deploy/kustomize as kubectl renders it. */
export function renderZone(zone: 'a' | 'b'): Manifest[] {
  recordUse('kubectl')
  const rendered = execFileSync('kubectl', ['kustomize', `deploy/kustomize/zone-${zone}`], {
    encoding: 'utf8',
  })
  return parseAllDocuments(rendered).map(document => document.toJS())
}

/** What podman plays: the Deployment with its ConfigMap as rendered, one pod of it, and the Secret that an operator makes. */
export function toOnePod(
  manifests: Manifest[],
  settings: Record<string, string>,
  secret: Record<string, string>,
): string {
  const played = manifests.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Deployment')
  for (const { data, spec } of played) {
    Object.assign(data ?? {}, settings)
    if (spec?.replicas) spec.replicas = 1
  }
  const ofOperator = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'animal-store' },
    stringData: secret,
  }
  return [ofOperator, ...played].map(manifest => stringify(manifest)).join('---\n')
}
