import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import acme from 'acme-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type AuthorityProxy, startAuthorityProxy, tooMany } from '../support/authority-proxy.ts'
import {
  type Authority,
  type Certified,
  type Shop,
  startAuthority,
  startCertified,
} from '../support/certified.ts'
import { sendGraphql } from '../support/graphql.ts'
import { until, visit } from '../support/hosting.ts'
import { isPebbleInstalled, type Pebble, startPebble } from '../support/pebble.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const minute = 60_000
const name = 'www.shop.test'
const hmacKey = Buffer.alloc(32, 3).toString('base64url')

describe.skipIf(!canRun)('two certificate authorities', { timeout: 120_000 }, () => {
  let authority: Authority
  let secondPebble: Pebble
  let second: AuthorityProxy
  let certified: Certified
  let shop: Shop
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-authorities-'))

  beforeAll(async () => {
    authority = await startAuthority()
    const { dns, port } = authority
    secondPebble = await startPebble({ dns: dns.at, httpPort: port, externalAccounts: { 'key-2': hmacKey } })
  })
  afterAll(async () => {
    await secondPebble?.stop()
    await authority?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts two processes with both authorities. The second authority requires an account that is bound to a key. */
  beforeEach(async () => {
    second = await startAuthorityProxy(secondPebble)
    certified = await startCertified(authority, { processes: 2, several: together })
    shop = await certified.shop()
  })
  afterEach(async () => {
    acme.axios.defaults.timeout = 15_000
    await certified?.stop()
    await second?.stop()
  })

  function together(first: AuthorityProxy): Record<string, string> {
    const both = [first.env, second.env]
    const caFile = join(folder, 'roots.pem')
    writeFileSync(caFile, both.map(env => readFileSync(env.ACME_CA_FILE ?? '', 'utf8')).join('\n'))
    const urls = both.map(env => env.ACME_DIRECTORY_URL ?? '')
    const { host } = new URL(urls[1] ?? '')
    return {
      ...{ ACME_DIRECTORY_URL: urls.join(','), ACME_CA_FILE: caFile },
      ACME_EAB: `${host}:key-2:${hmacKey}`,
    }
  }

  const first = () => certified.platform.first
  const hostOf = ({ env }: AuthorityProxy) => new URL(env.ACME_DIRECTORY_URL ?? '').host
  const row = () => first().tools.db.certificate.findUniqueOrThrow({ where: { name } })
  const wake = () => {
    for (const { tools } of certified.platform.instances) tools.jobs.wake('domains')
  }
  const messageOf = ({ problem }: { problem: unknown }) =>
    (problem as { message: string } | null)?.message ?? ''
  const refused = () => until(row, now => now.problem !== null && now.leasedUntil === null)
  /**
   * Moves the clock forward to the moment when the service stops asking the authority that refuses, and asks the next
   * one.
   */
  async function endTurn() {
    const { refusedSince, notAfter } = await refused()
    const since = Number(refusedSince)
    const turnMs = notAfter && Number(notAfter) > since ? (Number(notAfter) - since) / 3 : 15 * minute
    certified.clock.advance(since + turnMs - certified.clock.now() + 1)
    wake()
  }
  const issuedBy = (proxy: AuthorityProxy) =>
    until(row, now => now.issuedBy === proxy.env.ACME_DIRECTORY_URL && now.problem === null, 60_000)
  const rootOf = (proxy: AuthorityProxy) => (proxy === second ? secondPebble : authority.pebble).root()
  /** Waits until every process shows visitors a certificate of this authority. */
  async function isServed(proxy: AuthorityProxy) {
    const ca = await rootOf(proxy)
    for (const { httpsPort } of certified.platform.instances) {
      const page = () => visit(`https://${name}:${httpsPort}/`, httpsPort, { ca }).catch(() => null)
      expect((await until(page, answer => answer !== null))?.status).toBe(200)
    }
  }

  type Fault = (proxy: AuthorityProxy) => void | Promise<void>
  const faults: [string, Fault, string, string][] = [
    ['is down', proxy => proxy.stop(), 'ca_unreachable', 'cannot be reached'],
    [
      'never answers an order',
      proxy => {
        acme.axios.defaults.timeout = 3_000
        void proxy.holdAt('newOrder', 'before')
      },
      ...(['ca_unreachable', 'cannot be reached'] as const),
    ],
    [
      'refuses every order',
      proxy =>
        proxy.instead(kind =>
          kind === 'newOrder' ? { status: 403, body: { detail: 'No orders for you.' } } : null,
        ),
      ...(['ca_refused', 'No orders for you.'] as const),
    ],
    [
      'asks to wait for two days',
      proxy => proxy.instead(kind => (kind === 'newOrder' ? tooMany('Two days.', 2 * 86_400) : null)),
      ...(['ca_rate_limited', 'Two days.'] as const),
    ],
    [
      'answers JSON in place of a certificate',
      proxy =>
        proxy.instead(kind =>
          kind === 'certificate' ? { status: 200, body: { detail: 'The signer is away.' } } : null,
        ),
      ...(['ca_refused', 'it answered with no certificate: The signer is away.'] as const),
    ],
    [
      'has a directory without addresses',
      proxy =>
        proxy.instead(kind => (kind === 'directory' ? { status: 200, body: { detail: 'Moved.' } } : null)),
      ...(['ca_refused', 'its directory has no addresses: Moved.'] as const),
    ],
  ]

  test.each(faults)(
    'if the first authority %s, the second one issues, and the domain shows the error and the names of both authorities',
    async (_, fault, code, words) => {
      await fault(certified.proxy)
      await shop.verify(name)

      const failed = await refused()
      const shown = await sendGraphql(
        first().url,
        shop.secret,
        `{ domain(name: "${name}") { certificate certificateDetails { problem { code message } } } }`,
      )
      await endTurn()
      await issuedBy(second)

      expect(failed.problem).toMatchObject({ code })
      for (const part of [
        hostOf(certified.proxy),
        words,
        `the certificate is ordered from ${hostOf(second)} at`,
      ])
        expect(messageOf(failed)).toContain(part)
      const problem = { code, message: messageOf(failed) }
      expect(shown.errors).toEqual([])
      expect(shown.data.domain).toEqual({ certificate: 'failed', certificateDetails: { problem } })
      await isServed(second)
    },
  )

  test('if the first authority refuses a renewal, any process asks the second authority after a third of the remaining life of the certificate', async () => {
    await shop.verify(name)
    const issued = await issuedBy(certified.proxy)
    await isServed(certified.proxy)
    const retired = certified.proxy.count('newOrder')
    certified.proxy.instead(kind => (kind === 'newOrder' ? tooMany('Closed.', 30 * 86_400) : null))

    certified.clock.advance(Number(issued.renewAt) - certified.clock.now() + 1_000)
    wake()
    const failed = await refused()
    // Stop the jobs of the process that saw the refusal, so that another process must continue.
    await first().tools.jobs.close()
    expect(certified.proxy.count('newOrder')).toBe(retired + 1)
    expect(second.count('newOrder')).toBe(0)
    expect(messageOf(failed)).toContain(`${hostOf(certified.proxy)} asks to wait: Closed.`)
    await endTurn()
    const renewed = await issuedBy(second)

    expect(renewed.chain).not.toBe(issued.chain)
    const third = (Number(issued.notAfter) - Number(failed.refusedSince)) / 3
    expect(Number(renewed.issuedAt) - Number(failed.refusedSince)).toBeGreaterThanOrEqual(third)
    expect(certified.clock.now()).toBeLessThan(Number(issued.notAfter))
    await isServed(second)
    // The second authority has issued the certificate, so it is now asked first.
    certified.proxy.instead(() => null)
    const before = second.count('newOrder')
    // Pebble does not follow the test's clock, so its new certificate is already due again.
    certified.clock.advance(Number(renewed.nextStepAt) - certified.clock.now() + 1)
    wake()
    await until(row, now => now.chain !== renewed.chain && now.problem === null)
    expect([second.count('newOrder'), (await row()).issuedBy]).toEqual([
      before + 1,
      second.env.ACME_DIRECTORY_URL,
    ])
  })

  test('while both authorities refuse, the domain shows which is asked next, and the first authority that recovers issues the certificate', async () => {
    for (const proxy of [certified.proxy, second])
      proxy.instead(kind => (kind === 'newOrder' ? { status: 500, body: { detail: 'Broken.' } } : null))
    await shop.verify(name)

    await refused()
    await endTurn()
    const atSecond = await until(row, now => messageOf(now).includes(`${hostOf(second)} failed: Broken.`))
    expect(messageOf(atSecond)).toContain(`the certificate is ordered from ${hostOf(certified.proxy)} at`)
    certified.proxy.instead(() => null)
    await endTurn()
    const waits = await until(row, now =>
      messageOf(now).includes(`${hostOf(certified.proxy)} is asked next.`),
    )
    expect(waits.directoryUrl).toBe(certified.proxy.env.ACME_DIRECTORY_URL)
    certified.clock.advance(Number(waits.nextStepAt) - certified.clock.now() + 1)
    wake()

    await issuedBy(certified.proxy)
    await isServed(certified.proxy)
  })

  test('the error for a refused external account quotes the message of the authority', async () => {
    const { tools } = first()
    for (const one of tools.config.hosting.acme?.authorities ?? []) one.externalAccount = null
    certified.proxy.instead(kind => (kind === 'newOrder' ? { status: 500, body: {} } : null))
    await tools.db.certificate.create({
      data: {
        ...{ name, directoryUrl: second.env.ACME_DIRECTORY_URL ?? '' },
        ...{ wantedSince: new Date(certified.clock.now()), nextStepAt: null },
      },
    })
    for (const { tools: others } of certified.platform.instances.slice(1)) await others.jobs.close()
    await shop.verify(name)

    // On slow cores the second authority may at first answer too late. The service asks it again later.
    const later = async () => {
      const now = await row()
      if (now.problem !== null && now.leasedUntil === null) certified.clock.advance(16 * minute)
      wake()
      return now
    }
    const failed = await until(later, now => /external ?account/i.test(messageOf(now)), 60_000)

    expect(failed.problem).toMatchObject({ code: 'ca_refused' })
    expect(messageOf(failed)).toMatch(/localhost:\d+ refused: .*external ?account/i)
  })
})
