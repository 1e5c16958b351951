import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { certificateProblemOf, wantCertificate } from '../../src/core/certificates/certificates.ts'
import { addDomain, reverifyDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'
import { type AuthorityProxy, type Kind, startAuthorityProxy, tooMany } from '../support/authority-proxy.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { certificateState, makeDeployed, type Platform, startPlatform, until } from '../support/hosting.ts'
import { isPebbleInstalled, type Pebble, startPebble } from '../support/pebble.ts'
import { freePort } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const hour = 3_600_000

describe.skipIf(!canRun)('the certificate orders', { timeout: 60_000 }, () => {
  let dns: NameServer
  let pebble: Pebble
  let port: number

  beforeAll(async () => {
    port = await freePort()
    dns = await startNameServer()
    pebble = await startPebble({ dns: dns.at, httpPort: port })
  })
  afterAll(async () => {
    await pebble?.stop()
    await dns?.stop()
  })

  let proxy: AuthorityProxy
  let platform: Platform
  let clock: MovableClock
  let name: string
  let lines: string[]

  /** Starts a platform without running jobs, and with a verified domain that waits for its certificate. */
  beforeEach(async () => {
    clock = movableClock()
    proxy = await startAuthorityProxy(pebble)
    platform = await startPlatform({ ports: [port], clock, env: { ...proxy.env, DNS_SERVERS: dns.at } })
    const { db, hosting, jobs } = platform.first.tools
    await jobs.close()
    const { project, target } = await makeDeployed(platform)
    name = `www.${project.slug}.test`
    lines = [`${target} A 127.0.0.1`, `${name} CNAME ${target}`]
    dns.setZone(lines)
    await addDomain(db, hosting, project, { name })
    await verifyDomain(db, hosting, project, name)
    again = () => reverifyDomain(db, hosting, project, name)
  })
  afterEach(async () => {
    await platform.stop()
    await proxy.stop()
  })
  let again: () => Promise<unknown>

  const state = () => certificateState(platform.first, name)
  const row = () => platform.first.tools.db.certificate.findUniqueOrThrow({ where: { name } })
  const problem = async () => certificateProblemOf(await row(), clock.now())

  test('one order is sent if ten workers want the certificate at once', async () => {
    const { tools } = platform.first
    const ten = Array.from({ length: 10 }, () =>
      openJobs({
        ...tools.hosting,
        db: tools.db,
        clock,
        log: tools.log,
        metrics: tools.metrics,
        database: tools.database,
        limitNotices: tools.limitNotices,
        changes: tools.changes,
        webhooks: tools.webhooks,
      }),
    )

    for (const jobs of ten) jobs.start()
    await until(state, now => now === 'issued')

    expect(proxy.count('newOrder')).toBe(1)
    expect(proxy.count('newAccount')).toBe(1)
    await Promise.all(ten.map(jobs => jobs.close()))
  })

  const steps: [Kind, 'before' | 'passed'][] = [
    ['directory', 'passed'],
    ['newAccount', 'passed'],
    ['newOrder', 'before'],
    ['newOrder', 'passed'],
    ['authorization', 'passed'],
    ['challenge', 'before'],
    ['challenge', 'passed'],
    ['finalize', 'before'],
    ['finalize', 'passed'],
    ['certificate', 'passed'],
  ]
  test.each(steps)(
    'an order continues in another process when its process is killed at %s (%s)',
    async (kind, when) => {
      const { tools } = platform.first
      const reached = proxy.holdAt(kind, when)
      const { databaseUrl, hosting } = tools.config
      const doomed = await startProcess({
        ...proxy.env,
        DATABASE_URL: databaseUrl ?? '',
        SECRETS_KEY: hosting.secretsKeys?.[0]?.toString('base64') ?? '',
        DNS_SERVERS: dns.at,
      })
      await doomed.printed(answersAt)
      await reached
      doomed.child.kill('SIGKILL')
      await doomed.ended
      proxy.release()

      clock.advance(130_000)
      tools.jobs.start()
      // An order that has rested for two minutes is polled every half minute.
      const goOn = () => {
        clock.advance(250)
        tools.jobs.wake('domains')
        return state()
      }
      await until(goOn, now => now === 'issued')

      expect(proxy.count('newOrder')).toBeLessThanOrEqual(2)
      expect(await tools.db.certificate.count()).toBe(1)
      expect((await row()).orderUrl).toBeNull()
    },
    60_000,
  )

  test('an order is not sent while the authority asks to wait, and is sent when the pause is over', async () => {
    const { db, jobs } = platform.first.tools
    const retryAt = clock.now() + hour
    proxy.instead(kind =>
      kind === 'newOrder' && clock.now() < retryAt ? tooMany('too many orders', hour / 1000) : null,
    )
    jobs.start()
    await until(problem, now => now?.code === 'ca_rate_limited')
    const { attempts } = await row()
    const before = proxy.sent.length

    // Move to 30 s before `retryAt`. The pause ends a moment after `retryAt`, because the rejection came after the test
    // read the clock.
    clock.moveTo(new Date(retryAt - 30_000).toISOString())
    await wantCertificate(db, new Date(clock.now()), name)
    jobs.wake('domains')
    await until(row, now => now.attempts > attempts && now.leasedUntil === null)
    expect(proxy.sent.length).toBe(before)
    expect(await problem()).toMatchObject({ code: 'ca_rate_limited' })

    clock.advance(60_000)
    jobs.wake('domains')
    await until(state, now => now === 'issued')
  })

  test('an order that the authority cannot validate is repeated at growing intervals, at most four times an hour', async () => {
    dns.setZone([...lines.slice(1), `${lines[0]?.split(' ')[0]} A 127.0.0.99`])
    const { jobs } = platform.first.tools
    jobs.start()

    for (let minute = 0; minute < 55; minute++) {
      clock.advance(60_000)
      jobs.wake('domains')
      await until(row, now => (now.nextStepAt ?? 0) > new Date(clock.now()) && now.leasedUntil === null)
    }
    expect(await state()).toBe('failed')
    expect(await problem()).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('Re-verify'),
    })
    expect(proxy.count('newOrder')).toBe(4)

    dns.setZone(lines)
    clock.advance(hour)
    await again()
    jobs.wake('domains')
    await until(state, now => now === 'issued')
    expect(await problem()).toBeNull()
  }, 60_000)

  test('an order for an unreachable authority is repeated at growing intervals of at most some hours', async () => {
    const { jobs } = platform.first.tools
    proxy.instead(() => ({ status: 500, body: {} }))
    jobs.start()
    const distances: number[] = []
    for (let attempt = 1; attempt <= 14; attempt++) {
      clock.advance(distances.at(-1) ?? 0)
      jobs.wake('domains')
      const { nextStepAt } = await until(row, now => now.attempts === attempt && now.leasedUntil === null)
      distances.push(Number(nextStepAt) - clock.now())
    }
    expect(await problem()).toMatchObject({ code: 'ca_unreachable' })
    const growing = distances.slice(0, 9)
    expect(growing).toEqual(growing.toSorted((one, other) => one - other))
    expect(Math.max(...distances)).toBeLessThan(8 * hour)
    expect(Math.min(...distances.slice(11))).toBeGreaterThan(4 * hour)

    proxy.instead(() => null)
    clock.advance(distances.at(-1) ?? 0)
    jobs.wake('domains')
    await until(state, now => now === 'issued')
  })

  test('an order is not sent if CAA names other authorities, and the record is shown', async () => {
    proxy.directory(directory => {
      directory.meta = { caaIdentities: ['pebble.test'] }
    })
    dns.setZone([...lines, `${name.replace('www.', '')} CAA 0 issue "other.test"`])
    platform.first.tools.jobs.start()

    await until(problem, now => now?.code === 'caa_blocks')
    expect(await problem()).toMatchObject({ record: { type: 'CAA', value: '0 issue "other.test"' } })
    expect(proxy.count('newOrder')).toBe(0)

    dns.setZone([...lines, `${name.replace('www.', '')} CAA 0 issue "pebble.test"`])
    clock.advance(60_000)
    await again()
    await until(state, now => now === 'issued')
  })

  test('an order for a renewal is sent when the authority suggests it, and names the old certificate', async () => {
    let window = { start: new Date(Date.now() + 30 * 24 * hour), end: new Date(Date.now() + 31 * 24 * hour) }
    proxy.directory((directory, url) => {
      directory.renewalInfo = `${url}/renewal`
    })
    proxy.instead(kind =>
      kind === 'renewalInfo'
        ? { status: 200, headers: { 'Retry-After': '21600' }, body: { suggestedWindow: window } }
        : null,
    )
    platform.first.tools.jobs.start()
    await until(state, now => now === 'issued')
    const first = await row()
    expect(first.renewAt?.getTime()).toBeGreaterThanOrEqual(window.start.getTime())

    window = { start: new Date(Date.now() - 2 * hour), end: new Date(Date.now() - hour) }
    const countBefore = proxy.count('renewalInfo')
    clock.advance(7 * hour)
    await until(
      async () => proxy.count('renewalInfo'),
      count => count > countBefore,
    )
    // The authority now suggests a renewal in the past. Because the certificate is new, this can only be an error of
    // the authority's clock, so no order is sent.
    await until(row, now => now.leasedUntil === null && Number(now.nextStepAt) > clock.now())
    expect(await row()).toMatchObject({ chain: first.chain, problem: null })
    clock.advance((Number(first.notAfter) - Number(first.notBefore)) / 10)
    const second = await until(row, now => now.chain !== first.chain)

    expect(proxy.count('newOrder')).toBe(2)
    expect(second.problem).toBeNull()
  })

  test('an order for a renewal is sent with a third of the lifetime left if the authority suggests no time', async () => {
    platform.first.tools.jobs.start()
    await until(state, now => now === 'issued')
    const { notBefore, notAfter, renewAt, chain } = await row()
    const life = Number(notAfter) - Number(notBefore)
    expect(Number(notAfter) - Number(renewAt)).toBeCloseTo(life / 3, -3)

    clock.advance(Number(renewAt) - clock.now() + 1_000)
    await until(row, now => now.chain !== chain)
    expect(proxy.count('newOrder')).toBe(2)
  })

  test('an order leaves no plain-text key in the database', async () => {
    platform.first.tools.jobs.start()
    await until(state, now => now === 'issued')

    const dump = JSON.stringify([await row(), await platform.first.tools.db.acmeAccount.findMany()])
    expect(dump).toContain('BEGIN CERTIFICATE')
    expect(dump).not.toContain('PRIVATE')
    const bytes = (await row()).sealedKey ?? new Uint8Array()
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('PRIVATE')
  })
})
