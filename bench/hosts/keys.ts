// Uses twenty thousand keys while one changes each second, and counts the key rows that each process reads.

import { setInterval } from 'node:timers/promises'
import type pg from 'pg'
import type { Request } from '../clients.ts'
import { withClient } from '../database.ts'
import { drive } from '../drive.ts'
import type { Services } from '../ground.ts'
import type { Pair } from './pair.ts'
import type { Seeded } from './seed.ts'

/**
 * Key rows that a process reads per second: `quiet` while no key changes, `changing` while one key changes each second.
 */
export type KeysRead = { inUse: number; quiet: number; changing: number }

export const countingStatements = { shared_preload_libraries: 'pg_stat_statements' }
const seconds = 8

export async function measureKeys(services: Services, pair: Pair, { secrets }: Seeded): Promise<KeysRead> {
  return withClient(services.databaseUrl, async client => {
    await client.query('create extension if not exists pg_stat_statements')
    // Warm up: this round reads each key for the first time.
    await load()
    const quiet = await rowsRead(client, load)
    const changing = await rowsRead(client, async () => {
      const ending = new AbortController()
      const changes = changeEachSecond(client, ending.signal)
      await load()
      ending.abort()
      await changes
    })
    return { inUse: secrets.length, quiet, changing }
  })

  async function load(): Promise<void> {
    await Promise.all(
      pair.map(({ port }) =>
        drive({ port, requests: requestsOf(secrets), seconds, connections: 16, folder: services.folder }),
      ),
    )
  }

  async function rowsRead(client: pg.Client, during: () => Promise<void>): Promise<number> {
    await client.query('select pg_stat_statements_reset()')
    await during()
    const { rows } = await client.query<{ read: number }>(
      `select coalesce(sum(rows), 0)::float as read from pg_stat_statements
       where query ~ 'api_keys' and query !~* '^\\s*(insert|update|delete)'`,
    )
    return (rows[0]?.read ?? 0) / seconds / pair.length
  }
}

const requestsOf = (secrets: string[]): Request[] =>
  secrets.map(secret => ({ method: 'GET', path: '/v1/pets', headers: { authorization: `Bearer ${secret}` } }))

/** Each second, changes the expiry of a different key. Only the log of changes notifies the processes. */
async function changeEachSecond(client: pg.Client, signal: AbortSignal): Promise<void> {
  let project = 0
  try {
    for await (const _ of setInterval(1_000, undefined, { signal })) {
      await client.query(`update api_keys set expires_at = now() + interval '1 year' where project_id = $1`, [
        ++project,
      ])
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
