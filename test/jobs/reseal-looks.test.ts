import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { accountLabel, certificateLabel, makeSeal } from '../../src/hosting/seal.ts'
import { openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { reseal } from '../../src/jobs/reseal.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const [older, newer, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const directoryUrl = 'https://ca.test/dir'
const minute = 60_000
const fingerprintOf = (key: Buffer) => makeSeal([key]).fingerprints()[0] ?? ''
type Keys = { sealedKey?: Buffer; sealedOrderKey?: Buffer }

describe.skipIf(!canRace())('the check of the sealed keys', () => {
  const own = prepareOwnDatabase()
  let clock: ReturnType<typeof movableClock>
  /** The process' time, which stands still unless the test moves it. */
  let passed: number
  beforeEach(async () => {
    const { certificate, acmeAccount, secretsKey, secretsKeyHolder } = own.db
    for (const table of [certificate, acmeAccount, secretsKey, secretsKeyHolder] as {
      deleteMany(): object
    }[])
      await table.deleteMany()
    ;[clock, passed] = [movableClock(), 0]
    const start = Math.ceil(performance.now())
    const watch = vi.spyOn(performance, 'now').mockImplementation(() => start + passed)
    return () => watch.mockRestore()
  })

  /** Starts a process with these keys. `meanwhile` runs each time the process has read a page of certificates. */
  function start(keys: Buffer[], meanwhile: () => unknown = () => {}, db: PrismaClient = own.db) {
    const log = openLog('silent')
    const lines: string[] = []
    vi.spyOn(log, 'info').mockImplementation(((text: string) => void lines.push(text)) as never)
    vi.spyOn(log, 'error').mockImplementation(((_: object, text: string) => void lines.push(text)) as never)
    let looks = 0
    const certificate = Object.create(db.certificate, {
      findMany: {
        async value(query: never) {
          const page = await own.db.certificate.findMany(query)
          looks++
          await meanwhile()
          return page
        },
      },
    })
    const metrics = openMetrics()
    const seal = openSeal(
      own.db,
      givenKeys(() => keys),
      log,
    )
    const watched = Object.create(db, { certificate: { value: certificate } })
    const work = reseal({ db: watched, clock, log, seal, metrics })
    const run = async (signal = new AbortController().signal) => {
      await work.run(null, signal)
      return { ...metrics.sealed }
    }
    /** Changes the process' keys as SIGHUP does. */
    const reread = (now: Buffer[]) => {
      keys.splice(0, keys.length, ...now)
      metrics.sealed.older = null
    }
    return { ...work, run, reread, lines, looks: () => looks }
  }
  const addCertificate = (name: string, keys: Keys) =>
    own.db.certificate.create({
      data: {
        ...{ name, wantedSince: new Date() },
        ...Object.fromEntries(
          Object.entries(keys).map(([of, key]) => [
            of,
            makeSeal([key]).close('a key', certificateLabel(name)),
          ]),
        ),
      },
    })
  const closeAccount = (key: Buffer) => makeSeal([key]).close('a key', accountLabel(directoryUrl))
  const addAccount = (key: Buffer) =>
    own.db.acmeAccount.create({ data: { directoryUrl, sealedKey: closeAccount(key) } })
  const addProcess = (keys: Buffer[]) =>
    own.db.secretsKeyHolder.create({
      data: { processId: randomUUID(), fingerprints: keys.map(fingerprintOf) },
    })
  const account = () => own.db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl } })
  const rowOf = (name: string) => own.db.certificate.findUniqueOrThrow({ where: { name } })

  it.each([
    ['five minutes if every key is sealed with the new key', newer, 5 * minute],
    ['some seconds if a key cannot be decrypted', stranger, 2_500],
    ['some seconds if a key was sealed again', older, 2_500],
  ])('the check of the sealed keys repeats after %s', async (_, key, pauseMs) => {
    await addCertificate('a.test', { sealedKey: key })
    const { run, looks } = start([newer, older])
    await run()

    passed = pauseMs - 1
    await run()
    expect(looks()).toBe(1)
    passed = pauseMs
    await run()

    expect(looks()).toBe(2)
  })

  it('the check of the sealed keys is due every five seconds, and at most twice as often if woken', async () => {
    const { everyMs, claim } = start([newer])
    const found: unknown[] = []
    for (passed of [0, 0, 2_499, 2_500, 4_999, 5_000]) found.push((await claim(2)).length)

    expect([everyMs, found]).toEqual([5_000, [1, 0, 0, 1, 0, 1]])
  })

  it('if a process stops during its check of the sealed keys, the check reports nothing and does not retire the older key', async () => {
    await own.db.secretsKey.create({ data: { fingerprint: fingerprintOf(older) } })
    const names = Array.from({ length: 201 }, (_, n) => `${n}.test`)
    await own.db.certificate.createMany({
      data: names.map(name => ({
        ...{ name, wantedSince: new Date() },
        sealedKey: makeSeal([newer]).close('a key', certificateLabel(name)),
      })),
    })
    const ending = new AbortController()
    const { run, looks, lines } = start([newer, older], () => ending.abort())

    expect(await run(ending.signal)).toEqual({ older: null, unreadable: 0 })

    expect([looks(), lines]).toEqual([1, []])
    expect(await own.db.secretsKey.findMany()).toMatchObject([{ fingerprint: fingerprintOf(older) }])
  })

  it('the check of the sealed keys counts the keys of each certificate and of accounts', async () => {
    await addCertificate('a.test', { sealedKey: older, sealedOrderKey: older })
    await addCertificate('b.test', { sealedKey: older, sealedOrderKey: newer })
    for (const name of ['c.test', 'd.test']) await addCertificate(name, { sealedKey: stranger })
    await addAccount(older)
    await addProcess([older])

    expect(await start([newer, older]).run()).toEqual({ older: 4, unreadable: 2 })
    expect(await start([newer]).run()).toEqual({ older: null, unreadable: 5 })
  })

  it.each([
    ['everything is sealed with the new key', { sealedKey: newer, sealedOrderKey: newer }, newer, [], true],
    ['only the key of an account is sealed, with the new key', {}, newer, [], true],
    ['only the key of an order is sealed, with the new key', { sealedOrderKey: newer }, null, [], true],
    ['nothing is sealed yet', {}, null, [], false],
    ['the key of a certificate is sealed with an older key', { sealedKey: older }, newer, [], false],
    ['the key of an account is sealed with an older key', { sealedKey: newer }, older, [], false],
    ['a key cannot be decrypted', { sealedKey: stranger }, newer, [], false],
    ['another process does not have the new key', { sealedKey: newer }, newer, [older], false],
  ] as [string, Keys, Buffer | null, Buffer[], boolean][])(
    'the check of the sealed keys retires the older keys only if no process needs them any more: %s',
    async (_, keys, ofAccount, others, isClaimed) => {
      await own.db.secretsKey.create({ data: { fingerprint: fingerprintOf(older) } })
      await addCertificate('a.test', keys)
      if (ofAccount) await addAccount(ofAccount)
      if (others.length > 0) await addProcess(others)

      await start([newer, older]).run()

      const fingerprint = fingerprintOf(isClaimed ? newer : older)
      expect(await own.db.secretsKey.findMany()).toMatchObject([{ fingerprint }])
    },
  )

  it('the check of the sealed keys reports no success if a process without the new key ran during the check', async () => {
    await own.db.secretsKey.create({ data: { fingerprint: fingerprintOf(older) } })
    await addCertificate('a.test', { sealedKey: newer })
    const { run } = start([newer, older], async () => {
      await addProcess([older])
      await run()
      await own.db.secretsKeyHolder.deleteMany()
    })

    expect(await run()).toEqual({ older: null, unreadable: 0 })

    expect(await own.db.secretsKey.findMany()).toMatchObject([{ fingerprint: fingerprintOf(older) }])
  })

  it('the check of the sealed keys repeats at once after SECRETS_KEY changes, and counts the secrets sealed with the older key', async () => {
    await addCertificate('a.test', { sealedKey: older })
    const { run, reread, lines } = start([older])
    expect(await run()).toEqual({ older: 0, unreadable: 0 })

    reread([newer, older])

    expect(await run()).toEqual({ older: 1, unreadable: 0 })
    expect(lines).toEqual([])
  })

  it('a check of the sealed keys reports nothing if SECRETS_KEY changes during it, and the next check is due at once', async () => {
    await own.db.secretsKey.create({ data: { fingerprint: fingerprintOf(stranger) } })
    await addCertificate('a.test', { sealedKey: older })
    await addAccount(older)
    const { run, reread, looks, lines } = start([older], () => {
      if (looks() === 1) reread([newer, older])
    })

    expect(await run()).toEqual({ older: null, unreadable: 0 })
    expect(lines).toEqual([])
    expect(await own.db.secretsKey.findMany()).toMatchObject([{ fingerprint: fingerprintOf(stranger) }])

    expect(await run()).toEqual({ older: 2, unreadable: 0 })
  })

  it('if a process loses an older key during its check, a sealed key that another process can open is not marked as unreadable', async () => {
    await addCertificate('a.test', { sealedKey: older })
    await addProcess([newer, older])
    const { run, reread } = start([newer, older], () => reread([newer]))

    await run()

    expect(await rowOf('a.test')).toMatchObject({ unreadableSince: null })
  })

  it('the log says once that the older keys may be removed, and says nothing if SECRETS_KEY has only one key', async () => {
    const mayGo =
      'every secret that can be opened is sealed with the first key of SECRETS_KEY; remove the other keys'
    await addCertificate('a.test', { sealedKey: newer })
    const [both, one] = [start([newer, older]), start([newer])]

    for (passed = 0; passed < 20 * minute; passed += 5 * minute) {
      await both.run()
      await one.run()
    }

    expect([both.looks(), one.looks()]).toEqual([4, 4])
    expect([both.lines, one.lines]).toEqual([[mayGo], []])
  })

  it('the log reports unreadable private keys once, and again if they become unreadable after a repair', async () => {
    const unreadable = expect.stringMatching(
      /^private keys in the database cannot be opened: give SECRETS_KEY/,
    )
    const { run, lines } = start([newer])
    const look = async () => {
      passed += 5 * minute
      await run()
      return [...lines]
    }
    const broken = { sealedKey: makeSeal([stranger]).close('a key', certificateLabel('a.test')) }
    const mended = { sealedKey: makeSeal([newer]).close('a key', certificateLabel('a.test')) }
    await addCertificate('a.test', { sealedKey: stranger })

    expect([await look(), await look()]).toEqual([[unreadable], [unreadable]])
    await own.db.certificate.updateMany({ data: mended })
    expect(await look()).toEqual([unreadable])
    await own.db.certificate.updateMany({ data: broken })
    expect(await look()).toEqual([unreadable, unreadable])
  })

  it('an unreadable key is marked with the time it was first seen', async () => {
    await addCertificate('a.test', { sealedKey: stranger })
    await addAccount(stranger)
    const { run } = start([newer])
    await run()
    const marks = async () => [(await rowOf('a.test')).unreadableSince, (await account()).unreadableSince]
    const first = await marks()
    expect(Number(first[0])).toBeGreaterThan(clock.now() - minute)

    clock.advance(10 * minute)
    passed = minute
    await run()

    expect(await marks()).toEqual(first)
  })

  it('the key of an account is neither resealed nor marked as unreadable while another process still uses the key that sealed it', async () => {
    await addAccount(older)
    await addProcess([older])
    await start([newer, older]).run()
    expect(makeSeal([older]).keyOf((await account()).sealedKey, accountLabel(directoryUrl))).toBe('first')

    await own.db.acmeAccount.updateMany({ data: { sealedKey: closeAccount(stranger) } })
    await addProcess([newer, stranger])
    await start([newer]).run()
    expect(await account()).toMatchObject({ unreadableSince: null })
  })

  it('a process without a secrets key marks no sealed key as unreadable, and is not recorded as a holder of a secrets key', async () => {
    await addCertificate('a.test', { sealedKey: stranger })
    await addAccount(stranger)

    await start([]).run()

    expect([await rowOf('a.test'), await account()]).toMatchObject(Array(2).fill({ unreadableSince: null }))
    expect(await own.db.secretsKeyHolder.count()).toBe(0)
  })

  it.each([
    ['a key that was to be sealed again', { sealedKey: older }, { sealedKey: stranger }],
    ['a key that was to be marked as unreadable', { sealedKey: stranger }, { sealedKey: newer }],
    ['the key of an order that was to be sealed again', { sealedOrderKey: older }, { sealedOrderKey: newer }],
  ])(
    'the check of the sealed keys does not overwrite a value that another process changed during the check: %s',
    async (_, before, after) => {
      await addCertificate('a.test', before)
      const sealed = Object.entries(after).map(([of, key]) => [
        of,
        makeSeal([key]).close('another key', certificateLabel('a.test')),
      ])
      const certificate = Object.create(own.db.certificate, {
        updateMany: {
          async value(query: never) {
            await own.db.certificate.update({ where: { name: 'a.test' }, data: Object.fromEntries(sealed) })
            return own.db.certificate.updateMany(query)
          },
        },
      })

      await start(
        [newer, older],
        undefined,
        Object.create(own.db, { certificate: { value: certificate } }),
      ).run()

      expect(await rowOf('a.test')).toMatchObject({ ...Object.fromEntries(sealed), unreadableSince: null })
    },
  )

  it.each([
    ['sealed again', older],
    ['marked as unreadable', stranger],
  ])(
    'an account that was to be %s is not overwritten if another process has changed the account since it was read',
    async (_, key) => {
      await addAccount(key)
      const sealedKey = closeAccount(newer)
      const acmeAccount = Object.create(own.db.acmeAccount, {
        updateMany: {
          async value(query: never) {
            await own.db.acmeAccount.update({ where: { directoryUrl }, data: { sealedKey } })
            return own.db.acmeAccount.updateMany(query)
          },
        },
      })

      await start(
        [newer, older],
        undefined,
        Object.create(own.db, { acmeAccount: { value: acmeAccount } }),
      ).run()

      expect(await account()).toMatchObject({ sealedKey, unreadableSince: null })
    },
  )
})
