import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { makeEmbeddedTemplate, migrateTemplate } from './databases.ts'
import { fitPooler } from './poolers.ts'
import { browserPath, findProgram } from './programs.ts'
import { launchPostgres, launchRedis } from './services.ts'

/** Services shared by the whole run. A URL is null if the program is not installed. */
export type SharedServices = { redisUrl: string | null; postgresUrl: string | null; embeddedTemplate: string }

declare module 'vitest' {
  interface ProvidedContext {
    services: SharedServices
  }
}

const without = {
  'redis-server': 'tests on a real Redis are left out, the limiter runs in memory',
  postgres: 'tests on a real PostgreSQL are left out, the others use the embedded database',
  pgbouncer: 'tests behind a pooler are left out',
  pebble: 'tests of certificates with a real authority are left out',
  buildah: 'tests of the image are left out',
  podman: 'tests of the image are left out',
  busybox: 'tests of the image are left out',
  runc: 'tests of the image are left out',
  catatonit: 'tests of the image are left out',
  haproxy: 'tests behind it are left out',
  nginx: 'tests behind it are left out',
  caddy: 'tests behind it are left out',
  promtool: 'tests of the alerts are left out',
  prometheus: 'tests of the dashboard for Grafana are left out',
  kubectl: 'tests of the Kubernetes manifests are left out',
  'docker-compose': 'tests of the compose file are left out',
  'systemd-analyze': 'tests of the systemd unit are left out',
}

const withoutBrowser = 'chromium is not installed: tests of the dashboard in a real browser are left out.'
const withoutFitPooler =
  'PgBouncer 1.21 or newer is not installed: tests of its transaction mode are left out.'

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  for (const [name, consequence] of Object.entries(without)) {
    if (!findProgram(name)) console.log(`${name} is not installed: ${consequence}.`)
  }
  if (!browserPath) console.log(withoutBrowser)
  if (!fitPooler) console.log(withoutFitPooler)
  const redis = findProgram('redis-server') ? await launchRedis(['--databases', '10000']) : null
  const postgres = findProgram('postgres') ? await launchPostgres() : null
  if (postgres) await migrateTemplate(postgres.url)
  const embeddedTemplate = postgres ? '' : await makeEmbeddedTemplate()
  project.provide('services', {
    redisUrl: redis?.url ?? null,
    postgresUrl: postgres?.url ?? null,
    embeddedTemplate,
  })

  return async () => {
    await redis?.stop()
    await postgres?.stop()
    if (embeddedTemplate) rmSync(embeddedTemplate, { recursive: true, force: true })
  }
}
