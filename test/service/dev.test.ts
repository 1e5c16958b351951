import { utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { freshFolder } from '../support/databases.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const touched = fileURLToPath(new URL('../../src/announce.ts', import.meta.url))
const { env, remove } = await freshFolder()
afterAll(remove)

it('dev.ts restarts the service when its source changes, and stops the service when dev.ts itself stops', async () => {
  const dev = await startProcess(env, 'dev.ts')
  await dev.printed(answersAt)
  const isAlive = () =>
    fetch(`${dev.url}/livez`).then(
      response => response.ok,
      () => false,
    )
  expect(await isAlive()).toBe(true)

  utimesSync(touched, new Date(), new Date())
  await dev.printed(/answers at.*answers at/s)
  expect(await isAlive()).toBe(true)

  dev.child.kill('SIGINT')
  expect(await dev.ended).toBe(0)
  expect(await isAlive()).toBe(false)
})
