import { beforeEach, describe, expect, it } from 'vitest'
import {
  certificateProblemOf,
  certificateStateOf,
  findCertificates,
  isHealthy,
  retryCertificate,
  setCertificateAside,
  wantCertificate,
} from '../../../src/core/certificates/certificates.ts'
import type { Certificate, Prisma } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const minute = 60_000
const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const name = 'www.shop.test'
const problem = { code: 'ca_unreachable', message: 'away', record: null }

/** An issued certificate whose renewal is scheduled. */
const issued = {
  name,
  wantedSince: later(-minute),
  chain: 'chain',
  sealedKey: new Uint8Array([1]),
  notBefore: later(-minute),
  notAfter: later(1),
  renewAt: later(minute),
  nextStepAt: later(minute),
}
const ordered = { orderUrl: 'https://ca.test/order/1', orderedAt: later(-minute) }

describe.skipIf(!canRace())('a certificate', () => {
  const own = prepareOwnDatabase()
  beforeEach(async () => {
    await own.db.certificate.deleteMany()
    await own.db.acmeAccount.deleteMany()
  })

  const row = () => own.db.certificate.findUniqueOrThrow({ where: { name } })

  it.each<[string, Partial<Prisma.CertificateCreateInput>, boolean]>([
    ['valid for another millisecond', {}, false],
    ['that ends now', { notAfter: now }, true],
    ['that was never issued', { chain: null, notAfter: null }, true],
    ['whose last attempt failed', { problem }, true],
    ['whose order is under way', ordered, true],
    ['whose key cannot be decrypted', { unreadableSince: now }, true],
  ])(
    'a certificate %s is tried again when its name is proven or re-verified: %j',
    async (_, differs, isDue) => {
      const other = { ...issued, name: 'www.zoo.test', ...differs }
      for (const act of [wantCertificate, retryCertificate]) {
        await own.db.certificate.deleteMany()
        await own.db.certificate.createMany({ data: [{ ...issued, ...differs } as never, other as never] })
        const before = await row()

        await act(own.db, now, name)

        const after = await row()
        if (isDue) expect(after).toMatchObject({ nextStepAt: now, wantedSince: now, problem: null })
        else expect(after).toEqual(before)
        expect(await own.db.certificate.findUnique({ where: { name: other.name } })).toMatchObject({
          nextStepAt: later(minute),
        })
      }
    },
  )

  it('proving a name makes the certificate of the name due at once, even if that certificate is valid and had no next step', async () => {
    await own.db.certificate.create({ data: { ...issued, nextStepAt: null } })

    await wantCertificate(own.db, now, name)

    expect(await row()).toMatchObject({ nextStepAt: now, chain: 'chain' })
  })

  it.each([
    ['a moment longer', later(1), later(minute)],
    ['until now', now, now],
  ])(
    'if a worker holds the lease of a certificate %s, proving the name of the certificate keeps the lease, but Re-verify removes the lease',
    async (_, leasedUntil, next) => {
      await own.db.certificate.create({ data: { ...issued, ...ordered, leasedUntil } })

      await wantCertificate(own.db, now, name)
      expect(await row()).toMatchObject({ nextStepAt: next, leasedUntil })
      await retryCertificate(own.db, now, name)

      // The lease is taken away, so the worker can no longer write the result of the order.
      expect(await row()).toMatchObject({
        nextStepAt: now,
        leasedUntil: null,
        orderUrl: null,
        orderedAt: null,
      })
    },
  )

  it('Re-verify deletes the unreadable key and the chain of one certificate and every unreadable authority account, but keeps readable accounts and other certificates', async () => {
    const unreadable = { ...issued, unreadableSince: now }
    await own.db.certificate.createMany({ data: [unreadable, { ...unreadable, name: 'www.zoo.test' }] })
    const account = (directoryUrl: string, unreadableSince: Date | null) => ({
      directoryUrl,
      sealedKey: new Uint8Array([1]),
      unreadableSince,
    })
    await own.db.acmeAccount.createMany({
      data: [account('https://a.test', now), account('https://b.test', null)],
    })

    await retryCertificate(own.db, now, name)

    expect(await row()).toMatchObject({ chain: null, sealedKey: null, notAfter: null, unreadableSince: null })
    expect(await own.db.certificate.findUnique({ where: { name: 'www.zoo.test' } })).toMatchObject({
      chain: 'chain',
      unreadableSince: now,
    })
    expect(await own.db.acmeAccount.findMany()).toMatchObject([{ directoryUrl: 'https://b.test' }])
  })

  it('Re-verify starts a certificate again from the beginning if its key cannot be opened', async () => {
    await own.db.certificate.create({
      data: {
        ...issued,
        ...ordered,
        sealedOrderKey: new Uint8Array([2]),
        unreadableSince: now,
        problem,
      } as never,
    })

    await retryCertificate(own.db, now, name)

    expect(await row()).toEqual({
      ...(await row()),
      ...{
        chain: null,
        sealedKey: null,
        unreadableSince: null,
        notBefore: null,
        notAfter: null,
        renewAt: null,
      },
      ...{ orderUrl: null, sealedOrderKey: null, orderedAt: null, leasedUntil: null, problem: null },
      ...{ wantedSince: now, nextStepAt: now },
    })
  })

  it('a certificate wanted by several domains is started once', async () => {
    for (const act of [wantCertificate, retryCertificate]) {
      await own.db.certificate.deleteMany()
      await Promise.all([act(own.db, now, name), act(own.db, now, name)])

      expect(await own.db.certificate.findMany()).toMatchObject([
        { name, wantedSince: now, nextStepAt: now, chain: null, attempts: 0, problem: null },
      ])
    }
  })

  it('setCertificateAside stops the renewal of a certificate but keeps the chain of the certificate, and changes no other certificate', async () => {
    const working = { ...issued, ...ordered, leasedUntil: later(minute), problem }
    const other = { ...working, name: 'www.zoo.test' }
    await own.db.certificate.createMany({ data: [working, other] as never })
    const challenge = (of: string) => ({
      token: of,
      keyAuthorization: 'key',
      name: of,
      expiresAt: later(minute),
    })
    await own.db.acmeChallenge.createMany({ data: [challenge(name), challenge(other.name)] })
    const [before, others] = await findCertificates(own.db, [name, other.name])

    await setCertificateAside(own.db, name)

    expect(await findCertificates(own.db, [other.name, 'www.nobody.test', name])).toEqual([
      others,
      null,
      { ...before, nextStepAt: null, leasedUntil: null },
    ])
    expect((await own.db.acmeChallenge.findMany()).map(one => one.name)).toEqual([other.name])
    await own.db.acmeChallenge.deleteMany()
  })

  it.each<[string, Partial<Prisma.CertificateCreateInput>, boolean]>([
    ['valid for another millisecond', {}, true],
    ['that ends now', { notAfter: now }, false],
    ['without a chain', { chain: null }, false],
    ['whose renewal failed', { problem }, false],
    ['with an order under way', ordered, false],
    ['whose key cannot be decrypted', { unreadableSince: now }, false],
  ])('a certificate %s counts as in order: %j', async (_, differs, isFine) => {
    await own.db.certificate.create({ data: { ...issued, name: 'www.zoo.test' } })
    await own.db.certificate.create({ data: { ...issued, ...differs } })

    expect(await isHealthy(own.db, now, name)).toBe(isFine)
  })

  it.each<[Partial<Certificate>, string]>([
    [{ notAfter: later(1) }, 'issued'],
    [{ notAfter: later(1), problem }, 'expiring'],
    [{ notAfter: later(1), unreadableSince: now }, 'failed'],
    [{ notAfter: now }, 'failed'],
    [{ notAfter: now, problem }, 'failed'],
    [{ notAfter: null, problem }, 'failed'],
    [{ notAfter: null }, 'issuing'],
  ])('a certificate with %j is shown as %s', async (differs, state) => {
    await own.db.certificate.create({ data: { ...issued, ...differs } as Prisma.CertificateCreateInput })

    expect(certificateStateOf(await row(), now.getTime())).toBe(state)
  })

  it.each<[string, Partial<Certificate>, number, string | null]>([
    ['not issued', { notAfter: null }, 30 * minute - 1, null],
    ['not issued', { notAfter: null }, 30 * minute, 'overdue'],
    ['that failed', { notAfter: null, problem }, 30 * minute - 1, 'ca_unreachable'],
    ['that failed', { notAfter: null, problem }, 30 * minute, 'ca_unreachable and advice'],
    ['that is issued', {}, 30 * minute, null],
    ['whose renewal fails', { problem }, 30 * minute, 'ca_unreachable'],
    ['whose key cannot be decrypted', { unreadableSince: now }, 0, 'key_unreadable'],
  ])(
    'a certificate %s gets advice after half an hour: %j, wanted %i ms ago',
    async (_, differs, ago, expected) => {
      const data = { ...issued, wantedSince: later(-ago), ...differs } as Prisma.CertificateCreateInput
      await own.db.certificate.create({ data })

      const found = certificateProblemOf(await row(), now.getTime())

      const hasAdvice = found?.code !== 'overdue' && found?.message.includes('30 minutes after verification')
      expect(found && found.code + (hasAdvice ? ' and advice' : '')).toBe(expected)
      if (expected === 'ca_unreachable and advice')
        expect(found).toMatchObject({
          message: expect.stringMatching(/^away The certificate has not/),
          record: null,
        })
    },
  )
})
