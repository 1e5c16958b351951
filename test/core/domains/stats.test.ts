import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readDomainFigures } from '../../../src/core/domains/stats.ts'
import type { Project } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const day = 86_400_000
const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)

describe.skipIf(!canRace())('the figures of the domains', () => {
  const own = prepareOwnDatabase()
  let project: Project
  beforeAll(async () => {
    project = await own.makeProject()
  })
  beforeEach(async () => {
    await own.db.domain.deleteMany()
    await own.db.certificate.deleteMany()
  })

  async function certify(name: string, notAfter: Date | null, more = {}, owner: Project | null = project) {
    if (owner) await own.giveDomain(owner, name)
    await own.db.certificate.create({ data: { name, wantedSince: now, notAfter, ...more } })
  }
  const expiring = async () =>
    (await readDomainFigures(own.db, now)).certificates.expiringWithin.map(({ count }) => count)

  it.each([
    ['has ended', -1, [1, 1, 1]],
    ['ends in seven days', 7 * day, [1, 1, 1]],
    ['ends a moment after seven days', 7 * day + 1, [0, 1, 1]],
    ['ends in fourteen days', 14 * day, [0, 1, 1]],
    ['ends a moment after fourteen days', 14 * day + 1, [0, 0, 1]],
    ['ends in thirty days', 30 * day, [0, 0, 1]],
    ['ends a moment after thirty days', 30 * day + 1, [0, 0, 0]],
  ])(
    'the numbers of certificates that end within 7, 14 and 30 days are correct for a certificate that %s',
    async (_, ms, counts) => {
      await certify('www.shop.test', later(ms))
      // A second project only claims the name of the certificate. The figures must not count the certificate again for
      // the second project.
      const { id: projectId } = await own.makeProject()
      const claim = { projectId, name: 'www.shop.test', createdAt: now, looksSince: now }
      await own.db.domain.create({ data: claim })

      expect(await expiring()).toEqual(counts)
    },
  )

  it('the domain figures show the earliest end of a certificate and the oldest open certificate order, for served names only', async () => {
    const order = (ago: number) => ({ orderUrl: 'https://ca.test/1', orderedAt: later(-ago) })
    const lapsed = await own.makeProject('free')
    await own.db.project.update({ where: { id: lapsed.id }, data: { domainsGraceEndsAt: now } })
    await certify('a.shop.test', later(40 * day), order(2))
    await certify('b.shop.test', later(50 * day), order(1))
    await certify('none.shop.test', null)
    // For the certificate of `done.shop.test` no `orderUrl` is stored, because the order has ended. The time of the
    // ended order is still stored, but must not count as the time of the oldest open order.
    await certify('done.shop.test', later(60 * day), { orderedAt: later(-9) })
    await certify('www.lapsed.test', later(day), order(9), lapsed)
    await certify('www.left.test', later(day), order(9), null)

    const { certificates, domains } = await readDomainFigures(own.db, now)

    expect(certificates).toMatchObject({ soonestEnd: later(40 * day), oldestOrder: later(-2) })
    expect(await expiring()).toEqual([0, 0, 0])
    expect(domains).toEqual({ pending: 0, stale: 0, live: 4, drifted: 0, paused: 1 })
  })

  it('the domain figures are all zero without domains', async () => {
    const { certificates, domains } = await readDomainFigures(own.db, now)

    expect(certificates).toMatchObject({ soonestEnd: null, oldestOrder: null })
    expect([await expiring(), Object.values(domains)]).toEqual([
      [0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
  })
})
