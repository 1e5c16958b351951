// Two processes with the same hosts, as behind a load balancer.

import { freePort } from '../../test/support/programs.ts'
import type { Request } from '../clients.ts'
import type { Services } from '../ground.ts'
import { type Served, serve } from '../processes.ts'
import { customers, type Seeded, slugOf } from './seed.ts'

export type Process = Served & { httpsPort: number }
export type Pair = [Process, Process]

export const platformHost = 'animals.localhost'
export const platformHostOf = (project: number) => `${slugOf(project)}.${platformHost}`

/** Starts the two processes one after the other, so that each start has the CPU core to itself. */
export async function startPair(services: Services, seeded: Seeded): Promise<Pair> {
  return [await start(services, seeded), await start(services, seeded)]
}

async function start({ databaseUrl, redisUrl, folder }: Services, seeded: Seeded): Promise<Process> {
  const httpsPort = await freePort()
  // The process has started when it serves the last project's host.
  const greeting: Request = { method: 'GET', path: '/livez', headers: { host: platformHostOf(seeded.count) } }
  const served = await serve(
    '../src/start.js',
    folder,
    {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SECRETS_KEY: seeded.secretsKey,
      PLATFORM_HOST: platformHost,
      DOMAIN_SUFFIXES: customers,
      HTTPS_PORT: String(httpsPort),
      TRUST_PROXY: '1',
    },
    greeting,
  )
  return { ...served, httpsPort }
}
