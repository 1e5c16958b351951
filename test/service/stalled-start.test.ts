import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

/** Starts the service while another session locks a table that the start needs after the migration. */
async function startBeside(lock: string) {
  const database = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-stalled-'))
  const other = new pg.Client(database.env.DATABASE_URL)
  await other.connect()
  await other.query(`BEGIN; ${lock}`)
  const service = await startProcess({ ...database.env, SEED_DEMO: '1', DATA_DIR: dataDir })
  onTestFinished(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    await other.end()
    await database.remove()
    rmSync(dataDir, { recursive: true })
  })
  await service.printed(/does not answer in time/)
  return { service, other }
}

it.runIf(findProgram('postgres')).each([
  ['the private keys are read', 'LOCK TABLE acme_accounts'],
  ['the demo project is created', 'LOCK TABLE projects'],
])(
  'if the database stalls when %s, the start waits and reports that the service is starting, until the database answers',
  async (_when, lock) => {
    const { service, other } = await startBeside(lock)

    const during = await ask(`${service.url}/readyz`)
    await other.query('COMMIT')
    await service.printed(answersAt)
    const after = await ask(`${service.url}/readyz`)

    expect([during.status, during.json]).toMatchObject([503, { status: 'starting' }])
    expect([after.status, after.json]).toMatchObject([200, { status: 'ready' }])
    const { stdout, key } = { stdout: service.output(), key: /API key +(as_\S+)/.exec(service.output())?.[1] }
    expect(stdout).not.toMatch(/^ +at /m)
    const pets = await ask(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })
    expect(pets.status).toBe(200)
  },
)

it.runIf(findProgram('postgres'))(
  'a start that is stopped while it waits ends with 0 and no error',
  async () => {
    const { service } = await startBeside('LOCK TABLE acme_accounts')

    service.child.kill('SIGTERM')

    expect(await service.ended).toBe(0)
    expect(service.output()).not.toMatch(/Error/)
  },
)
