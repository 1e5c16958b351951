import { beforeEach, describe, expect, it } from 'vitest'
import { setCertificateAside } from '../../src/core/certificates/certificates.ts'
import {
  claimDueCertificates,
  type LeasedName,
  LeaseLost,
  openLease,
} from '../../src/jobs/certificate-lease.ts'
import { tidy } from '../../src/jobs/tidy.ts'
import { movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const clock = movableClock()
const problem = { code: 'ca_unreachable', message: 'away', record: null } as const

describe.skipIf(!canRace())('the lease of a certificate', () => {
  const own = prepareOwnDatabase()
  beforeEach(async () => {
    await own.db.certificate.deleteMany()
    await own.db.acmeChallenge.deleteMany()
  })

  const rowOf = (name: string) => own.db.certificate.findUniqueOrThrow({ where: { name } })
  const ago = (ms: number) => new Date(clock.now() - ms)
  const want = (...names: string[]) =>
    own.db.certificate.createMany({
      data: names.map(name => ({ name, wantedSince: ago(1_000), nextStepAt: ago(1_000) })),
    })
  const claim = (most = 5) => claimDueCertificates(own.db, clock, most)
  async function claimOne(name: string) {
    const [leased] = await claim()
    if (leased?.name !== name) throw new Error(`${name} was not claimed`)
    return openLease(own.db, clock, name, leased.leasedUntil)
  }

  it('the lease of a certificate goes to one process, even if several want it at once', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `shop-${n}.test`)
    await want(...names)

    const claimed: LeasedName[] = []
    for (let round = 0; round < 4; round++)
      claimed.push(...(await Promise.all(Array.from({ length: 8 }, () => claim(12)))).flat())

    expect(claimed.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(await claim()).toEqual([])
  })

  it('the lease of a certificate lasts two minutes unless it is renewed', async () => {
    await want('shop.test')
    await claim()

    // The test's clock also advances in real time, so stay some seconds away from the end of the lease.
    clock.advance(100_000)
    expect(await claim()).toEqual([])
    clock.advance(21_000)
    expect(await claim()).toMatchObject([{ name: 'shop.test' }])
  })

  it('each write renews the lease of a certificate for two minutes', async () => {
    await want('shop.test')
    const lease = await claimOne('shop.test')

    for (const _ of [1, 2, 3]) {
      clock.advance(115_000)
      await lease.save({})
      expect(await claim()).toEqual([])
    }
    // Two writes in a row keep the lease.
    await lease.save({})
    await lease.save({})
    await lease.finish({})
    expect(await rowOf('shop.test')).toMatchObject({ leasedUntil: null })
  })

  it('after the lease of a certificate is lost, its worker writes nothing', async () => {
    await want('shop.test')
    const lost = await claimOne('shop.test')
    clock.advance(121_000)
    const now = await claimOne('shop.test')
    await now.save({ orderUrl: 'https://ca.test/order/2' })
    const before = await rowOf('shop.test')

    for (const write of [
      () => lost.read(),
      () => lost.save({ orderUrl: 'https://ca.test/order/1' }),
      () => lost.finish({ orderUrl: null }),
      () => lost.letGo(),
      () => lost.giveUp(problem),
      () => lost.keepIssued({ chain: 'the chain of another order' }),
    ])
      await expect(write()).rejects.toThrow(LeaseLost)

    expect(await rowOf('shop.test')).toEqual(before)
    await now.finish({ orderUrl: null })
    expect(await rowOf('shop.test')).toMatchObject({ orderUrl: null, leasedUntil: null })
  })

  it('attempts for a certificate are counted, and the wait before the next attempt grows', async () => {
    await want('shop.test')
    const pauses: number[] = []
    for (const attempts of [1, 2, 3, 4]) {
      await (await claimOne('shop.test')).giveUp(problem)
      const row = await rowOf('shop.test')
      expect(row).toMatchObject({ attempts, problem, leasedUntil: null })
      pauses.push(Number(row.nextStepAt) - clock.now())
      clock.advance(Number(row.nextStepAt) - clock.now() + 1)
    }
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  })

  it('issuing a certificate and removing a domain each delete only the ACME challenges of the affected domain name', async () => {
    const tokens = async () =>
      (await own.db.acmeChallenge.findMany({ orderBy: { token: 'asc' } })).map(({ token }) => token)
    const expiresAt = new Date(clock.now() + 86_400_000)
    await want('one.test')
    await own.db.acmeChallenge.createMany({
      data: ['one', 'two', 'three'].map(name => ({
        token: name,
        name: `${name}.test`,
        keyAuthorization: 'key',
        expiresAt,
      })),
    })

    await (await claimOne('one.test')).keepIssued({ chain: 'chain' })
    expect(await tokens()).toEqual(['three', 'two'])
    await setCertificateAside(own.db, 'two.test')
    expect(await tokens()).toEqual(['three'])

    const { run } = tidy(own.db, clock)
    await run(null, new AbortController().signal)
    expect(await tokens()).toEqual(['three'])
    clock.advance(86_400_000 + 1_000)
    await run(null, new AbortController().signal)
    expect(await tokens()).toEqual([])
  })

  it('after a certificate is issued, its attempts are counted from the beginning again', async () => {
    await want('shop.test')
    await own.db.certificate.updateMany({
      data: { failedValidations: [ago(1_000)], unreadableSince: ago(1) },
    })
    await (await claimOne('shop.test')).giveUp(problem)
    clock.advance(3_600_000)

    await (await claimOne('shop.test')).keepIssued({
      chain: 'chain',
      nextStepAt: new Date(clock.now() + 1_000),
    })

    expect(await rowOf('shop.test')).toMatchObject({
      chain: 'chain',
      attempts: 0,
      problem: null,
      orderUrl: null,
      failedValidations: [],
      unreadableSince: null,
    })
  })
})
