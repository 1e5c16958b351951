import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SealedCounts } from '../../src/tools/metrics.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  // Stop the jobs: a background read would overwrite the counts that the test sets.
  await app.tools.jobs.close()
})
afterAll(() => app.stop())

it.each<[SealedCounts, string, string]>([
  [{ older: 0, unreadable: 0 }, 'ready', 'open'],
  [{ older: null, unreadable: 0 }, 'ready', 'not known yet, since not every process has reported its keys'],
  [{ older: 1, unreadable: 0 }, 'ready', '1 were sealed with an older key and are being sealed again'],
  [{ older: 3, unreadable: 1 }, 'degraded', '1 do not open with SECRETS_KEY'],
  [{ older: null, unreadable: 2 }, 'degraded', '2 do not open with SECRETS_KEY'],
])('a process that counts %j of private keys is %s and reports: %s', async (sealed, status, secrets) => {
  const before = { ...app.tools.metrics.sealed }
  Object.assign(app.tools.metrics.sealed, sealed)

  const { status: code, json } = await app.readiness()
  Object.assign(app.tools.metrics.sealed, before)

  expect(code).toBe(200)
  expect(json).toEqual({ status, database: 'reachable', limiter: 'exact', secrets })
})

it('if the database refuses writes but still answers, /readyz gives the reason, and the process stays ready', async () => {
  const { outage } = app.tools.database
  outage.note(Object.assign(new Error('could not extend file'), { code: '53100' }))

  const { status, json } = await app.readiness()

  expect([status, json]).toMatchObject([200, { status: 'ready', fault: 'its disk is full' }])
})

it('the public port says only whether the process is ready, and never why not', async () => {
  const { outage } = app.tools.database
  outage.note(Object.assign(new Error('could not extend file'), { code: '53100' }))
  const before = { ...app.tools.metrics.sealed }
  app.tools.metrics.sealed.unreadable = 1

  const answers = [await app.ask('/readyz'), await app.readiness()]
  Object.assign(app.tools.metrics.sealed, before)

  expect(answers[0]).toMatchObject({ status: 200, json: { status: 'ready' } })
  expect(answers[0]?.json).toEqual({ status: 'ready' })
  expect(answers[1]?.json).toMatchObject({ status: 'degraded', fault: 'its disk is full' })
})

it('a process that lacks the secrets key of the other processes serves requests, and /readyz reports the missing key', async () => {
  const { db, hosting } = app.tools
  expect((await app.readiness()).json).toMatchObject({ status: 'ready' })
  await db.secretsKey.deleteMany()
  await db.secretsKey.create({ data: { fingerprint: 'of another process' } })
  await expect(hosting.seal.requireKey()).rejects.toMatchObject({ code: 'unavailable' })

  const { status, json } = await app.readiness()

  expect([status, json]).toMatchObject([
    200,
    {
      status: 'degraded',
      database: 'reachable',
      secrets: 'this process lacks the SECRETS_KEY of the others',
    },
  ])
})
