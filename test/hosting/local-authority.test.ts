import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/databases.ts'
import { type App, startApp } from '../support/start-app.ts'

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

async function start(env: Record<string, string>): Promise<{ app: App; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-authority-'))
  const app = await startApp({ env: { ...env, DATA_DIR: folder } })
  onTestFinished(async () => {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { app, folder }
}

const written = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const rootOf = ({ app }: { app: App }) => app.ask('/local-ca.pem')

test('the local authority is one for all processes of a database, and none writes anything to DATA_DIR', async ({
  skip,
}) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const two = [await start({ ...env, SECRETS_KEY }), await start({ ...env, SECRETS_KEY })]

  const [one, other] = await Promise.all(two.map(rootOf))

  expect(one?.text).toMatch(/^-----BEGIN CERTIFICATE-----/)
  expect(other?.text).toBe(one?.text)
  expect(two.flatMap(({ folder }) => written(folder))).toEqual([])
})

test('without SECRETS_KEY a process on a database writes its key when there is something to seal, and nothing before', async ({
  skip,
}) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const alone = await start(env)

  const before = written(alone.folder)
  await rootOf(alone)

  expect(before).toEqual([])
  expect(written(alone.folder)).toEqual(['secrets.key'])
})
