import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { CertificateProblem } from '../../src/core/certificates/certificates.ts'
import { tooMany } from '../support/authority-proxy.ts'
import {
  type Authority,
  type Certified,
  startAuthority,
  startCertified,
  stateOf,
} from '../support/certified.ts'
import { until } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const OPERATOR_KEY = 'operator-of-the-tests-0123456789abcdef'
const minute = 60_000

describe.skipIf(!canRun)('pauses that the authority asks for', { timeout: 60_000 }, () => {
  let authority: Authority
  let certified: Certified

  beforeAll(async () => {
    authority = await startAuthority()
  })
  afterAll(() => authority?.stop())
  beforeEach(async () => {
    certified = await startCertified(authority, { env: { OPERATOR_KEY } })
  })
  afterEach(() => certified.stop())

  const problemOf = async (name: string) => {
    const { db } = certified.platform.first.tools
    return (await db.certificate.findUnique({ where: { name } }))?.problem as CertificateProblem | null
  }
  const waits = (name: string) =>
    until(
      () => problemOf(name),
      problem => problem?.code === 'ca_rate_limited',
    )
  const issued = (name: string) =>
    until(
      () => stateOf(certified, name),
      state => state === 'issued',
    )
  /** Lets both processes run all due jobs twice. */
  const bothHaveLooked = async () => {
    const { db } = certified.platform.first.tools
    const now = new Date(certified.clock.now())
    await db.certificate.updateMany({ where: { chain: null }, data: { nextStepAt: now } })
    await until(
      () => db.certificate.findMany({ where: { chain: null } }),
      rows => rows.every(row => row.leasedUntil === null && Number(row.nextStepAt) > Number(now)),
    )
  }

  test('a pause for one name delays no other names in any process', async () => {
    await certified.startAnother()
    const [hostile, shop] = [await certified.shop(), await certified.shop()]
    certified.proxy.instead((kind, _path, name) =>
      kind === 'newOrder' && name === 'www.loop.test' ? tooMany('Too many orders lately.', 86_400) : null,
    )

    await hostile.verify('www.loop.test')
    const problem = await waits('www.loop.test')
    await shop.verify('www.shop.test', 'www.zoo.test')
    await hostile.verify('www.elsewhere.test')
    await Promise.all(['www.shop.test', 'www.zoo.test', 'www.elsewhere.test'].map(issued))
    await bothHaveLooked()
    await bothHaveLooked()

    expect(problem?.message).toContain('Too many orders lately')
    expect(certified.proxy.count('newOrder', 'www.loop.test')).toBe(1)
  })

  test.each([
    [
      'a registered domain',
      'too many certificates (50) already issued for "corp.test" in the last 168h0m0s',
      false,
    ],
    ['a name', 'too many failed authorizations (5) for "www.corp.test" in the last 1h0m0s', true],
    [
      'the names of an order',
      'too many certificates (5) already issued for this exact set of identifiers',
      true,
    ],
  ])(
    'if the authority asks for a pause of %s, only the names that the pause covers are delayed',
    async (_what, detail, siblingIsIssued) => {
      const [corp, shop] = [await certified.shop(), await certified.shop()]
      certified.proxy.instead((kind, _path, name) =>
        kind === 'newOrder' && ['www.corp.test', 'www.other.test'].includes(name ?? '')
          ? tooMany(detail.replace('corp', name?.split('.')[1] ?? ''))
          : null,
      )

      await corp.verify('www.corp.test')
      await waits('www.corp.test')
      await shop.verify('www.other.test')
      await waits('www.other.test')
      await corp.verify('api.corp.test')
      await shop.verify('www.shop.test')
      await issued('www.shop.test')

      if (siblingIsIssued) await issued('api.corp.test')
      else await waits('api.corp.test')
      expect(certified.proxy.count('newOrder', 'api.corp.test')).toBe(siblingIsIssued ? 1 : 0)
    },
  )

  test('after pauses of two names below a registered domain, other names below that domain wait, with a message without the text of the authority', async () => {
    const shop = await certified.shop()
    certified.proxy.instead((kind, _path, name) =>
      kind === 'newOrder' && /^(a|b)\.corp\.test$/.test(name ?? '') ? tooMany('Slow down.') : null,
    )

    await shop.verify('a.corp.test', 'b.corp.test')
    await Promise.all([waits('a.corp.test'), waits('b.corp.test')])
    await shop.verify('c.corp.test', 'www.shop.test')
    await issued('www.shop.test')

    expect((await waits('c.corp.test'))?.message).toMatch(
      /^The certificate authority localhost:\d+ asked to wait\.$/,
    )
    expect(certified.proxy.count('newOrder', 'c.corp.test')).toBe(0)
  })

  test('a pause for names of several projects stops all orders in every process until the operator resumes', async () => {
    await certified.startAnother()
    const shops = [await certified.shop(), await certified.shop(), await certified.shop()]
    let refuses = true
    certified.proxy.instead(kind => (kind === 'newOrder' && refuses ? tooMany('Slow down.', 604_800) : null))
    // Two refused names of one project must not pause the orders of other projects.
    await shops[0]?.verify('www.one.test', 'www.uno.test')
    await Promise.all([waits('www.one.test'), waits('www.uno.test')])
    await shops[1]?.verify('www.two.test')
    await waits('www.two.test')
    expect(certified.proxy.count('newOrder', 'www.two.test')).toBe(1)

    const sent = certified.proxy.sent.length
    await shops[2]?.verify('www.three.test')
    await waits('www.three.test')
    await bothHaveLooked()
    expect(certified.proxy.sent.length).toBe(sent)

    refuses = false
    // Stop the jobs of the process that gets the command, so that the other process must continue without a
    // notification.
    await certified.platform.first.tools.jobs.close()
    const { stdout } = await resume(OPERATOR_KEY)
    expect(JSON.parse(stdout)).toEqual({ pauses: 4, certificates: 4 })
    await Promise.all(['www.one.test', 'www.uno.test', 'www.two.test', 'www.three.test'].map(issued))
    expect(JSON.parse((await resume(OPERATOR_KEY)).stdout)).toEqual({ pauses: 0, certificates: 0 })
  })

  test('only the operator may end a pause', async () => {
    const shop = await certified.shop()

    await expect(resume(shop.secret)).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('operator'),
    })
  })

  const resume = (key: string) => {
    const env = {
      PATH: process.env.PATH,
      ANIMAL_STORE_URL: certified.platform.first.url,
      ANIMAL_STORE_KEY: key,
    }
    const args = ['src/cli/bin.js', 'certificates', 'resume', '--json']
    return promisify(execFile)(process.execPath, args, { env })
  }

  test('a pause that the authority asks for when its directory is read stops all requests until the pause ends', async () => {
    const [one, other] = [await certified.shop(), await certified.shop()]
    certified.proxy.instead(kind => (kind === 'directory' ? { ...tooMany(''), status: 503 } : null))
    await one.verify('www.one.test')
    await waits('www.one.test')
    await other.verify('www.two.test')
    await waits('www.two.test')
    expect(certified.proxy.sent).toHaveLength(1)

    certified.proxy.instead(() => null)
    certified.clock.advance(120 * minute)
    await Promise.all([issued('www.one.test'), issued('www.two.test')])
  })

  test('a pause that ends later than any possible date is shortened to a month', async () => {
    const shop = await certified.shop()
    certified.proxy.instead(kind => (kind === 'newOrder' ? tooMany('Never again.', 10 ** 20) : null))

    await shop.verify('www.shop.test')
    await waits('www.shop.test')

    const { db } = certified.platform.first.tools
    const [pause] = await db.acmePause.findMany()
    expect(Number(pause?.until) - certified.clock.now()).toBeLessThanOrEqual(30 * 24 * 60 * minute)
  })
})
