import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateTemplate } from './databases.ts'
import { fitPooler } from './poolers.ts'
import { browserPath, findProgram } from './programs.ts'
import { launchPostgres, launchRedis } from './services.ts'

/** Services shared by the whole run. A URL is null if the program is not installed. */
export type SharedServices = {
  redisUrl: string | null
  postgresUrl: string | null
  embeddedTemplates: string
}

declare module 'vitest' {
  interface ProvidedContext {
    services: SharedServices
  }
}

const without = {
  'redis-server': 'tests on a real Redis are skipped, the limiter runs in memory',
  postgres: 'tests on a real PostgreSQL are skipped, the others use the embedded database',
  pgbouncer: 'tests behind a pooler are skipped',
  pebble: 'tests of certificates with a real authority are skipped',
  buildah: 'tests of the image are skipped',
  podman: 'tests of the image are skipped',
  busybox: 'tests of the image are skipped',
  runc: 'tests of the image are skipped',
  catatonit: 'tests of the image are skipped',
  haproxy: 'tests behind it are skipped',
  nginx: 'tests behind it are skipped',
  caddy: 'tests behind it are skipped',
  promtool: 'tests of the alerts are skipped',
  prometheus: 'tests of the dashboard for Grafana are skipped',
  kubectl: 'tests of the Kubernetes manifests are skipped',
  'docker-compose': 'tests of the compose file are skipped',
  'systemd-analyze': 'tests of the systemd unit are skipped',
}

const withoutBrowser = 'chromium is not installed: tests of the dashboard in a real browser are skipped.'
const withoutFitPooler =
  'PgBouncer 1.21 or newer is not installed: tests of its transaction mode are skipped.'

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  for (const [name, consequence] of Object.entries(without)) {
    if (!findProgram(name)) console.log(`${name} is not installed: ${consequence}.`)
  }
  if (!browserPath) console.log(withoutBrowser)
  if (!fitPooler) console.log(withoutFitPooler)
  const redis = findProgram('redis-server') ? await launchRedis(['--databases', '10000']) : null
  const postgres = findProgram('postgres') ? await launchPostgres() : null
  if (postgres) await migrateTemplate(postgres.url)
  const embeddedTemplates = mkdtempSync(join(tmpdir(), 'animal-store-template-'))
  project.provide('services', {
    redisUrl: redis?.url ?? null,
    postgresUrl: postgres?.url ?? null,
    embeddedTemplates,
  })

  return async () => {
    await redis?.stop()
    await postgres?.stop()
    rmSync(embeddedTemplates, { recursive: true, force: true })
  }
}
