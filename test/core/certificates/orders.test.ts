import { describe, expect, it } from 'vitest'
import { forgetOldCertificateOrders, requireOrder, takeOrder } from '../../../src/core/certificates/orders.ts'
import type { Project } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const hour = 3_600_000
const day = 24 * hour
const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const bounds = { perHour: 3, perDay: 5 }

describe.skipIf(!canRace())('orders for certificates', () => {
  const own = prepareOwnDatabase()
  let rounds = 0

  /** Makes a project that has proven a name. */
  async function makeShop(): Promise<{ project: Project; name: string }> {
    const project = await own.makeProject()
    const name = `www.shop-${++rounds}.test`
    await own.giveDomain(project, name)
    return { project, name }
  }
  const take = (name: string, at = now, most = bounds) => takeOrder(own.db, at, most, name)
  const outcomes = async (attempts: Promise<{ outcome: string }>[]) =>
    (await Promise.all(attempts)).map(({ outcome }) => outcome).toSorted()

  it('ten concurrent orders stop at the limit of their project, and another project has its own limit', async () => {
    const [shop, zoo] = [await makeShop(), await makeShop()]

    const taken = await outcomes(Array.from({ length: 10 }, () => take(shop.name)))

    expect(taken).toEqual([...Array(7).fill('bounded'), ...Array(3).fill('taken')])
    expect(await own.db.certificateOrder.count({ where: { projectId: shop.project.id } })).toBe(3)
    expect(await take(zoo.name)).toMatchObject({ outcome: 'taken' })
    expect(await take('www.nobody.test')).toEqual({ outcome: 'unwanted' })
  })

  it('an order counts towards the hourly limit for exactly an hour, and towards the daily limit for exactly a day', async () => {
    const { name } = await makeShop()
    for (const at of [0, 10, 20]) await take(name, later(at))

    const messageOf = (most: number, within: string, at: Date) =>
      `The project has sent ${most} orders for certificates within ${within}, which is the most; the next one can be sent at ${at.toISOString()}.`
    expect(await take(name, later(hour - 1))).toEqual({
      ...{ outcome: 'bounded', nextAt: later(hour) },
      message: messageOf(3, 'an hour', later(hour)),
    })
    expect(await outcomes([take(name, later(hour))])).toEqual(['taken'])
    expect(await outcomes([take(name, later(hour + 10))])).toEqual(['taken'])
    // Five orders were taken within the day, so the next one is allowed a day after the first one.
    expect(await take(name, later(2 * hour + 20))).toEqual({
      ...{ outcome: 'bounded', nextAt: later(day) },
      message: messageOf(5, 'a day', later(day)),
    })
    expect(await take(name, later(day - 1))).toMatchObject({ outcome: 'bounded', nextAt: later(day) })
    expect(await outcomes([take(name, later(day))])).toEqual(['taken'])
  })

  it('if the hourly and the daily limit are both reached, the next order waits for the later reset', async () => {
    const { name } = await makeShop()
    const both = { perHour: 1, perDay: 1 }
    await take(name, now, both)

    expect(await take(name, later(1), both)).toMatchObject({
      outcome: 'bounded',
      nextAt: later(day),
      message: expect.stringContaining('within a day'),
    })
  })

  it('a certificate order that was never sent does not count towards the limit', async () => {
    const { name } = await makeShop()
    const taken = [await take(name), await take(name), await take(name)]

    const [first] = taken
    if (first?.outcome === 'taken') await first.giveBack()

    expect(await outcomes([take(name)])).toEqual(['taken'])
    expect(await outcomes([take(name)])).toEqual(['bounded'])
  })

  it('a refused order names the time of the next allowed order, and a valid certificate needs no order', async () => {
    const { project, name } = await makeShop()
    const certificate = { name, wantedSince: now, chain: 'chain', notBefore: now, notAfter: later(90 * day) }
    const require = () => requireOrder(own.db, later(1_000), bounds, project.id, name)
    await require()
    for (const at of [0, 1, 2]) await take(name, later(at))

    await expect(require()).rejects.toMatchObject({ code: 'too_many_orders', retryAfterSeconds: 3_599 })
    for (const [ms, retryAfterSeconds] of [
      [1, 1],
      [1_001, 2],
    ] as const)
      await expect(requireOrder(own.db, later(hour - ms), bounds, project.id, name)).rejects.toMatchObject({
        retryAfterSeconds,
        message: expect.stringContaining('can be sent at 2026-06-01T13:00:00.000Z.'),
      })
    await own.db.certificate.create({ data: certificate })
    await require()
    await own.db.certificate.update({ where: { name }, data: { unreadableSince: now } })
    await expect(require()).rejects.toMatchObject({ code: 'too_many_orders' })
  })

  it('the clean-up deletes orders that are eight days old, and certificates that are not used any more', async () => {
    const { name } = await makeShop()
    await take(name)
    const ended = { wantedSince: now, notAfter: later(day) }
    await own.db.certificate.createMany({
      data: [
        { name, ...ended },
        { name: 'www.gone.test', ...ended },
        { name: 'www.ends-now.test', ...ended, notAfter: later(8 * day) },
        { name: 'www.never-issued.test', wantedSince: now },
        { name: 'www.renewing.test', ...ended, nextStepAt: later(day) },
        { name: 'www.valid.test', wantedSince: now, notAfter: later(90 * day) },
        { name: 'www.counted.test', ...ended },
      ],
    })
    const { projectId } = await own.db.certificateOrder.findFirstOrThrow({ where: { name } })
    await own.db.certificateOrder.create({
      data: { projectId, name: 'www.counted.test', orderedAt: later(2 * day) },
    })
    const left = async () => [
      await own.db.certificateOrder.count({ where: { projectId } }),
      (await own.db.certificate.findMany({ where: { chain: null }, orderBy: { name: 'asc' } })).map(
        row => row.name,
      ),
    ]
    const stored = ['www.counted.test', 'www.renewing.test', name, 'www.valid.test']

    await forgetOldCertificateOrders(own.db, later(8 * day - 1))
    expect(await left()).toEqual([2, [stored[0], 'www.ends-now.test', ...stored.slice(1)]])
    await forgetOldCertificateOrders(own.db, later(8 * day))
    expect(await left()).toEqual([1, stored])
    await forgetOldCertificateOrders(own.db, later(10 * day))
    expect(await left()).toEqual([0, stored.slice(1)])
  })
})
