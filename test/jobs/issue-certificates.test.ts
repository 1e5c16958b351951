import { describe, expect, it } from 'vitest'
import { AuthorityRefusal } from '../../src/hosting/certificate-authority.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe.skipIf(!canRace())('a certificate that is due', () => {
  const { own, due, at, issue, errors, row, openKey, want, orderedFor, stopClock, ordersTaken } =
    prepareDueCertificate()

  it('a due certificate is issued, and its earlier problem is removed', async () => {
    const failed = { attempts: 9, failedValidations: [at(-minute)] }
    await want({ ...failed, problem: { code: 'ca_refused', message: '', record: null } })

    await issue()

    const { chain, sealedKey, ...rest } = await row()
    expect(rest).toMatchObject({ attempts: 0, failedValidations: [], problem: null, orderUrl: null })
    expect(rest).toMatchObject({ sealedOrderKey: null, orderedAt: null, leasedUntil: null })
    expect(chain).toContain('BEGIN CERTIFICATE')
    expect(openKey(sealedKey)).toContain('PRIVATE KEY')
    expect(rest.nextStepAt).toEqual(rest.renewAt)
    // The renewal is due when a third of the lifetime of ninety days and one hour is left.
    expect(Number(rest.notAfter) - Number(rest.renewAt)).toBe((90 * day + hour) / 3)
  })

  it('if a process ends during the step of a due certificate, others can take the certificate at once, and no attempt is counted', async () => {
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
    expect(Number((await row()).nextStepAt)).toBeLessThanOrEqual(due.clock.now() + 100)
    expect((await row()).orderUrl).not.toBeNull()
    expect(errors).not.toHaveBeenCalled()
  })

  it('a process that ends does not wait for a silent authority, and others can take the certificate at once', async () => {
    await want()
    const ending = new AbortController()

    const began = performance.now()
    await issue(
      {
        advance() {
          ending.abort()
          return new Promise(() => {})
        },
      },
      ending.signal,
    )

    expect(performance.now() - began).toBeLessThan(2_000)
    expect(await row()).toMatchObject({ attempts: 0, problem: null, leasedUntil: null })
    expect(errors).not.toHaveBeenCalled()
  })

  it('a failed step changes and logs nothing if another process has leased the certificate since', async () => {
    await want()
    const takenUntil = at(hour)

    await issue({
      async advance() {
        await own.db.certificate.updateMany({ data: { leasedUntil: takenUntil } })
        throw new AuthorityRefusal('ca_refused', 'No.')
      },
    })

    expect(await row()).toMatchObject({ attempts: 0, problem: null, leasedUntil: takenUntil })
    expect(errors).not.toHaveBeenCalled()
  })

  it('a certificate whose order the authority has lost is ordered again at once, without a failed validation', async () => {
    await want(await orderedFor(minute))

    const { refusals } = await issue({ advance: async () => ({ outcome: 'gone' }) })

    expect(await row()).toMatchObject({
      orderUrl: null,
      sealedOrderKey: null,
      attempts: 0,
      failedValidations: [],
    })
    expect(Number((await row()).nextStepAt)).toBeLessThanOrEqual(due.clock.now())
    expect(refusals).toEqual([])
    await issue()
    expect((await row()).chain).not.toBeNull()
  })

  it.each([
    ['an hour', hour, null],
    ['more than an hour', hour + 1, 'overdue'],
  ])('an order is followed for an hour and then given up: sent %s ago', async (_, ago, code) => {
    stopClock()
    await want(await orderedFor(ago))

    await issue({ advance: async () => ({ outcome: 'pending', waitMs: 30_000 }) })

    const after = await row()
    expect((after.problem as { code: string } | null)?.code ?? null).toBe(code)
    expect(after.orderUrl === null).toBe(code !== null)
  })

  it('an order without a sending time, from an older version, is given up after an hour', async () => {
    stopClock()
    await want({ ...(await orderedFor(0)), orderedAt: null })

    await issue({ advance: async () => ({ outcome: 'pending', waitMs: 30_000 }) })

    expect(await row()).toMatchObject({ orderUrl: 'https://ca.test/order/0', orderedAt: at(0) })
  })

  it.each([
    ['on the plan free, after the grace period', 'free', -1, false],
    ['on the plan free, within the grace period', 'free', minute, true],
    ['on the plan pro again, after a grace period', 'pro', -1, true],
  ])(
    'a certificate is issued only if the project’s plan includes domains or the project’s grace period still runs: %s',
    async (_, planName, graceMs, isIssued) => {
      await own.db.project.update({
        where: { id: due.project.id },
        data: { planName, domainsGraceEndsAt: at(graceMs) },
      })
      await want()

      await issue()

      expect((await row()).chain !== null).toBe(isIssued)
      if (!isIssued) expect(Number((await row()).nextStepAt)).toBeGreaterThan(due.clock.now() + hour)
      expect(await ordersTaken()).toBe(isIssued ? 1 : 0)
    },
  )

  it('any process answers a challenge for a day after the authority asked for the proof', async () => {
    await want()
    await issue({
      async advance(_name, _url, _csr, publish) {
        await publish('token', 'token.key', async () => {})
        return { outcome: 'pending', waitMs: 30_000 }
      },
    })

    const found = await own.db.acmeChallenge.findUniqueOrThrow({ where: { token: 'token' } })

    expect(found).toMatchObject({ name: due.name, keyAuthorization: 'token.key' })
    expect(Number(found.expiresAt) - due.clock.now()).toBeGreaterThan(day - minute)
    await own.db.acmeChallenge.deleteMany()
  })

  it('a certificate for a name that no project has is not ordered', async () => {
    await want()
    await own.db.domain.deleteMany({ where: { name: due.name } })

    await issue()

    expect(await row()).toMatchObject({ nextStepAt: null, chain: null, leasedUntil: null })
  })
})
