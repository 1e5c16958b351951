import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { addOperator, removeOperator } from '../../src/core/people/operators.ts'
import type { Lend } from '../../src/database/database.ts'
import { openStudio } from '../../src/studio/queries.ts'
import { ask } from '../support/ask.ts'
import {
  findFaults,
  hasChromium,
  openBrowser,
  openTab,
  refusedByPolicy,
  sharedBrowser,
} from '../support/browser.ts'
import { type FreshDatabase, freshFolder } from '../support/databases.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-studio-tests-000'

/**
 * Returns the names of the other pages, for example Studio, that the document of the dashboard lists in its meta
 * element `beside`.
 */
async function besideIn({ url }: App, headers: Record<string, string> = {}) {
  const { text } = await ask(`${url}/dashboard/`, { headers })
  return /<meta name="beside" content="([^"]*)"/.exec(text)?.[1]
}

describe('Prisma Studio on the embedded database', { timeout: 90_000 }, () => {
  let database: FreshDatabase
  let app: App
  let owner: TestProject

  beforeAll(async () => {
    database = await freshFolder()
    app = await startApp({
      env: { DATABASE_URL: '', ...database.env, OPERATOR_KEY: operatorKey, HOST: '0.0.0.0' },
    })
    if (hasChromium && !existsSync('dist/studio/index.html'))
      execFileSync('vite', ['build', '--config', 'src/studio/page/vite.config.ts', '--logLevel', 'warn'])
    owner = await app.makeProject()
    await owner.post('/v1/pets', { name: 'Before', categoryId: 7 })
    // The first run builds Studio, which takes long.
  }, 180_000)
  afterAll(async () => {
    await app?.stop()
    await database?.remove()
  })

  const query = async (sql: string, key = operatorKey, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ procedure: 'query', query: { sql, parameters: [] } })
    const question = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    }
    return ask(`${app.url}/studio/query`, question)
  }

  it('REST returns a pet as it was edited in Studio', async () => {
    expect((await owner.get('/v1/pets')).json).toMatchObject([{ name: 'Before' }])

    await query(`UPDATE pets SET name = 'After' WHERE name = 'Before' AND project_id = ${owner.project.id}`)

    expect((await owner.get('/v1/pets')).json).toMatchObject([{ name: 'After' }])
  })

  it('Studio shows an int64 with every digit', async () => {
    await query(`UPDATE pets SET category_id = 9223372036854775807 WHERE project_id = ${owner.project.id}`)

    const { json } = await query(`SELECT category_id FROM pets WHERE project_id = ${owner.project.id}`)

    expect(json).toEqual([null, [{ category_id: '9223372036854775807' }]])
  })

  it.each([
    'SELECT hash FROM api_keys',
    'SELECT * FROM api_keys',
    'SELECT input_hash FROM idempotent_creations',
  ])('Studio shows no secret for the statement %s', async sql => {
    const { json } = await query(sql)

    expect(json).toEqual([{ name: 'error', message: expect.stringContaining('permission denied') }])
  })

  it('while Studio reads rows with the restricted permissions of Studio, the service can still read pets and issue keys', async () => {
    const [looked, used] = await Promise.all([query('SELECT name FROM pets'), owner.get('/v1/pets')])

    expect([looked.status, used.status]).toEqual([200, 200])
    const issued = await owner.issueKey(['pets:read'])
    expect((await issued.get('/v1/pets')).status).toBe(200)
  })

  it('only the operator can use Studio, and only from this machine without a proxy, under localhost, 127.0.0.1 or [::1]', async () => {
    const port = new URL(app.url).port
    const statuses = async (each: Record<string, string>[]) =>
      Promise.all(each.map(async headers => (await query('SELECT 1', operatorKey, headers)).status))
    for (const key of [owner.secret, 'as_nonsense', '']) {
      const refused = await query('SELECT 1', key)
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }

    const own = ['localhost', `localhost:${port}`, '127.0.0.1', `127.0.0.1:${port}`, '[::1]', `[::1]:${port}`]
    expect(await statuses(own.map(host => ({ host })))).toEqual(own.map(() => 200))
    const passedOn: Record<string, string>[] = [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { via: '' },
    ]
    expect(await statuses(passedOn)).toEqual(passedOn.map(() => 404))
    const others = ['rebound.example', 'localhost.example', 'x.localhost', '127.0.0.1.example', '127.0.0.2']
    for (const status of await statuses(others.map(host => ({ host })))) expect([404, 421]).toContain(status)
  })

  it('Studio refuses requests from another machine, whatever Host header they send', async ({ skip }) => {
    const [outside] = Object.values(networkInterfaces())
      .flatMap(each => each ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    if (!outside) return skip('this machine has no address but its own')

    const at = `http://${outside.address}:${new URL(app.url).port}`
    const headers = { host: 'localhost', authorization: `Bearer ${operatorKey}` }

    expect((await ask(`${at}/studio/key`, { method: 'POST', headers })).status).toBe(404)
    expect((await ask(`${at}/livez`, { headers })).status).toBe(200)
  })

  it('Studio tells whether a key is that of the operator, and no answer of Studio may be cached', async () => {
    const tried = (key: string) =>
      ask(`${app.url}/studio/key`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

    const [known, unknown] = [await tried(operatorKey), await tried(owner.secret)]

    expect([known.status, known.text, unknown.status]).toEqual([204, '', 401])
    expect((await query('SELECT 1')).headers['cache-control']).toBe('no-store')
  })

  it('Studio refuses a missing or invalid body and a body of more than a megabyte, each with its own error', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${operatorKey}` }
    const send = async (body: string) =>
      (await ask(`${app.url}/studio/query`, { method: 'POST', headers, body })).json
    const sized = (bytes: number) => JSON.stringify({ procedure: 'sql-lint' }).padEnd(bytes)

    expect(await send('{')).toMatchObject({ code: 'malformed_request', status: 400 })
    for (const body of ['{}', '[]', '{"procedure":"drop"}'])
      expect(await send(body)).toMatchObject({ code: 'invalid_input', status: 400 })
    expect(await send(sized(1024 * 1024))).toEqual([null, { diagnostics: [] }])
    expect(await send(sized(1024 * 1024 + 1))).toMatchObject({
      code: 'body_too_large',
      message: 'The body is larger than 1024 KiB.',
    })
  })

  it('a key that is revoked by editing its row is refused at once', async () => {
    const key = await owner.issueKey(['pets:read'])
    expect((await key.get('/v1/pets')).status).toBe(200)

    await query(`UPDATE api_keys SET revoked_at = now() WHERE id = '${key.keyId}'`)

    expect((await key.get('/v1/pets')).status).toBe(401)
  })

  it('the audit log names the operator who writes in Studio, and no statement can change that name', async () => {
    const { db } = app.tools
    const forged = `set_config('animal_store.act', '{"actor":{"type":"system","name":"nobody"}}', true)`
    const key = await owner.issueKey(['pets:read'])

    await query(`UPDATE api_keys SET name = 'By Studio' WHERE id = '${key.keyId}' AND ${forged} IS NULL`)

    expect(await db.apiKey.findUnique({ where: { id: key.keyId } })).toMatchObject({ name: 'By Studio' })
    const actors = async () => {
      const { text } = await owner.get('/v1/events?kind=management&type=api_key.changed')
      return [...text.matchAll(/"actor":(\{[^}]*\})/g)].map(([, actor = '']) => JSON.parse(actor))
    }
    await expect.poll(actors, { timeout: 20_000 }).toEqual([{ type: 'operator', name: 'operator' }])
  })

  it('all requests of Studio are logged under one route', async () => {
    const lines = vi.spyOn(app.tools.log, 'info')
    onTestFinished(() => lines.mockRestore())

    await query('SELECT 1')
    await ask(`${app.url}/studio/nothing/here`)

    // Ignore log lines with other routes, because background jobs or a request of an earlier test may write such lines.
    const routes = () =>
      lines.mock.calls
        .map(([line]) => (line as { route?: string }).route)
        .filter(route => route === 'none' || route?.startsWith('/studio'))
    await expect.poll(routes).toEqual(['/studio', '/studio'])
  })

  describe('the requests of the page of Studio', () => {
    type Query = { sql: string; parameters: unknown[] }
    const of = (sql: string, ...parameters: unknown[]): Query => ({ sql, parameters })
    const refused = { name: 'Error', message: expect.stringContaining('Studio runs SELECT, WITH') }
    const denied = { name: 'error', message: expect.stringContaining('permission denied') }
    const writes: string[] = []
    let studio: (body: unknown) => Promise<unknown>
    let said = ''
    beforeAll(() => {
      const lend = app.tools.database.lend as Lend
      studio = openStudio(lend, async () => void writes.push(said))
    })
    const one = (sql: string, ...parameters: unknown[]) =>
      studio({ procedure: 'query', query: of(sql, ...parameters) })
    const names = async () =>
      (await app.tools.db.pet.findMany({ where: { projectId: owner.project.id } })).map(({ name }) => name)

    it("a query of Studio's page gets the answer to its statement and parameters", async () => {
      expect(await one('SELECT $1::int + 1 AS n, $2::text AS t', 4, 'x')).toEqual([null, [{ n: 5, t: 'x' }]])
      expect(await studio({ procedure: 'query' })).toEqual([null, []])
      expect(await one('SELECT nothing')).toEqual([
        { name: 'error', message: expect.stringContaining('"nothing" does not exist') },
      ])
    })

    it("the statements of a sequence from Studio's page are answered up to the first error", async () => {
      const sequence = (...steps: Query[]) => studio({ procedure: 'sequence', sequence: steps })
      const rename = of('UPDATE pets SET name = $1 WHERE project_id = $2', 'Renamed', owner.project.id)
      const before = await names()

      const both = await sequence(of('SELECT 1 AS a'), of('SELECT 2 AS b'))
      const first = await sequence(of('SELECT nothing'), rename)
      expect(await names()).toEqual(before)
      const second = await sequence(rename, of('SELECT nothing'))

      const fault = [{ name: 'error', message: expect.any(String) }]
      expect(both).toEqual([
        [null, [{ a: 1 }]],
        [null, [{ b: 2 }]],
      ])
      expect(first).toEqual([fault])
      expect(second).toEqual([[null, []], fault])
      expect(await names()).toEqual(['Renamed'])
    })

    it("a transaction of Studio's page is executed whole or not at all", async () => {
      const transaction = (...queries: Query[]) => studio({ procedure: 'transaction', queries })
      const add = (name: string) =>
        of('INSERT INTO pets (project_id, name, category_id) VALUES ($1, $2, 1)', owner.project.id, name)
      const before = await names()

      const failed = await transaction(add('Lost'), of('SELECT nothing'))
      expect(await names()).toEqual(before)
      const done = await transaction(add('Rex'), of('SELECT 1 AS a'), add('Ada'))

      expect(failed).toEqual([{ name: 'error', message: expect.any(String) }])
      expect(done).toEqual([null, [[], [{ a: 1 }], []]])
      expect(await names()).toEqual([...before, 'Rex', 'Ada'])
    })

    it("a statement that would leave Studio's role is refused, together with everything in the same request", async () => {
      const hashes = of('SELECT hash FROM api_keys')

      for (const off of ['RESET ROLE', 'SET ROLE NONE', 'SET LOCAL ROLE NONE', 'COMMIT'])
        expect(await studio({ procedure: 'transaction', queries: [of(off), hashes] })).toEqual([refused])
      expect(await studio({ procedure: 'sequence', sequence: [of('RESET ROLE'), hashes] })).toEqual([
        [refused],
      ])
      expect((await owner.get('/v1/pets')).status).toBe(200)
    })

    it('Studio may read and write every row, but no secrets and no table definitions', async () => {
      const { id } = owner.project
      for (const sql of [
        `INSERT INTO categories (project_id, id, name) VALUES (${id}, 1, 'Dogs')`,
        `UPDATE categories SET name = 'Cats' WHERE project_id = ${id}`,
        `DELETE FROM categories WHERE project_id = ${id}`,
      ])
        expect([sql, await one(sql)]).toEqual([sql, [null, []]])
      for (const sql of [
        `UPDATE api_keys SET hash = '\\x00'`,
        `INSERT INTO idempotent_creations (project_id, key, input_hash) VALUES (${id}, 'k', '\\x00')`,
        'SELECT * FROM _prisma_migrations',
        'DELETE FROM _prisma_migrations',
        'SELECT 1 INTO public.mine',
        'SELECT 1 INTO TEMP pets',
      ])
        expect([sql, await one(sql)]).toEqual([sql, [denied]])
      for (const sql of ['TRUNCATE pets', 'DROP TABLE pets', 'CREATE ROLE mine', '-- a\nSELECT 1', ''])
        expect([sql, await one(sql)]).toEqual([sql, [refused]])
    })

    it('Studio lists neither secret columns nor the tables of the migrations', async () => {
      const columns = '[{"name":"id","datatype":"int4"},null,{"name":"hash","datatype":"bytea"}]'
      const table = (name: string) => `SELECT '${name}' AS name, '${columns}'::json AS columns`

      const shown = await one(
        `${table('pets')} UNION ALL ${table('_prisma_migrations')}`.replaceAll('json', 'jsonb'),
      )

      expect(shown).toEqual([null, [{ name: 'pets', columns: [{ name: 'id', datatype: 'int4' }, null] }]])
    })

    it.each<[string, boolean]>([
      ['SELECT name FROM pets', false],
      ["SELECT 'updated' AS inserted", false],
      ['INSERT INTO nothing DEFAULT VALUES', true],
      ['update nothing set a = 1', true],
      ['WITH gone AS (DELETE FROM nothing RETURNING *) SELECT * FROM gone', true],
      ['MERGE INTO nothing USING other ON true WHEN MATCHED THEN DO NOTHING', true],
      ['TRUNCATE nothing', true],
      ["COPY nothing FROM '/nowhere'", true],
      ['DO $$ BEGIN NULL; END $$', true],
      ['CALL nothing()', true],
    ])('after %s the service reads the log of changes: %s', async (sql, isFollowed) => {
      for (const body of [
        { procedure: 'query', query: of(sql) },
        { procedure: 'sequence', sequence: [of('SELECT 1'), of(sql)] },
        { procedure: 'transaction', queries: [of(sql)] },
      ]) {
        writes.length = 0
        said = body.procedure
        await studio(body)
        expect(writes).toEqual(isFollowed ? [body.procedure] : [])
      }
    })

    it('Studio works again after a database outage, even if its first query failed', async () => {
      const lend = app.tools.database.lend as Lend
      let isAway = true
      const away: Lend = work => (isAway ? Promise.reject(new Error('away')) : lend(work))
      const other = openStudio(away, async () => {})
      const ask = () => other({ procedure: 'query', query: of('SELECT 1 AS a') })

      await expect(ask()).rejects.toThrow('away')
      isAway = false

      expect(await ask()).toEqual([null, [{ a: 1 }]])
    })
  })

  it.skipIf(!hasChromium)(
    'Studio says why it does not open, then opens with the pets, and shows internal tables only under the schema internal',
    async () => {
      const browser = await openBrowser()
      const page = await openTab(browser, null)
      await page.goto(`${app.url}/studio/`)
      await page.getByLabel('Operator key').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.getByLabel('Operator key').fill(owner.secret)
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('This is not the operator key').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.route('**/studio/key', route => route.abort())
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('The service does not answer').waitFor()
      await page.unroute('**/studio/key')
      await page.getByLabel('Operator key').fill('as_…')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('This is not the operator key').waitFor()

      await page.getByLabel('Operator key').fill(operatorKey)
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('Biscuit').first().waitFor()
      const names = await page.locator('nav a, aside a, [role="navigation"] a').allInnerTexts()
      const tables = names.map(name => name.trim())
      expect(tables).toContain('orders')
      expect(tables).not.toContain('told')
      await page.goto(`${app.url}/studio/#schema=internal&table=told&view=table`)
      await page.reload()
      await page.getByText('is_management').first().waitFor()

      expect(await refusedByPolicy(page)).toEqual([])
      await browser.close()
    },
  )

  describe.skipIf(!hasChromium)('the links of the dashboard', () => {
    const links = (page: Page) => page.getByRole('navigation').getByRole('link', { name: /Prisma|Apollo/ })

    it('a project’s key gets a link to Apollo Sandbox, and none to Studio', async () => {
      const page = await openTab(await sharedBrowser(), owner.secret)
      await page.goto(`${app.url}/dashboard/`)

      await page.getByRole('link', { name: 'Apollo Sandbox' }).waitFor()

      expect(await links(page).allTextContents()).toEqual([' Apollo Sandbox'])
      await page.getByRole('link', { name: 'Apollo Sandbox' }).click()
      await page.getByRole('link', { name: 'Open Apollo Sandbox' }).waitFor()
      await page.context().close()
    })

    it('an operator’s key opens Studio by the link without being typed again', async () => {
      const page = await openTab(await sharedBrowser(), operatorKey)
      await page.goto(`${app.url}/dashboard/`)
      await page.getByRole('link', { name: 'Prisma Studio' }).waitFor()
      expect(await findFaults(page)).toEqual([])

      await page.getByRole('link', { name: 'Prisma Studio' }).click()

      await page.getByText('Biscuit').first().waitFor()
      expect(await refusedByPolicy(page)).toEqual([])
      await page.context().close()
    })

    it('a person who is an operator opens Studio by the link with the session, and loses Studio with the operator flag', async () => {
      const { db, clock, config } = app.tools
      const page = await openTab(await sharedBrowser(), null)
      await addAuthenticator(page)
      const { secret } = await invite(db, clock, owner.project, { role: 'owner', invitedBy: null })
      await page.goto(`${config.publicUrl}/dashboard/invitation#${secret}`)
      await page.getByLabel('Your name').fill('Ada')
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByRole('link', { name: 'Your profile' }).click()
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('rowheader', { name: 'Passkey' }).waitFor()
      await page.getByRole('link', { name: 'Apollo Sandbox' }).waitFor()
      expect(await links(page).allTextContents()).toEqual([' Apollo Sandbox'])
      const { personId } = await db.passkey.findFirstOrThrow()
      await addOperator(db, personId)
      await page.getByRole('button', { name: 'Sign out' }).first().click()
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'As operator' })

      await page.getByRole('link', { name: 'Prisma Studio' }).click()
      await page.getByText('Biscuit').first().waitFor()
      await removeOperator(db, personId)
      await page.reload()

      await page.getByLabel('Operator key').waitFor()
      await page.context().close()
    })
  })

  it('the service announces Studio only to a client on this machine', async () => {
    const named = existsSync('dist/studio/index.html') ? 'sandbox studio' : 'sandbox'

    expect(await besideIn(app)).toBe(named)
    expect(await besideIn(app, { 'x-forwarded-for': '127.0.0.1' })).toBe('sandbox')
  })
})

it('on PostgreSQL the service has no Studio and no link to it, because Prisma’s own command opens Studio', async ({
  skip,
}) => {
  const app = await startApp({ env: { OPERATOR_KEY: operatorKey, GRAPHQL_SANDBOX: '0' } })
  onTestFinished(() => app.stop())
  if (app.tools.database.isEmbedded) return skip('PostgreSQL is not installed')

  expect((await ask(`${app.url}/studio/`)).status).toBe(404)

  expect(await besideIn(app)).toBe('')
  if (!hasChromium) return
  const page = await openTab(await sharedBrowser(), operatorKey)
  onTestFinished(() => page.context().close())
  await page.goto(`${app.url}/dashboard/`)
  await page.getByRole('link', { name: 'Reference' }).first().waitFor()
  expect(await page.getByRole('link', { name: /Prisma|Apollo/ }).count()).toBe(0)
})
