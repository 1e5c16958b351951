import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { actAsSystem } from '../../src/core/acts.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { tidy } from '../../src/jobs/tidy.ts'
import { movableClock } from '../support/clock.ts'
import { freshDatabase } from '../support/databases.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

it('the clean-up of expired rows throws an error while the database is unavailable', async () => {
  const { env, remove } = await freshDatabase()
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.DATA_DIR ?? '',
  })
  await database.close()
  await remove()
  const work = tidy(database.db, movableClock())

  // If the job also causes an unhandled rejection, this test needs no check for the rejection: Vitest fails on every
  // unhandled rejection.
  await expect(work.run(null, AbortSignal.timeout(10_000))).rejects.toThrow()
})

describe.skipIf(!canRace())('what is tidied now and then', () => {
  const own = prepareOwnDatabase()
  const day = 86_400_000
  const now = new Date('2026-06-01T12:00:00Z')
  const later = (ms: number) => new Date(now.getTime() + ms)
  const clock = { now: () => now.getTime(), aheadMs: () => 0 }
  const run = (db: PrismaClient = own.db) => tidy(db, clock).run(null, AbortSignal.timeout(10_000))
  afterEach(() => void vi.restoreAllMocks())

  it('tidying deletes old attempts at deliveries, names held long ago, and ended challenges of sign-ins', async () => {
    const { db } = own
    const { id: projectId } = await own.makeProject()
    const endpoint = await db.webhookEndpoint.create({
      data: { projectId, url: 'https://shop.test', delivered: 0n, sealedSecret: new Uint8Array(1) },
    })
    const attempt = { endpointId: endpoint.id, eventNumber: 1n, eventType: 'pet.created', ms: 1, answer: '' }
    for (const ms of [0, 1]) {
      await db.webhookDelivery.create({ data: { ...attempt, at: later(ms - 1 - 30 * day) } })
      await db.heldName.create({ data: { name: `${ms}.test`, projectId, since: later(ms - 365 * day) } })
      await db.challenge.create({
        data: { hash: new Uint8Array([ms]), purpose: 'sign-in', expiresAt: later(ms) },
      })
    }

    await run()

    expect(await db.webhookDelivery.findMany()).toMatchObject([{ at: later(-30 * day) }])
    expect(await db.heldName.findMany({ where: { projectId } })).toMatchObject([{ name: '1.test' }])
    expect(await db.challenge.findMany()).toMatchObject([{ expiresAt: later(1) }])
  })

  it('tidying deletes ended pauses, proofs and orders, and starts the grace time of downgraded projects', async () => {
    const { db } = own
    onTestFinished(async () => {
      const tables = [db.domain, db.acmePause, db.acmeChallenge, db.certificateOrder] as {
        deleteMany(): object
      }[]
      for (const table of tables) await table.deleteMany()
    })
    const fallen = await own.makeProject('free')
    await own.giveDomain(fallen, 'www.fallen.test')
    const pause = { directoryUrl: 'https://ca.test/dir', wholeDomain: false, reason: '', isExplained: false }
    const proof = { name: 'www.shop.test', keyAuthorization: 'key' }
    const order = { projectId: fallen.id, name: 'www.fallen.test' }
    const rows = [
      ['ended', 0],
      ['in force', 1],
    ] as const
    for (const [name, ms] of rows) {
      await db.acmePause.create({ data: { ...pause, name, until: later(ms) } })
      await db.acmeChallenge.create({ data: { ...proof, token: name, expiresAt: later(ms) } })
      await db.certificateOrder.create({ data: { ...order, orderedAt: later(ms - 8 * day) } })
    }

    await run()

    expect(await db.acmePause.findMany()).toMatchObject([{ name: 'in force' }])
    expect(await db.acmeChallenge.findMany()).toMatchObject([{ token: 'in force' }])
    expect(await db.certificateOrder.findMany()).toMatchObject([{ orderedAt: later(1 - 8 * day) }])
    expect(await db.project.findUniqueOrThrow({ where: { id: fallen.id } })).toMatchObject({
      domainsGraceEndsAt: later(14 * day),
    })
  })

  it('the audit log names the service, not the database, for a certificate that tidying deletes', async () => {
    const { db } = own
    const ended = { name: 'www.gone.test', chain: 'chain', wantedSince: now, notAfter: now }
    await db.certificate.create({ data: ended })

    await actAsSystem('clock', run)

    const entries = await db.$queryRaw`SELECT actor FROM told WHERE type = 'certificate.removed'`
    expect(entries).toEqual([{ actor: { type: 'system', name: 'clock' } }])
  })

  it.each([
    ['acmePause', 'deleteMany'],
    ['certificateOrder', 'deleteMany'],
    ['acmeChallenge', 'deleteMany'],
  ] as const)('tidying fails if old rows of %s cannot be deleted', async (table, act) => {
    const failing = Object.create(own.db[table], {
      [act]: { value: async () => Promise.reject(new Error(`no ${table}`)) },
    })
    const broken = (db: object) => Object.create(db, { [table]: { value: failing } })
    const inTransaction = (work: (tx: object) => Promise<unknown>) =>
      own.db.$transaction(tx => work(broken(tx)))

    const db = Object.create(broken(own.db), { $transaction: { value: inTransaction } })

    await expect(run(db)).rejects.toThrow(`no ${table}`)
  })

  it('tidying fails if the start of the grace period of downgraded projects cannot be stored', async () => {
    const failing = { $transaction: { value: async () => Promise.reject(new Error('no project')) } }

    await expect(run(Object.create(own.db, failing))).rejects.toThrow('no project')
  })

  it('tidying is due every half minute, and at most twice as often if woken', async () => {
    let jump = 0
    const began = Math.ceil(performance.now())
    vi.spyOn(performance, 'now').mockImplementation(() => began + jump)
    const { everyMs, claim } = tidy(own.db, clock)
    const claimsAfter = async (ms: number) => {
      jump += ms
      return (await claim(1)).length
    }

    const claims = []
    for (const ms of [0, 0, 14_999, 1, 15_000 - 1, 1, everyMs]) claims.push(await claimsAfter(ms))

    expect([everyMs, claims]).toEqual([30_000, [1, 0, 0, 1, 0, 1, 1]])
  })
})
