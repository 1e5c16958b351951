import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFaults, hasChromium, openBrowser, openTab, refusedByPolicy } from '../support/browser.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-studio-tests-000'

describe('Prisma Studio on the embedded database', { timeout: 90_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-studio-'))
  let app: App
  let owner: TestProject

  beforeAll(async () => {
    app = await startApp({ env: { DATABASE_URL: '', DATA_DIR: dataDir, OPERATOR_KEY: operatorKey } })
    owner = await app.makeProject()
    await owner.post('/v1/pets', { name: 'Before', categoryId: 7 })
  })
  afterAll(async () => {
    await app?.stop()
    rmSync(dataDir, { recursive: true, force: true })
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

  it('an edited row is what REST then returns', async () => {
    expect((await owner.get('/v1/pets')).json).toMatchObject([{ name: 'Before' }])

    await query(`UPDATE pets SET name = 'After' WHERE name = 'Before' AND project_id = ${owner.project.id}`)

    expect((await owner.get('/v1/pets')).json).toMatchObject([{ name: 'After' }])
  })

  it('an int64 keeps every digit', async () => {
    await query(`UPDATE pets SET category_id = 9223372036854775807 WHERE project_id = ${owner.project.id}`)

    const { json } = await query(`SELECT category_id FROM pets WHERE project_id = ${owner.project.id}`)

    expect(json).toEqual([null, [{ category_id: '9223372036854775807' }]])
  })

  it.each([
    'SELECT hash FROM api_keys',
    'SELECT * FROM api_keys',
    'SELECT input_hash FROM idempotent_creations',
  ])('gives no secret away: %s', async sql => {
    const { json } = await query(sql)

    expect(json).toEqual([{ name: 'error', message: expect.stringContaining('permission denied') }])
  })

  it('the service goes on as itself while rows are looked at', async () => {
    const [looked, used] = await Promise.all([query('SELECT name FROM pets'), owner.get('/v1/pets')])

    expect([looked.status, used.status]).toEqual([200, 200])
    const issued = await owner.issueKey(['pets:read'])
    expect((await issued.get('/v1/pets')).status).toBe(200)
  })

  it('only the operator gets in, from this machine, under its own name', async () => {
    expect((await query('SELECT 1', owner.secret)).status).toBe(401)
    expect((await query('SELECT 1', 'as_nonsense')).status).toBe(401)
    expect((await query('SELECT 1', operatorKey, { host: 'rebound.example' })).status).toBeGreaterThanOrEqual(
      404,
    )
    expect((await query('SELECT 1', operatorKey, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404)
    expect((await query('SELECT 1')).status).toBe(200)
  })

  it.skipIf(!hasChromium)('shows the pets to the operator in a browser', async () => {
    if (!existsSync('dist/studio/index.html')) {
      execFileSync('vite', ['build', '--config', 'src/studio/page/vite.config.ts', '--logLevel', 'warn'])
    }
    const browser = await openBrowser()
    const page = await openTab(browser, null)
    await page.goto(`${app.url}/studio/`)
    await page.getByLabel('Operator key').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByLabel('Operator key').fill(owner.secret)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('This is not the operator key').waitFor()
    expect(await findFaults(page)).toEqual([])

    await page.getByLabel('Operator key').fill(operatorKey)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('pets', { exact: true }).first().click()
    await page.getByText('Biscuit').first().waitFor()

    expect(await refusedByPolicy(page)).toEqual([])
    await browser.close()
  })
})

it('there is no Studio on PostgreSQL, where Prisma’s own command opens it', async ({ skip }) => {
  const app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  onTestFinished(() => app.stop())
  if (app.tools.database.isEmbedded) return skip('PostgreSQL is not installed')

  const { status } = await ask(`${app.url}/studio/`)

  expect(status).toBe(404)
})
