import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { AuthorityRefusal, type CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { makeSeal } from '../../src/hosting/seal.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe.skipIf(!canRace())('an order for a certificate', () => {
  const prepared = prepareDueCertificate()
  const { own, due, at, issue, infos, errors, row, sealKey, want, orderedFor, stopClock } = prepared
  beforeEach(async () => void (await own.db.secretsKey.deleteMany()))

  const askToWait = (seconds: number): Partial<CertificateAuthority> => ({
    advance: async () => ({ outcome: 'pending', waitMs: seconds * second }),
  })

  it('an order is stored with its key and the time it was sent', async () => {
    stopClock()
    await want()

    await issue(askToWait(30))

    expect(await row()).toMatchObject({
      ...{ orderUrl: 'https://ca.test/order/1', orderedAt: at(0), sealedOrderKey: expect.any(Uint8Array) },
      ...{ nextStepAt: at(30 * second), problem: null, attempts: 0, leasedUntil: null },
    })
  })

  it.each([
    ['was sent just now', 0, 0, 0.1],
    ['was sent just now, with a requested wait of 30 seconds,', 0, 30, 30],
    ['was sent ten minutes ago', 10 * minute, 30, 150],
    ['was sent 40 minutes ago', 40 * minute, 30, 300],
    ['was sent 40 minutes ago, with a requested wait of 400 seconds,', 40 * minute, 400, 400],
    ['was sent 40 minutes ago, with a requested wait of two days,', 40 * minute, 172_800, 600],
    ['was sent 55 minutes ago, with a requested wait of two days,', 55 * minute, 172_800, 300.001],
  ])(
    'an order that %s is polled again after a quarter of its age, at most five minutes, or after a longer requested wait of at most ten minutes',
    async (_, age, waitSeconds, nextSeconds) => {
      stopClock()
      await want(await orderedFor(age))

      await issue(askToWait(waitSeconds))

      expect(await row()).toMatchObject({ nextStepAt: at(nextSeconds * second), leasedUntil: null })
    },
  )

  it('an order that made progress is polled again at once', async () => {
    stopClock()
    await want(await orderedFor(40 * minute))

    await issue({ advance: async () => ({ outcome: 'pending', waitMs: 0, moved: true }) })
    expect(await row()).toMatchObject({ orderMovedAt: at(0), nextStepAt: at(100) })
  })

  it('an order that the authority delays for days is polled within a third of the remaining life of the current certificate', async () => {
    stopClock()
    await want({ ...(await orderedFor(0)), chain: 'chain', notBefore: at(-day), notAfter: at(15 * minute) })

    await issue(askToWait(2 * 86_400))

    expect(await row()).toMatchObject({ nextStepAt: at(5 * minute) })
  })

  it('a worker polls an order once per step, and then frees its slot for other orders', async () => {
    let tries = 0
    await want(await orderedFor(0))

    await issue({
      async advance() {
        tries++
        return { outcome: 'pending', waitMs: 0 }
      },
    })

    expect(tries).toBe(1)
    expect(await row()).toMatchObject({ leasedUntil: null })
  })

  it('an order that another process has leased is left to that process, without a log line', async () => {
    await want(await orderedFor(0))
    const ofTheOther = { orderUrl: 'https://ca.test/order/2', leasedUntil: at(hour) }

    await issue({
      async advance(_name, _url, csr) {
        await own.db.certificate.updateMany({ data: ofTheOther })
        return { outcome: 'issued', chain: await prepared.sign(csr) }
      },
    })

    expect(await row()).toMatchObject({ ...ofTheOther, chain: null, problem: null, attempts: 0 })
    expect([errors.mock.calls, infos.mock.calls]).toEqual([[], []])
  })

  it('an order whose key is lost ends, and a new order is sent at once', async () => {
    stopClock()
    await want({ ...(await orderedFor(minute)), sealedOrderKey: null })

    await issue()

    expect(await row()).toMatchObject({ orderUrl: null, orderedAt: null, nextStepAt: at(0), problem: null })
    await issue()
    expect((await row()).chain).not.toBeNull()
  })

  it('an order whose private key no process can decrypt is reported to the domain’s owner, and not as a bug or the authority’s fault', async () => {
    await want({ ...(await orderedFor(minute)), sealedOrderKey: sealKey('a key', [randomBytes(32)]) })

    const { refusals } = await issue()

    expect((await row()).problem).toEqual({
      code: 'key_unreadable',
      message: 'The key of the order for this name cannot be decrypted. Re-verify starts a new attempt.',
      record: null,
    })
    expect(await row()).toMatchObject({ attempts: 1, leasedUntil: null })
    expect([refusals, errors.mock.calls, prepared.warnings.mock.calls]).toEqual([[], [], []])
  })

  it('an order whose private key only another process can decrypt is left to that process, and no attempt is counted', async () => {
    const ofTheOther = randomBytes(32)
    const [fingerprint = ''] = makeSeal([ofTheOther]).fingerprints()
    await own.db.secretsKey.create({ data: { fingerprint } })
    stopClock()
    const order = { ...(await orderedFor(minute)), sealedOrderKey: sealKey('a key', [ofTheOther]) }
    await want(order)

    await issue()

    expect(await row()).toMatchObject({
      ...order,
      attempts: 0,
      problem: null,
      leasedUntil: null,
      nextStepAt: at(0),
    })
  })

  it('an order’s proof is served for a day after the authority last asked for it', async () => {
    stopClock()
    await want()
    const publishing = (keyAuthorization: string): Partial<CertificateAuthority> => ({
      async advance(_name, _url, _csr, publish) {
        await publish('token', keyAuthorization, async () => {})
        return { outcome: 'pending', waitMs: 30 * second }
      },
    })
    const shown = () => own.db.acmeChallenge.findUniqueOrThrow({ where: { token: 'token' } })

    await issue(publishing('token.key'))
    expect(await shown()).toMatchObject({ name: due.name, keyAuthorization: 'token.key', expiresAt: at(day) })
    const later = due.clock.now() + minute
    due.clock = { ...due.clock, now: () => later }
    await issue(publishing('token.another'))

    expect(await shown()).toMatchObject({ keyAuthorization: 'token.another', expiresAt: at(day) })
    await own.db.acmeChallenge.deleteMany()
  })

  it('an order that the authority could not validate ends, and its owner and the operator read why', async () => {
    stopClock()
    await want({ ...(await orderedFor(minute)), failedValidations: [at(-2 * hour), at(-30 * minute)] })

    await issue({ advance: async () => ({ outcome: 'invalid', message: 'it answered 404.' }) })

    const message = `The certificate authority ca.test could not validate ${due.name}: it answered 404.`
    const after = await row()
    expect(after.problem).toEqual({ code: 'validation_failed', message, record: null })
    expect(after).toMatchObject({ orderUrl: null, sealedOrderKey: null, orderedAt: null, attempts: 1 })
    expect(after.failedValidations).toEqual([at(-30 * minute), at(0)])
    expect(Number(after.nextStepAt)).toBeGreaterThan(due.clock.now())
    expect(prepared.warnings.mock.calls).toEqual([
      [
        { name: due.name, authority: 'ca.test', code: 'validation_failed', reason: message, retryAt: null },
        'the certificate authority refused',
      ],
    ])
  })

  it('an order older than an hour ends, and its owner reads that another order follows', async () => {
    stopClock()
    await want(await orderedFor(hour + 1))

    await issue(askToWait(30))

    const after = await row()
    expect(after.problem).toEqual({
      code: 'overdue',
      message:
        'The certificate authority ca.test did not finish the order within an hour; a new order follows.',
      record: null,
    })
    expect(after).toMatchObject({ orderUrl: null, sealedOrderKey: null, orderedAt: null, attempts: 1 })
    expect(Number(after.nextStepAt)).toBeGreaterThan(due.clock.now())
  })

  it('an order that the authority finished while no process ran is not given up, however old it is', async () => {
    await want(await orderedFor(hour + minute))

    await issue()

    expect(await row()).toMatchObject({ problem: null, orderUrl: null, attempts: 0 })
    expect((await row()).chain).not.toBeNull()
  })

  it('an order whose authority asks to wait a day for it is issued if it is ready at the next poll', async () => {
    stopClock()
    let orders = 0
    const authority: Partial<CertificateAuthority> = {
      startOrder: async () => `https://ca.test/order/${++orders}`,
    }
    await want()
    await issue({ ...authority, ...askToWait(86_400) })
    const { nextStepAt } = await row()
    due.clock = { ...due.clock, now: () => Number(nextStepAt) }

    await issue(authority)

    expect(await row()).toMatchObject({ problem: null, orderUrl: null })
    expect((await row()).chain).not.toBeNull()
    expect(orders).toBe(1)
  })

  it.each<[string, Partial<CertificateAuthority>, string | null]>([
    [
      'the authority cannot be reached',
      { advance: () => Promise.reject(new AuthorityRefusal('ca_unreachable', 'Away.')) },
      'overdue',
    ],
    ['the chain is no certificate', { advance: async () => ({ outcome: 'issued', chain: 'x' }) }, 'overdue'],
    [
      'the validation failed',
      { advance: async () => ({ outcome: 'invalid', message: 'No.' }) },
      'validation_failed',
    ],
    ['the authority has lost the order', { advance: async () => ({ outcome: 'gone' }) }, null],
  ])('an order older than an hour ends after its last poll if %s', async (_, authority, code) => {
    await want(await orderedFor(hour + 1))

    await issue(authority)

    expect(await row()).toMatchObject({ orderUrl: null, problem: code && { code }, leasedUntil: null })
  })

  it('an order older than an hour whose private key no process can decrypt ends, and a new one follows', async () => {
    await want({ ...(await orderedFor(hour + 1)), sealedOrderKey: sealKey('a key', [randomBytes(32)]) })

    await issue()

    expect(await row()).toMatchObject({ orderUrl: null, problem: { code: 'overdue' } })
  })

  it.each([
    [
      'HTML instead of a certificate',
      async () => '<html>Please log in.</html>',
      'it answered with no certificate: <html>Please log in.</html>',
    ],
    [
      'a long answer',
      async () => `x${'😀'.repeat(200)}`,
      `it answered with no certificate: x${'😀'.repeat(99)}\ufffd`,
    ],
    ['an empty answer', async () => '', 'it answered with no certificate: nothing'],
    [
      'a certificate for another name',
      (csr: Buffer) => prepared.sign(csr, 'www.other.test'),
      'it issued a certificate that is not for',
    ],
  ])(
    'an order that ends with %s is reported in the words of the authority, and not logged as a bug',
    async (_, chainOf, why) => {
      await want(await orderedFor(0))

      const { refusals } = await issue({
        advance: async (_name, _url, csr) => ({ outcome: 'issued', chain: await chainOf(csr) }),
      })

      expect((await row()).problem).toEqual({
        code: 'ca_refused',
        message: expect.stringContaining(`The certificate authority ca.test made a mistake: ${why}`),
        record: null,
      })
      expect([refusals, errors.mock.calls]).toEqual([['ca_refused'], []])
    },
  )

  it('when an order issues a certificate, the log has the name of the certificate and its expiry', async () => {
    await want()

    await issue()

    const { notAfter } = await row()
    expect(infos.mock.calls).toEqual([
      [{ name: due.name, notAfter, authority: 'ca.test' }, 'a certificate was issued'],
    ])
  })
})
