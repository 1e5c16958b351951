import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type Authority, type Certified, startAuthority, startCertified } from '../support/certified.ts'
import { movableClock } from '../support/clock.ts'
import { furnishDomains, furnished } from '../support/domain-states.ts'
import { until } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp } from '../support/start-app.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const day = 86_400

/** Reads the metrics that Prometheus scrapes. */
async function readMetrics(opsPort: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  const lines = text.split('\n').filter(line => line.startsWith('animal_store_'))
  return Object.fromEntries(lines.map(line => [line.replace(/ [^ ]+$/, ''), Number(line.split(' ').at(-1))]))
}

test('the metrics show the domains in each state, the earliest expiry of a certificate and the age of the oldest order', async () => {
  const opsPort = await freePort()
  const clock = movableClock()
  const app = await startApp({ clock, env: { OPS_PORT: String(opsPort) } })
  const { project } = await app.makeProject({ plan: 'pro' })
  expect(await readMetrics(opsPort)).toMatchObject({
    'animal_store_domains{state="live"}': 0,
    'animal_store_certificates_expiring{within_days="30"}': 0,
    animal_store_certificate_order_age_seconds: 0,
  })

  await furnishDomains(app.tools, project)
  const { db } = app.tools
  const soon = new Date(clock.now() + 5 * day * 1000)
  await db.certificate.update({ where: { name: 'www.paws.example' }, data: { notAfter: soon } })
  const ordered = { orderUrl: 'https://ca.example/order/1', orderedAt: new Date(clock.now()) }
  await db.certificate.update({ where: { name: 'soon.paws.example' }, data: ordered })
  clock.advance(60_000)

  const inState = (wanted: string) => furnished.filter(({ state }) => state === wanted).length
  const certified = furnished.filter(({ certificate }) => ['issued', 'expiring'].includes(certificate ?? ''))
  const metrics = await readMetrics(opsPort)
  for (const state of ['pending', 'stale', 'live', 'drifted']) {
    expect(metrics[`animal_store_domains{state="${state}"}`], state).toBe(inState(state))
  }
  expect(metrics).toMatchObject({
    'animal_store_domains{state="paused"}': 0,
    'animal_store_certificates_expiring{within_days="7"}': 1,
    'animal_store_certificates_expiring{within_days="14"}': 1,
    'animal_store_certificates_expiring{within_days="30"}': certified.length,
  })
  expect(metrics.animal_store_certificate_order_age_seconds).toBeGreaterThanOrEqual(60)
  expect(metrics.animal_store_certificate_order_age_seconds).toBeLessThan(120)
  expect(metrics.animal_store_certificate_expires_seconds).toBeLessThanOrEqual(5 * day - 60)
  expect(metrics.animal_store_certificate_expires_seconds).toBeGreaterThan(5 * day - 120)

  const grace = { planName: 'free', domainsGraceEndsAt: new Date(clock.now()) }
  await db.project.update({ where: { id: project.id }, data: grace })
  clock.advance(60_000)
  const letGo = await readMetrics(opsPort)
  expect(letGo['animal_store_domains{state="paused"}']).toBe(inState('live') + inState('drifted'))
  expect(letGo['animal_store_certificates_expiring{within_days="30"}']).toBe(0)
  expect(letGo).not.toHaveProperty('animal_store_certificate_expires_seconds')
  await app.stop()
})

