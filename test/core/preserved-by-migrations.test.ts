import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { administer, emptyDatabase } from '../support/databases.ts'
import { canRace } from '../support/open-database.ts'

const folder = 'prisma/migrations'
const names = readdirSync(folder)
  .filter(name => /^\d/.test(name))
  .toSorted()

/** Rows in the database before each migration. */
const before: Record<string, string> = {
  '20261123042003_prove_ownership': `
    INSERT INTO projects (slug, name) VALUES ('shop', 'Shop');
    INSERT INTO domains (id, project_id, name, created_at, looks_since, verified_at, owned_name) VALUES
      (gen_random_uuid(), 1, 'proven.test', now(), now(), '2026-11-01T00:00:00Z', 'proven.test'),
      (gen_random_uuid(), 1, 'lost.test', now(), now(), '2026-11-02T00:00:00Z', NULL),
      (gen_random_uuid(), 1, 'claimed.test', now(), now(), NULL, NULL)`,
  '20261123070350_pause_by_name': `
    INSERT INTO acme_accounts (directory_url, sealed_key, paused_until) VALUES
      ('https://paused.test', '', now() + interval '1 hour'),
      ('https://over.test', '', now() - interval '1 hour'),
      ('https://never.test', '', NULL)`,
  '20261123074800_count_use_in_bigint': `
    INSERT INTO usage (project_id, day, door, requests, refusals) VALUES (1, '2026-11-01', 'rest', 7, 5)`,
}

it.skipIf(!canRace())(
  'migrations keep the former owners of domain names, the pauses of certificate authorities, and the usage of projects',
  async () => {
    const database = await emptyDatabase()
    onTestFinished(database.remove)
    const url = database.env.DATABASE_URL ?? ''
    for (const name of names) {
      if (before[name]) await administer(url, before[name])
      await administer(url, readFileSync(`${folder}/${name}/migration.sql`, 'utf8'))
    }
    expect(names).toEqual(expect.arrayContaining(Object.keys(before)))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const read = async (text: string) => (await client.query(text)).rows

    const [held, pauses, usage, tokens] = [
      await read('SELECT name, project_id, since FROM held_names ORDER BY since'),
      await read('SELECT directory_url, name, whole_domain, is_explained, project_id FROM acme_pauses'),
      await read('SELECT requests, refusals, faulty, failed FROM usage'),
      await read('SELECT ownership_token FROM projects'),
    ]
    await client.end()

    expect(held).toEqual([
      { name: 'proven.test', project_id: 1, since: new Date('2026-11-01T00:00:00Z') },
      { name: 'lost.test', project_id: 1, since: new Date('2026-11-02T00:00:00Z') },
    ])
    expect(pauses).toEqual([
      {
        directory_url: 'https://paused.test',
        name: '',
        whole_domain: true,
        is_explained: true,
        project_id: null,
      },
    ])
    expect(usage).toEqual([{ requests: '7', refusals: '5', faulty: '0', failed: '0' }])
    expect(tokens).toEqual([{ ownership_token: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
  },
)
