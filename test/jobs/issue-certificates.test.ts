import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import type { Certificate, Project } from '../../src/generated/prisma/client.ts'
import {
  AuthorityRefusal,
  type CertificateAuthority,
  KeptPause,
  type OrderStep,
} from '../../src/hosting/certificate-authority.ts'
import type { Dns } from '../../src/hosting/dns.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { openSeal } from '../../src/hosting/own-seal.ts'
import { certificateLabel, makeSeal } from '../../src/hosting/sealing.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { claimDueCertificates } from '../../src/jobs/certificate-lease.ts'
import { issueCertificate } from '../../src/jobs/issue-certificates.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { canRace, type OwnDatabase, openOwnDatabase } from '../support/open-database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const secretsKey = Buffer.alloc(32, 7)
const seal = makeSeal([secretsKey])
const noRecords: Dns = {
  resolve: async () => ({ reached: true, records: [] }),
  askZone: async () => ({ reached: true, records: [] }),
  findNameServers: async () => [],
}

describe.skipIf(!canRace())('a certificate that is due', () => {
  let own: OwnDatabase
  let project: Project
  let root: string
  let clock: MovableClock
  let name: string
  let rounds = 0
  const log = openLog('silent')
  const warnings = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const errors = vi.spyOn(log, 'error').mockImplementation(() => {})
  beforeAll(async () => {
    own = await openOwnDatabase()
    root = await makeRoot(movableClock())
  })
  afterAll(() => own?.close())
  beforeEach(async () => {
    clock = movableClock()
    await own.db.certificate.deleteMany()
    name = `www.shop-${++rounds}.test`
    project = await own.makeProject()
    await own.giveDomain(project, name)
    warnings.mockClear()
    errors.mockClear()
  })

  const row = () => own.db.certificate.findUniqueOrThrow({ where: { name } })
  const at = (ms: number) => new Date(clock.now() + ms)
  const want = (data: Partial<Certificate> = {}) =>
    own.db.certificate.create({ data: { name, wantedSince: at(0), nextStepAt: at(0), ...data } as never })
  const sealedOrderKey = async () =>
    seal.close((await acme.crypto.createPrivateEcdsaKey()).toString(), certificateLabel(name))
  const sign = (csr: Buffer, of = name) => signLeaf(root, of, csr, clock)

  /** The authority stands at the border: what it answers is the test's, all else is the service's own. */
  async function issue(authority: Partial<CertificateAuthority> = {}, signal = new AbortController().signal) {
    const metrics = openMetrics()
    const tools = {
      ...{ db: own.db, clock, log, metrics, dns: noRecords },
      seal: openSeal(own.db, givenKeys([secretsKey]), log),
      database: { outage: openOutage(), run: own.database.run },
      orderBounds: { perHour: 3, perDay: 5 },
      authority: {
        root: null,
        issuer: async () => ({ identities: [], accountUrl: null }),
        startOrder: async () => 'https://ca.test/order/1',
        adviseRenewal: async () => null,
        advance: async (_name: string, _url: string, csr: Buffer): Promise<OrderStep> => ({
          outcome: 'issued',
          chain: await sign(csr),
        }),
        ...authority,
      },
    }
    const [leased] = await claimDueCertificates(own.db, clock, 1)
    if (leased?.name !== name) throw new Error(`${name} was not due`)
    await issueCertificate(tools, name, leased.leasedUntil, signal)
    const counts = [...metrics.text().matchAll(/refusals_total\{code="(\w+)"\} 1/g)].map(([, code]) => code)
    return { told: counts }
  }

  it('is issued, and what was wrong before is forgotten', async () => {
    const failed = { attempts: 9, failedValidations: [at(-minute)] }
    await want({ ...failed, problem: { code: 'ca_refused', message: '', record: null } })

    await issue()

    const { chain, sealedKey, ...rest } = await row()
    expect(rest).toMatchObject({ attempts: 0, failedValidations: [], problem: null, orderUrl: null })
    expect(rest).toMatchObject({ sealedOrderKey: null, orderedAt: null, leasedUntil: null })
    expect(chain).toContain('BEGIN CERTIFICATE')
    expect(seal.open(sealedKey ?? new Uint8Array(), certificateLabel(name))).toContain('PRIVATE KEY')
    expect(rest.nextStepAt).toEqual(rest.renewAt)
    // A third of a life of ninety days and an hour.
    expect(Number(rest.notAfter) - Number(rest.renewAt)).toBe((90 * day + hour) / 3)
  })

  it.each([
    ['another name', async (csr: Buffer) => sign(csr, 'www.zoo.test')],
    [
      'another key',
      async () => {
        const [, other] = await acme.crypto.createCsr({ altNames: [name] })
        return sign(other)
      },
    ],
  ])(
    'is not taken from an authority that issues one for %s, and the operator is told',
    async (what, chainOf) => {
      await want()

      await issue({ advance: async (_name, _url, csr) => ({ outcome: 'issued', chain: await chainOf(csr) }) })

      expect(await row()).toMatchObject({ chain: null, sealedKey: null, attempts: 1, leasedUntil: null })
      expect(errors.mock.calls).toMatchObject([
        [
          { error: { message: expect.stringMatching(what === 'another key' ? what : name) } },
          expect.anything(),
        ],
      ])
    },
  )

  it('whose authority says no is tried again, and the operator reads the no, with the name, and its count', async () => {
    await want()
    const retryAt = at(2 * hour)
    const refusal = new AuthorityRefusal('ca_rate_limited', 'Too many.', retryAt)

    const { told } = await issue({ startOrder: () => Promise.reject(refusal) })

    expect(told).toEqual(['ca_rate_limited'])
    const line = { name, code: 'ca_rate_limited', reason: 'Too many.', retryAt }
    expect(warnings.mock.calls).toEqual([[line, 'the certificate authority refused']])
    expect(await row()).toMatchObject({
      attempts: 1,
      problem: { code: 'ca_rate_limited', message: 'Too many.' },
    })
    expect(Number((await row()).nextStepAt)).toBeGreaterThan(Number(retryAt))
    // It was asked for an order, so that one counts.
    expect(await own.db.certificateOrder.count({ where: { name } })).toBe(1)
  })

  it('for which nothing was sent, because of what the authority has said before, costs no order and no line', async () => {
    await want()

    const { told } = await issue({
      startOrder: () => Promise.reject(new KeptPause('ca_rate_limited', 'Too many.', at(hour))),
    })

    expect(await own.db.certificateOrder.count({ where: { name } })).toBe(0)
    expect([told, warnings.mock.calls]).toEqual([[], []])
    expect(await row()).toMatchObject({ problem: { code: 'ca_rate_limited' } })
  })

  it('whose process ends is free at once, and no attempt is counted', async () => {
    await want()
    const ending = new AbortController()

    await issue(
      {
        async advance() {
          ending.abort()
          return { outcome: 'pending', waitMs: 0 }
        },
      },
      ending.signal,
    )

    expect(await row()).toMatchObject({ attempts: 0, problem: null, leasedUntil: null })
    expect(Number((await row()).nextStepAt)).toBeLessThanOrEqual(clock.now())
    expect((await row()).orderUrl).not.toBeNull()
    expect(errors).not.toHaveBeenCalled()
  })

  it('whose order the authority knows no more is ordered anew at once, and that is no failed validation', async () => {
    await want({
      orderUrl: 'https://ca.test/order/0',
      orderedAt: at(-minute),
      sealedOrderKey: await sealedOrderKey(),
    })

    const { told } = await issue({ advance: async () => ({ outcome: 'gone' }) })

    expect(await row()).toMatchObject({
      orderUrl: null,
      sealedOrderKey: null,
      attempts: 0,
      failedValidations: [],
    })
    expect(Number((await row()).nextStepAt)).toBeLessThanOrEqual(clock.now())
    expect(told).toEqual([])
    await issue()
    expect((await row()).chain).not.toBeNull()
  })

  it.each([
    ['an hour', hour, null],
    ['more than an hour', hour + 1, 'overdue'],
  ])('whose order was sent %s ago is followed that long', async (_, ago, code) => {
    const fixed = clock.now()
    clock = { ...clock, now: () => fixed }
    await want({
      orderUrl: 'https://ca.test/order/0',
      orderedAt: at(-ago),
      sealedOrderKey: await sealedOrderKey(),
    })

    await issue({ advance: async () => ({ outcome: 'pending', waitMs: 30_000 }) })

    const after = await row()
    expect((after.problem as { code: string } | null)?.code ?? null).toBe(code)
    expect(after.orderUrl === null).toBe(code !== null)
  })

  it('whose order was sent by an older version, which did not say when, is given up an hour from now', async () => {
    const fixed = clock.now()
    clock = { ...clock, now: () => fixed }
    await want({ orderUrl: 'https://ca.test/order/0', sealedOrderKey: await sealedOrderKey() })

    await issue({ advance: async () => ({ outcome: 'pending', waitMs: 30_000 }) })

    expect(await row()).toMatchObject({ orderUrl: 'https://ca.test/order/0', orderedAt: at(0) })
  })

  it.each([
    ['four within the hour, until the first is an hour old', [59, 40, 20, 1], 4],
    ['four of which one is an hour old, at once', [60, 40, 20, 1], 3],
    ['three within the hour, at once', [40, 20, 1], 3],
  ])('waits after failed validations: %s', async (_, minutesAgo, counted) => {
    const fixed = clock.now()
    clock = { ...clock, now: () => fixed }
    await want({ failedValidations: minutesAgo.map(ago => at(-ago * minute)) })

    const { told } = await issue({ advance: async () => ({ outcome: 'invalid', message: 'no answer' }) })

    const after = await row()
    expect(after.problem).toMatchObject({ code: 'validation_failed' })
    if (counted === 4) expect(after).toMatchObject({ nextStepAt: at(minute), attempts: 0 })
    else expect(after).toMatchObject({ attempts: 1 })
    expect(after.failedValidations).toHaveLength(4)
    expect(told).toEqual(counted === 4 ? [] : ['validation_failed'])
    expect(await own.db.certificateOrder.count({ where: { name } })).toBe(counted === 4 ? 0 : 1)
  })

  it('whose order is under way goes on, however many validations have failed', async () => {
    await want({
      failedValidations: [4, 3, 2, 1].map(ago => at(-ago * minute)),
      ...{
        orderUrl: 'https://ca.test/order/0',
        orderedAt: at(-minute),
        sealedOrderKey: await sealedOrderKey(),
      },
    })

    await issue()

    expect((await row()).chain).not.toBeNull()
  })

  it.each([
    ['free, after its grace', 'free', -1, false],
    ['free, within its grace', 'free', minute, true],
    ['pro, which came back after a grace', 'pro', -1, true],
  ])('of a project on the plan %s is issued as that is served', async (_, planName, graceMs, isIssued) => {
    await own.db.project.update({
      where: { id: project.id },
      data: { planName, domainsGraceEndsAt: at(graceMs) },
    })
    await want()

    await issue()

    expect((await row()).chain !== null).toBe(isIssued)
    if (!isIssued) expect(Number((await row()).nextStepAt)).toBeGreaterThan(clock.now() + hour)
    expect(await own.db.certificateOrder.count({ where: { name } })).toBe(isIssued ? 1 : 0)
  })

  it('can be shown by any process once the authority asks for its proof, for a day', async () => {
    await want()
    await issue({
      async advance(_name, _url, _csr, publish) {
        await publish('token', 'token.key')
        return { outcome: 'pending', waitMs: 30_000 }
      },
    })

    const found = await own.db.acmeChallenge.findUniqueOrThrow({ where: { token: 'token' } })

    expect(found).toMatchObject({ name, keyAuthorization: 'token.key' })
    expect(Number(found.expiresAt) - clock.now()).toBeGreaterThan(day - minute)
    await own.db.acmeChallenge.deleteMany()
  })

  it('that nobody has any more is not ordered', async () => {
    await want()
    await own.db.domain.deleteMany({ where: { name } })

    await issue()

    expect(await row()).toMatchObject({ nextStepAt: null, chain: null, leasedUntil: null })
  })
})
