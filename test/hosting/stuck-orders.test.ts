import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { certificateProblemOf } from '../../src/core/certificates/certificates.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import {
  type Authority,
  type Certified,
  type Shop,
  startAuthority,
  startCertified,
  stateOf,
} from '../support/certified.ts'
import { until } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const minute = 60_000

describe.skipIf(!canRun)('orders that the authority leaves in processing', { timeout: 60_000 }, () => {
  let authority: Authority
  let certified: Certified
  let shop: Shop
  const name = 'www.stuck.test'

  beforeAll(async () => {
    authority = await startAuthority()
  })
  afterAll(() => authority?.stop())

  /** Starts two processes, and an authority that never finishes the first order. */
  beforeEach(async () => {
    certified = await startCertified(authority, { processes: 2 })
    const idOf = (path: string) => path.split('/').at(-1)
    let stuck: string | undefined
    certified.proxy.instead((kind, path) => {
      if (kind === 'finalize') stuck ??= idOf(path)
      if (!['finalize', 'order'].includes(kind) || idOf(path) !== stuck) return null
      const body = {
        status: 'processing',
        identifiers: [],
        authorizations: [],
        finalize: 'https://none.test/',
      }
      return { status: 200, body }
    })
    shop = await certified.shop()
    await shop.verify(name)
    await until(row, now => now.orderUrl !== null && certified.proxy.count('finalize') === 1)
  })
  afterEach(() => certified.stop())

  const row = () => certified.platform.first.tools.db.certificate.findUniqueOrThrow({ where: { name } })
  const issued = () =>
    until(
      () => stateOf(certified, name),
      state => state === 'issued',
    )

  test('an order that hangs is replaced by a new order when the owner chooses Re-verify, whichever process has leased the order', async () => {
    const { orderUrl } = await row()

    await shop.reverify(name)
    await issued()

    expect(certified.proxy.count('newOrder')).toBe(2)
    expect(await row()).toMatchObject({ orderUrl: null, orderedAt: null, problem: null })
    expect(orderUrl).not.toBeNull()
  })

  test('an order that hangs is abandoned after an hour, and a new one follows', async () => {
    certified.clock.advance(59 * minute)
    expect(await row()).toMatchObject({ problem: null })

    // Stop the jobs of all processes, and start other jobs, which notice that the order has taken too long.
    for (const { tools } of certified.platform.instances) await tools.jobs.close()
    certified.clock.advance(4 * minute)
    const { tools } = certified.platform.first
    const jobs = openJobs({ ...tools.hosting, ...tools })
    jobs.start()
    const problem = certificateProblemOf(await until(row, now => now.problem !== null), certified.clock.now())
    expect(problem).toMatchObject({
      code: 'overdue',
      message: expect.stringContaining('a new order follows'),
    })
    expect(certified.proxy.count('newOrder')).toBe(1)
    certified.clock.advance(minute)
    jobs.wake('domains')
    await issued()

    expect(certified.proxy.count('newOrder')).toBe(2)
    await jobs.close()
  })

  test('an order that hangs does not block other orders, because after a while it is checked only rarely and briefly', async () => {
    for (const { tools } of certified.platform.instances) await tools.jobs.close()
    certified.clock.advance(12 * minute)
    const before = certified.proxy.count('order')
    const { tools } = certified.platform.first
    const jobs = openJobs({ ...tools.hosting, ...tools })
    jobs.start()

    const { nextStepAt } = await until(
      row,
      now => now.leasedUntil === null && Number(now.nextStepAt) > certified.clock.now(),
    )

    expect(certified.proxy.count('order')).toBeGreaterThan(before)
    expect(certified.proxy.count('newOrder')).toBe(1)
    expect(Number(nextStepAt) - certified.clock.now()).toBeGreaterThan(2 * minute)
    await jobs.close()
  })
})
