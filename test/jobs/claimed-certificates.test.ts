import { beforeEach, describe, expect, it } from 'vitest'
import type { Certificate, PrismaClient } from '../../src/generated/prisma/client.ts'
import { claimDueCertificates, openLease } from '../../src/jobs/certificate-lease.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const start = Date.parse('2026-06-01T12:00:00Z')
const after = (ms: number) => new Date(start + ms)
const problem = { code: 'ca_unreachable', message: 'away', record: null } as const

describe.skipIf(!canRace())('due certificates', () => {
  const own = prepareOwnDatabase()
  beforeEach(async () => {
    await own.db.certificate.deleteMany()
    await own.db.domain.deleteMany()
  })

  const clock = { now: () => start, aheadMs: () => 0 }
  const want = (name: string, data: Partial<Certificate> = {}) =>
    own.db.certificate.create({
      data: { name, wantedSince: after(0), nextStepAt: after(0), ...data } as never,
    })
  const claim = async (most = 10, db: PrismaClient = own.db) =>
    (await claimDueCertificates(db, clock, most)).map(({ name }) => name)
  const rowOf = (name: string) => own.db.certificate.findUniqueOrThrow({ where: { name } })

  it('due certificates are taken in the order of their due times, at most as many as the worker has free slots', async () => {
    await want('late.test', { nextStepAt: after(-1) })
    await want('later.test', { nextStepAt: after(1) })
    await want('latest.test', { nextStepAt: after(-2) })
    await want('resting.test', { nextStepAt: null })
    await want('now.test')

    expect(await claim(1)).toEqual(['latest.test'])
    expect(await claim()).toEqual(['late.test', 'now.test'])
    expect(await rowOf('now.test')).toMatchObject({ leasedUntil: after(2 * minute) })
    expect(await rowOf('later.test')).toMatchObject({ leasedUntil: null })
  })

  it('a process takes due certificates from each project in turn, and works on at most three of each project at once', async () => {
    const [greedy, other] = [await own.makeProject(), await own.makeProject()]
    for (let n = 0; n < 6; n++) {
      await own.giveDomain(greedy, `greedy${n}.test`)
      await want(`greedy${n}.test`, { nextStepAt: after(n - 100) })
    }
    await own.giveDomain(other, 'other.test')
    await want('other.test')
    const names = async (held: Map<number, number>) =>
      (await claimDueCertificates(own.db, clock, 10, held)).map(({ name }) => name)

    expect(await names(new Map([[greedy.id, 3]]))).toEqual(['other.test'])
    await own.db.certificate.updateMany({ data: { leasedUntil: null } })
    expect(await names(new Map([[greedy.id, 1]]))).toEqual(['other.test', 'greedy0.test', 'greedy1.test'])
    await own.db.certificate.updateMany({ data: { leasedUntil: null } })
    expect(await names(new Map())).toEqual(['greedy0.test', 'other.test', 'greedy1.test', 'greedy2.test'])
  })

  it('a due certificate can be taken by another process from the millisecond at which its lease ends', async () => {
    await want('held.test', { leasedUntil: after(1) })
    await want('ended.test', { leasedUntil: after(0) })

    expect(await claim()).toEqual(['ended.test'])
  })

  it.each([
    ['finished the next step', { nextStepAt: after(hour), leasedUntil: null }],
    ['paused them because no project has the name any more', { nextStepAt: null, leasedUntil: null }],
    ['leased them', { leasedUntil: after(2 * minute) }],
  ])(
    'a process does not take due certificates if, after the process read the certificates, another process %s',
    async (_, data) => {
      await want('shop.test')
      // After this process has read the due rows, another process changes them before this process can lease them.
      const db = Object.create(own.db, {
        $queryRaw: {
          async value(...query: Parameters<typeof own.db.$queryRaw>) {
            const due = await own.db.$queryRaw(...query)
            await own.db.certificate.updateMany({ data })
            return due
          },
        },
      })

      expect(await claim(10, db)).toEqual([])
      expect(await rowOf('shop.test')).toMatchObject(data)
    },
  )

  it('a due certificate is leased until two minutes after the last write to it', async () => {
    await want('shop.test')
    const [leased] = await claimDueCertificates(own.db, clock, 1)
    const lease = openLease(own.db, clock, 'shop.test', leased?.leasedUntil ?? after(0))

    for (const _ of [1, 2, 3]) await lease.save({})

    const { leasedUntil } = await rowOf('shop.test')
    expect(Number(leasedUntil) - start).toBe(2 * minute + 3)
  })

  const giveUp = async (name: string) => {
    const [leased] = await claimDueCertificates(own.db, clock, 1)
    if (leased?.name !== name) throw new Error(`${name} was not due`)
    await openLease(own.db, clock, name, leased.leasedUntil).giveUp(problem)
    return Number((await rowOf(name)).nextStepAt) - start
  }

  it.each([
    [0, 15],
    [1, 30],
    [2, 60],
    [3, 120],
    [50, 6 * 3_600],
  ])(
    'certificates that failed %i times before are tried again in %i seconds, with a random deviation of up to a quarter',
    async (attempts, seconds) => {
      await want('shop.test', { attempts })

      const pause = (await giveUp('shop.test')) / second

      expect(pause).toBeGreaterThanOrEqual(0.75 * seconds)
      expect(pause).toBeLessThanOrEqual(1.25 * seconds)
      expect(await rowOf('shop.test')).toMatchObject({ attempts: attempts + 1, problem, leasedUntil: null })
    },
  )
})
