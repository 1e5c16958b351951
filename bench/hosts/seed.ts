import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { makeSecret } from '../../src/core/secrets.ts'
import { makeSeal } from '../../src/hosting/seal.ts'
import { withClient, withoutTriggers } from '../database.ts'
import { addKeys } from '../fill.ts'
import { issueWildcard } from './certificate.ts'

/** Deployed projects, each with its own domain and certificate. */
export type Seeded = {
  count: number
  secretsKey: string
  root: string
  /** Only the first projects have keys. */
  secrets: string[]
}

export const customers = 'customers.example.com'
export const domainOf = (project: number) => `shop-${project}.${customers}`
export const slugOf = (project: number) => `shop-${project}`

const batch = 10_000

/** The ids of the projects begin after `after`. */
export async function seedHosts(
  databaseUrl: string,
  count: number,
  keys: number,
  after = 0,
): Promise<Seeded> {
  const secretsKey = randomBytes(32)
  const { chain, key, root } = await issueWildcard(customers)
  const seal = makeSeal([secretsKey])
  const secrets = Array.from({ length: Math.min(keys, count) }, makeSecret)
  await withClient(databaseUrl, async client => {
    await client.query('set session_replication_role = replica')
    await withoutTriggers(client, 'projects', () => addProjects(client, count, after))
    await withoutTriggers(client, 'deploys', () => addDeploys(client, count, after))
    await withoutTriggers(client, 'domains', () => addDomains(client, count, after))
    await withoutTriggers(client, 'certificates', () => addCertificates(client))
    await withoutTriggers(client, 'api_keys', () =>
      addKeys(
        client,
        secrets.map((secret, index) => ({ id: after + index + 1, secret })),
      ),
    )
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  return { count, secretsKey: secretsKey.toString('base64'), root, secrets }

  /**
   * Adds a certificate for each name. All certificates have one private key. The private key is encrypted separately
   * for each name, because the service can decrypt a key only with the name for which the key was encrypted.
   */
  async function addCertificates(client: pg.Client): Promise<void> {
    for (let first = 1; first <= count; first += batch) {
      const names = Array.from({ length: Math.min(batch, count - first + 1) }, (_, n) => domainOf(first + n))
      await client.query(
        `insert into certificates (name, chain, sealed_key, not_before, not_after, renew_at, wanted_since, failed_validations)
         select name, $3, sealed_key, now() - interval '1 day', now() + interval '89 days',
                now() + interval '60 days', now() - interval '1 day', '{}'
         from unnest($1::text[], $2::bytea[]) as c (name, sealed_key)`,
        [names, names.map(name => Buffer.from(seal.close(key, `certificate:${name}`))), chain],
      )
    }
  }
}

async function addProjects(client: pg.Client, count: number, after: number): Promise<void> {
  await client.query(
    `insert into projects (id, slug, name, plan, requests_per_minute, requests_per_day)
     select $2 + n, 'shop-' || n, 'Shop ' || n, 'enterprise', 2000000000, 2000000000
     from generate_series(1, $1::int) as n`,
    [count, after],
  )
  await client.query(`select setval(pg_get_serial_sequence('projects', 'id'), $1)`, [after + count])
}

async function addDeploys(client: pg.Client, count: number, after: number): Promise<void> {
  await client.query(
    `insert into deploys (project_id, succeeded, configuration, log)
     select $2 + n, true, jsonb_build_object('title', null, 'description', null, 'domains',
            jsonb_build_object('primary', null, 'redirects', jsonb_build_array())), '[]'
     from generate_series(1, $1::int) as n`,
    [count, after],
  )
}

async function addDomains(client: pg.Client, count: number, after: number): Promise<void> {
  await client.query(
    `insert into domains (id, project_id, name, owned_name, state, created_at, verified_at, looks_since)
     select gen_random_uuid(), $3 + n, 'shop-' || n || $2, 'shop-' || n || $2, 'live', now(), now(), now()
     from generate_series(1, $1) as n`,
    [count, `.${customers}`, after],
  )
}
