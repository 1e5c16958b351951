import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { isDatabaseUnavailable } from '../../src/database/faults.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

async function openWithLine() {
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
  onTestFinished(() => database.close())
  /** Which of PostgreSQL's processes answers, after so many seconds. */
  const ask = async (seconds = 0) => {
    const text = `select pg_backend_pid(), pg_sleep(${seconds})`
    const [row] = await database.run({ name: `ask_${seconds * 1000}`, text, values: [], reads: true })
    return Number(row?.[0])
  }
  const end = (process: number) => database.pool?.query('select pg_terminate_backend($1)', [process])
  // The first read has no line yet, and makes it.
  await ask()
  await expect.poll(async () => new Set([await ask(), ...(await Promise.all([ask(), ask()]))]).size).toBe(1)
  return { ask, end, line: await ask() }
}

withPostgres('reads that come in together share a connection, and a crowd takes more', async () => {
  const { ask, line } = await openWithLine()

  expect(new Set(await Promise.all([ask(), ask(), ask()]))).toEqual(new Set([line]))
  const crowd = await Promise.all(Array.from({ length: 8 }, () => ask(0.01)))
  expect(crowd.slice(0, 4)).toEqual([line, line, line, line])
  expect(crowd.slice(4)).not.toContain(line)
})

withPostgres('a read that takes long holds up none that comes after', async () => {
  const { ask, line } = await openWithLine()
  let isDone = false
  const long = ask(1).finally(() => {
    isDone = true
  })
  await new Promise(resolve => setTimeout(resolve, 50))

  expect(await ask()).not.toBe(line)
  expect(isDone).toBe(false)
  expect(await long).toBe(line)
  expect(await ask()).toBe(line)
})

withPostgres('reads go on when the connection ends, and those under way are told to try again', async () => {
  const { ask, end, line } = await openWithLine()
  const underWay = [ask(1), ask()]
  await new Promise(resolve => setTimeout(resolve, 50))

  const told = Promise.allSettled(underWay)
  await end(line)

  for (const answer of await told) {
    expect(answer.status === 'rejected' && isDatabaseUnavailable(answer.reason)).toBe(true)
  }
  expect(await ask()).not.toBe(line)
  await expect.poll(async () => new Set(await Promise.all([ask(), ask(), ask()])).size).toBe(1)
})