describe('metrics that cannot be read', () => {
  let app: App
  const clock = movableClock()
  let opsPort: number
  beforeAll(async () => {
    opsPort = await freePort()
    app = await startApp({ clock, env: { OPS_PORT: String(opsPort) } })
  })
  afterAll(() => app.stop())

  const ofDomains = 'animal_store_domains{state="live"}'
  const ofJobs = 'animal_store_jobs_due{job="domain_look"}'
  const missing = (table: string) => [`${table} RENAME TO mislaid`, `mislaid RENAME TO ${table}`] as const
  // Returns two changes of a table. The first change gives a column another type, so that statements fail. The second
  // change restores the type. A restore of the database never changes the type of a column, so the service logs such a
  // failed statement as a bug. During a restore a table may be missing, so the service does not log a statement that
  // fails because of a missing table as an error.
  const mistyped = (table: string, column: string) =>
    [
      `${table} ALTER COLUMN ${column} TYPE interval USING ${column} - timestamptz 'epoch'`,
      `${table} ALTER COLUMN ${column} TYPE timestamptz(3) USING timestamptz 'epoch' + ${column}`,
    ] as const
  test.each<[string, string, readonly [string, string], string[]]>([
    ['domains while the database cannot serve', ofDomains, missing('domains'), []],
    ['jobs while the database cannot serve', ofJobs, missing('certificates'), []],
    [
      'domains because of a bug',
      ofDomains,
      mistyped('certificates', 'not_after'),
      ['the domains cannot be counted'],
    ],
    [
      'jobs because of a bug',
      ofJobs,
      mistyped('domains', 'next_look_at'),
      ['the due jobs and the webhook endpoints cannot be counted'],
    ],
  ])(
    'a metric is left out while it cannot be read: %s',
    async (_what, metric, [breakIt, mendIt], expected) => {
      const errors = vi.spyOn(app.tools.log, 'error').mockImplementation(() => {})
      const alter = (what: string) => app.tools.db.$executeRawUnsafe(`ALTER TABLE ${what}`)
      clock.advance(31_000)
      expect(await readMetrics(opsPort)).toHaveProperty([metric])
      clock.advance(31_000)

      await alter(breakIt)
      const without = await readMetrics(opsPort)
      await alter(mendIt)
      // The metric is back at once, not only after its cached value expires.
      const again = await readMetrics(opsPort)

      expect(without).toHaveProperty('animal_store_usage_backlog')
      expect(without).not.toHaveProperty([metric])
      expect(again).toHaveProperty([metric])
      const counting = errors.mock.calls.map(([, said]) => said).filter(said => /counted$/.test(String(said)))
      expect(counting).toEqual(expected)
      errors.mockRestore()
    },
  )
})

describe.skipIf(!canRun)('a rejection by the authority', { timeout: 60_000 }, () => {
  let authority: Authority
  let certified: Certified

  beforeAll(async () => {
    authority = await startAuthority()
  })
  afterAll(() => authority?.stop())
  beforeEach(async () => {
    certified = await startCertified(authority)
    await certified.platform.first.tools.jobs.close()
  })
  afterEach(() => certified?.stop())

  test("a rejection by the authority causes one log line with the name and the authority's text, and is counted by its code", async () => {
    const opsPort = await freePort()
    let refused = 0
    certified.proxy.instead(kind => {
      if (kind !== 'newOrder' || refused > 0) return null
      refused++
      const body = { type: 'urn:ietf:params:acme:error:rejectedIdentifier', detail: 'Not this\none.' }
      return { status: 400, body }
    })
    const shop = await certified.shop()
    await shop.verify('www.refused.test')
    const other = await certified.startAnother({ OPS_PORT: String(opsPort) })

    const [line = ''] = await other.printed(/^.*the certificate authority refused.*$/m)

    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      name: 'www.refused.test',
      code: 'ca_refused',
      reason: expect.stringContaining('Not this one.'),
    })
    const metrics = await readMetrics(opsPort)
    expect(metrics['animal_store_authority_refusals_total{code="ca_refused"}']).toBe(1)
    expect(metrics['animal_store_authority_refusals_total{code="ca_rate_limited"}']).toBe(0)
  })

  test('a rejection is not logged again while the authority is paused', async () => {
    const opsPort = await freePort()
    certified.proxy.instead(kind => {
      if (kind !== 'newOrder') return null
      const body = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many new orders recently' }
      return { status: 429, headers: { 'retry-after': '3600' }, body }
    })
    const shop = await certified.shop()
    await shop.verify('www.limited.test')
    const { db } = certified.platform.first.tools
    const other = await certified.startAnother({ OPS_PORT: String(opsPort) })
    await other.printed(/the certificate authority refused/)
    const before = certified.proxy.count('newOrder')
    const waiting = () => db.certificate.findUniqueOrThrow({ where: { name: 'www.limited.test' } })
    await until(waiting, ({ attempts, leasedUntil }) => attempts === 1 && leasedUntil === null)

    await db.certificate.update({
      where: { name: 'www.limited.test' },
      data: { nextStepAt: new Date(certified.clock.now()) },
    })

    await until(
      waiting,
      ({ nextStepAt, leasedUntil }) => leasedUntil === null && Number(nextStepAt) > certified.clock.now(),
    )
    expect(certified.proxy.count('newOrder')).toBe(before)
    const metrics = await readMetrics(opsPort)
    expect(metrics['animal_store_authority_refusals_total{code="ca_rate_limited"}']).toBe(1)
    expect(other.output().match(/the certificate authority refused/g)).toHaveLength(1)
  })
})
