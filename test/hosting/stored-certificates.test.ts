import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { addDomain, removeDomain } from '../../src/core/domains/domains.ts'
import { tidy } from '../../src/jobs/tidy.ts'
import {
  type Authority,
  type Certified,
  type Shop,
  startAuthority,
  startCertified,
  stateOf,
} from '../support/certified.ts'
import { graphqlOf } from '../support/graphql.ts'
import { shakesHands, until, visit } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const name = 'www.shop.test'
const hour = 3_600_000
const day = 24 * hour

describe.skipIf(!canRun)('the stored state of a name', { timeout: 60_000 }, () => {
  let authority: Authority
  let certified: Certified

  beforeAll(async () => {
    authority = await startAuthority()
  })
  afterAll(() => authority?.stop())
  beforeEach(async () => {
    const env = { CERTIFICATE_ORDERS_PER_HOUR: '3', CERTIFICATE_ORDERS_PER_DAY: '5' }
    certified = await startCertified(authority, { processes: 2, env })
  })
  afterEach(() => certified.stop())

  const issued = (which = name) =>
    until(
      () => stateOf(certified, which),
      state => state === 'issued',
    )
  const row = () => certified.platform.first.tools.db.certificate.findUniqueOrThrow({ where: { name } })
  const remove = async ({ project }: Shop, which = name) => {
    const { db, hosting } = certified.platform.first.tools
    await removeDomain(db, hosting, project, which)
    await hosting.hosts.waitUntilForgotten()
  }
  const handshakes = () =>
    Promise.all(
      certified.platform.instances.map(async ({ httpsPort }) => {
        const socket = await shakesHands(name, httpsPort)
        const serial = socket?.getPeerCertificate().serialNumber ?? null
        socket?.destroy()
        return serial
      }),
    )

  const served = () => until(handshakes, serials => !serials.includes(null))

  test('a domain that is added, verified and removed in a loop sends one order', async () => {
    const shop = await certified.shop()
    await shop.verify(name)
    await issued()
    const first = await served()

    for (let round = 0; round < 5; round++) {
      await remove(shop)
      expect(await stateOf(certified, name)).toBe('none')
      await shop.verify(name)
      await issued()
    }

    expect(await served()).toEqual(first)
    expect(certified.proxy.count('newOrder')).toBe(1)
    // The renewal is scheduled again.
    await until(
      row,
      ({ nextStepAt, renewAt }) => nextStepAt !== null && Number(nextStepAt) === Number(renewAt),
    )
  })

  test('the certificate of a removed domain is used for the next project only once that project owns the name', async () => {
    const [owner, stranger] = [await certified.shop(), await certified.shop()]
    const { port } = certified.platform.first
    await owner.verify(name)
    await issued()
    const [serial] = await served()
    await remove(owner)

    const { db, hosting } = certified.platform.first.tools
    await addDomain(db, hosting, stranger.project, { name })
    const answer = await graphqlOf(
      certified.platform.first,
      stranger,
    )(`{ domain(name: "${name}") { certificate certificateDetails { issuer notAfter } } }`)
    expect(answer.data.domain).toEqual({ certificate: 'none', certificateDetails: null })
    expect(await handshakes()).toEqual([null, null])
    expect((await visit(`http://${name}/`, port)).status).toBe(421)

    await stranger.verify(name)
    await issued()
    expect(await served()).toEqual([serial, serial])
    expect(certified.proxy.count('newOrder')).toBe(1)
  })

  test('a name whose validation fails again and again is validated at most four times an hour', async () => {
    await certified.stop()
    certified = await startCertified(authority, { processes: 2 })
    const shop = await certified.shop()
    certified.breakRecords(shop)
    for (let round = 0; round < 7; round++) {
      await shop.verify(name)
      await until(row, now => now.problem !== null && now.leasedUntil === null)
      await remove(shop)
    }

    expect(certified.proxy.count('newOrder')).toBe(4)
    expect((await row()).failedValidations).toHaveLength(4)
  })

  test('the certificate of a removed domain is not renewed, and is deleted after it has expired', async () => {
    const shop = await certified.shop()
    await shop.verify(name)
    await issued()
    await remove(shop)
    const { tools } = certified.platform.first
    const { notAfter } = await row()

    certified.clock.advance(Number(notAfter) - certified.clock.now() - day)
    await tidy(tools.db, certified.clock).run(null, AbortSignal.any([]))
    tools.jobs.wake('domains')
    expect(await row()).toMatchObject({ nextStepAt: null, orderUrl: null })
    certified.clock.advance(2 * day)
    await tidy(tools.db, certified.clock).run(null, AbortSignal.any([]))

    expect(await tools.db.certificate.count()).toBe(0)
    expect(certified.proxy.count('newOrder')).toBe(1)
  })

  test('the limit of orders counts the orders of both processes together, and each project has a limit of its own', async () => {
    const [shop, other] = [await certified.shop(), await certified.shop()]
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => `${letter}.many.test`)
    const { db } = certified.platform.first.tools
    const rows = () => db.certificate.findMany({ where: { name: { in: names } } })
    const missing = async () => (await rows()).filter(one => one.chain === null)
    const bounded = async () =>
      (await missing()).filter(one => JSON.stringify(one.problem)?.includes('too_many_orders'))

    await shop.verify(...names)
    await until(bounded, found => found.length === 3)
    await until(missing, found => found.length === 3)
    expect(certified.proxy.count('newOrder')).toBe(3)
    await other.verify(name)
    await issued()

    certified.clock.advance(11_000)
    const [waiting] = await missing()
    const send = graphqlOf(certified.platform.first, shop)
    const { id } = (await send(`{ domain(name: "${waiting?.name}") { id } }`)).data.domain
    const refused = await send(`mutation { reverifyDomain(id: "${id}") { id } }`)
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'too_many_orders', status: 429 })
    const retryAfterSeconds = refused.errors[0]?.extensions.retryAfterSeconds
    expect(refused.headers['retry-after']).toBe(String(retryAfterSeconds))
    expect(retryAfterSeconds).toBeGreaterThan(3_000)
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600)

    // One hour later, two of the three missing certificates are issued. The last certificate is ordered only on the
    // next day.
    certified.clock.advance(hour)
    await until(missing, found => found.length === 1)
    certified.clock.advance(hour)
    await until(
      bounded,
      found => found.length === 1 && Number(found[0]?.nextStepAt) > certified.clock.now() + 20 * hour,
    )
    certified.clock.advance(day)
    await until(missing, found => found.length === 0)
    expect(
      certified.proxy.sent.filter(({ kind, name }) => kind === 'newOrder' && names.includes(name ?? '')),
    ).toHaveLength(6)
  })
})
