import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

it('a process that lacks the key of the others serves, and says that it is not whole', async () => {
  const { db, hosting } = app.tools
  expect((await app.ask('/readyz')).json).toMatchObject({ status: 'ready' })
  await db.secretsKey.deleteMany()
  await db.secretsKey.create({ data: { fingerprint: 'of another process' } })
  await expect(hosting.seal.requireKey()).rejects.toMatchObject({ code: 'unavailable' })

  const { status, json } = await app.ask('/readyz')

  expect([status, json]).toMatchObject([
    200,
    {
      status: 'degraded',
      database: 'reachable',
      secrets: 'this process lacks the SECRETS_KEY of the others',
    },
  ])
})
