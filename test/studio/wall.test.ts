import { createHash } from 'node:crypto'
import { createStudioBFFClient } from '@prisma/studio-core/data/bff'
import { createPostgresAdapter } from '@prisma/studio-core/data/postgres-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Lend } from '../../src/database/database.ts'
import { openStudio } from '../../src/studio/queries.ts'
import { canRace } from '../support/open-database.ts'
import { startApp } from '../support/start-app.ts'
import { attacks, of, type Query } from './attacks.ts'

type Lent = { lend: Lend; secret: string; close(): Promise<void> }

const lenders = { 'the embedded database': lendEmbedded, PostgreSQL: lendPostgres }

async function lendEmbedded(): Promise<Lent> {
  const app = await startApp({ env: { DATABASE_URL: '' } })
  const { secret } = await app.makeProject()
  if (!app.tools.database.lend) throw new Error('The embedded database is not lent.')
  return { lend: app.tools.database.lend, secret, close: app.stop }
}

/**
 * Lends PostgreSQL to Studio, although the service lends only PGlite. So the tests show that PostgreSQL's own rules
 * protect the database, and not a peculiarity of PGlite.
 */
async function lendPostgres(): Promise<Lent> {
  const app = await startApp()
  const { secret } = await app.makeProject()
  const client = new pg.Client({ connectionString: app.tools.config.databaseUrl ?? '' })
  await client.connect()
  // A named statement makes the driver use the extended protocol, as PGlite does.
  const run = async (text: string, values: readonly unknown[] = []) =>
    (await client.query({ name: createHash('md5').update(text).digest('hex'), text, values: [...values] }))
      .rows
  const lend: Lend = async work => {
    await client.query('BEGIN')
    try {
      const done = await work(run)
      await client.query('COMMIT')
      return done
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }
  const close = async () => {
    await client.end()
    await app.stop()
  }
  return { lend, secret, close }
}

/** Statements that would block the embedded database, and the whole service, for minutes. */
const long = [
  'SELECT pg_sleep(60)',
  'SELECT count(*) FROM generate_series(1, 10000000000)',
  'SELECT count(*) FROM plans a, plans b, generate_series(1, 100000000) c',
  'WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r',
  "SELECT query_to_xml('SELECT count(*) FROM generate_series(1, 10000000000)', true, false, '')",
  'UPDATE plans SET name = name FROM generate_series(1, 1000000000)',
]

describe.each(Object.keys(lenders) as (keyof typeof lenders)[])('Studio on %s', name => {
  let lent: Lent
  let studio: (body: unknown) => Promise<unknown>
  beforeAll(async () => {
    if (name === 'PostgreSQL' && !canRace()) return
    lent = await lenders[name]()
    studio = openStudio(lent.lend, async () => {})
  })
  afterAll(() => lent?.close())

  const query = (sql: string, ...parameters: unknown[]) =>
    studio({ procedure: 'query', query: of(sql, ...parameters) })
  const transaction = (...queries: Query[]) => studio({ procedure: 'transaction', queries })

  it.each(Object.entries(attacks))('Studio shows no key hash to %s', async (_, statements) => {
    const hash = createHash('sha256').update(lent.secret).digest()
    const answers = [
      await transaction(...statements.map(sql => of(sql))),
      await studio({ procedure: 'sequence', sequence: statements.slice(0, 2).map(sql => of(sql)) }),
    ]
    for (const sql of statements) answers.push(await query(sql))

    const said = JSON.stringify(answers)
    expect(said).not.toContain(hash.toString('hex'))
    expect(said).not.toContain(hash.toString('base64'))
    expect(said).not.toContain(JSON.stringify([...hash]))
    expect(await query('SELECT current_user, session_user')).toMatchObject([
      null,
      [{ current_user: 'studio' }],
    ])
  })

  it('Studio can read, add, edit and delete rows, and can run its own search, whose SQL sets time limits with set_config', async () => {
    const [, [project]] = (await query('SELECT id FROM projects ORDER BY id DESC LIMIT 1')) as [
      null,
      { id: number }[],
    ]
    const search = `with "guard" as (select set_config('statement_timeout', '5000ms', true) as "s", set_config('lock_timeout', '100ms', true) as "l")
      select name from "public"."categories" inner join "guard" on true where id = 7 and name ilike $1`

    expect(
      await query('INSERT INTO categories (project_id, id, name) VALUES ($1, 7, $2)', project?.id, 'Dogs'),
    ).toEqual([null, []])
    expect(await query('(SELECT name FROM categories WHERE id = 7)')).toEqual([null, [{ name: 'Dogs' }]])
    expect(await query('UPDATE categories SET name = $1 WHERE id = 7 RETURNING name', 'Cats')).toEqual([
      null,
      [{ name: 'Cats' }],
    ])
    expect(await query(search, '%at%')).toEqual([null, [{ name: 'Cats' }]])
    expect(await query("SELECT set_config('role', 'none', true) AS set")).toEqual([null, [{ set: null }]])
    expect(await query('DELETE FROM categories WHERE id = 7')).toEqual([null, []])
  })

  it.each([
    'UPDATE people SET operator = true',
    "INSERT INTO people (id, name, operator) VALUES (gen_random_uuid(), 'Eve', true)",
    'UPDATE sessions SET by_passkey = true',
    'UPDATE sessions SET person_id = gen_random_uuid()',
    'UPDATE passkeys SET person_id = gen_random_uuid()',
  ])('Studio gives nobody more rights: %s', async sql => {
    expect(await query(sql)).toMatchObject([{ message: expect.stringContaining('permission denied') }])
  })

  it.each(long)('Studio refuses a statement before it runs: %s', async sql => {
    expect(await query(sql)).toMatchObject([
      { message: expect.stringMatching(/would take long|no recursive|permission denied/) },
    ])
  })

  it('Studio runs the statements of its own page', async () => {
    const executor = createStudioBFFClient({
      url: 'http://localhost/studio/query',
      fetch: async (_url, init) => Response.json(await studio(JSON.parse(String(init?.body)))),
    })
    const [error, read] = await createPostgresAdapter({ executor }).introspect({})
    expect(error).toBeNull()
    const tables = Object.keys(read?.schemas.public?.tables ?? {})
    expect([tables.includes('pets'), tables.includes('changes')]).toEqual([true, false])
  })
})
