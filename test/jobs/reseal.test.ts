import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointLabel } from '../../src/core/events/endpoints.ts'
import { opensAny } from '../../src/hosting/private-keys.ts'
import { accountLabel, certificateLabel, makeSeal } from '../../src/hosting/seal.ts'
import { openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { reseal } from '../../src/jobs/reseal.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const [older, newer, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const name = 'www.shop.test'
const label = certificateLabel(name)
const signal = new AbortController().signal

describe.skipIf(!canRace())('keys that an older key has sealed', () => {
  const own = prepareOwnDatabase()
  beforeEach(async () => {
    await own.db.secretsKeyHolder.deleteMany()
    await own.db.certificate.deleteMany()
    await own.db.acmeAccount.deleteMany()
    await own.db.secretsKey.deleteMany()
  })

  const both = makeSeal([newer, older])
  const sealOf = (keys: Buffer[]) =>
    openSeal(
      own.db,
      givenKeys(() => keys),
      openLog('silent'),
    )
  /** Starts a process with these secrets keys. A test changes the keys of the process by changing the array. */
  const work = (keys = [newer, older]) => {
    const [metrics, seal] = [openMetrics(), sealOf(keys)]
    return { metrics, ...reseal({ db: own.db, clock: systemClock, log: openLog('silent'), seal, metrics }) }
  }
  /**
   * Starts a process, and records two times for each page of certificates that the process reads: `from` is the time
   * before the read, and `to` is the time when the process last looked up which secrets key had sealed a key of the
   * page.
   */
  const watchedWork = (keys: Buffer[]) => {
    const looks: { from: number; to: number }[] = []
    const given = sealOf(keys)
    const seal: typeof given = {
      ...given,
      keyOf(sealed, of) {
        const look = looks.at(-1)
        if (look) look.to = performance.now()
        return given.keyOf(sealed, of)
      },
    }
    const certificate = Object.create(own.db.certificate, {
      findMany: {
        value: async (query: never) => {
          const from = performance.now()
          const page = await own.db.certificate.findMany(query)
          looks.push({ from, to: performance.now() })
          return page
        },
      },
    })
    const db = Object.create(own.db, { certificate: { value: certificate } })
    const metrics = openMetrics()
    return { looks, metrics, ...reseal({ db, clock: systemClock, log: openLog('silent'), seal, metrics }) }
  }
  const addCertificate = (key: Buffer) =>
    own.db.certificate.create({
      data: {
        name,
        wantedSince: new Date(),
        sealedKey: makeSeal([key]).close('the key', label),
        sealedOrderKey: makeSeal([key]).close('the key of an order', label),
      },
    })
  const rowOf = () => own.db.certificate.findUniqueOrThrow({ where: { name } })
  const sealedBy = async () => {
    const { sealedKey, sealedOrderKey } = await rowOf()
    return [sealedKey, sealedOrderKey].map(sealed => both.keyOf(sealed ?? new Uint8Array(), label))
  }
  /** Adds another process that reported these keys this many seconds ago. */
  const addProcess = async (keys: Buffer[], secondsAgo: number) => {
    const fingerprints = makeSeal(keys).fingerprints()
    await own.db.$executeRaw`
      INSERT INTO "secrets_key_holders" (process_id, fingerprints, seen_at)
      VALUES (${randomUUID()}::uuid, ${fingerprints}, now() - make_interval(secs => ${secondsAgo}::int))`
  }

  it('private keys, even those of orders, are resealed once every running process can open them', async () => {
    await addCertificate(older)
    await addProcess([older, newer], 1)

    await work().run(null, signal)

    expect(await sealedBy()).toEqual(['first', 'first'])
    const { sealedKey } = await rowOf()
    expect(both.open(sealedKey ?? new Uint8Array(), label)).toBe('the key')
  })

  it('the secrets of webhook endpoints are resealed, and a starting process also tests whether its keys can open these secrets', async () => {
    const { id: projectId } = await own.makeProject()
    const id = randomUUID()
    const sealed = (key: Buffer, secret: string) => makeSeal([key]).close(secret, endpointLabel(id))
    const secrets = { sealedSecret: sealed(older, 'whsec_1'), sealedPreviousSecret: sealed(older, 'whsec_0') }
    await own.db.webhookEndpoint.create({
      data: { id, projectId, url: 'https://shop.test/', delivered: 0n, ...secrets },
    })
    const opens = await Promise.all([[newer], [newer, older]].map(keys => opensAny(own.db, makeSeal(keys))))
    await addProcess([older, newer], 1)

    await work().run(null, signal)

    const row = await own.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    const after = [row.sealedSecret, row.sealedPreviousSecret ?? new Uint8Array()]
    await own.db.webhookEndpoint.deleteMany()
    expect(opens).toEqual([false, true])
    expect(after.map(one => makeSeal([newer]).open(one, endpointLabel(id)))).toEqual(['whsec_1', 'whsec_0'])
  })

  it('keys are not resealed while a process without the new key runs, and a dead process does not count', async () => {
    await addCertificate(older)
    await addProcess([older], 10)
    const { run, metrics } = work()
    await run(null, signal)
    expect(await sealedBy()).toEqual(['older', 'older'])
    expect(metrics.sealed.older).toBe(2)

    await own.db.secretsKeyHolder.deleteMany()
    await addProcess([older], 16)
    await work().run(null, signal)
    expect(await sealedBy()).toEqual(['first', 'first'])
  })

  it('keys are not resealed while another process keeps reporting older keys', async () => {
    await addCertificate(older)
    const other = work([older])
    await other.run(null, signal)
    // Move the first report of the other process 14 seconds into the past, and let the other process report again. Five
    // seconds later, only the second report is recent enough to count the other process as running.
    await own.db.$executeRaw`UPDATE secrets_key_holders SET seen_at = now() - interval '14 seconds'`
    await other.run(null, signal)
    await own.db.$executeRaw`UPDATE secrets_key_holders SET seen_at = seen_at - interval '5 seconds'`
    await work().run(null, signal)
    expect(await sealedBy()).toEqual(['older', 'older'])

    await other.end?.()
    await work().run(null, signal)
    expect(await sealedBy()).toEqual(['first', 'first'])
  })

  it('keys are resealed after a running process has received the new key', async () => {
    await addCertificate(older)
    const keys = [older]
    const { run } = work(keys)
    await run(null, signal)

    keys.unshift(newer)
    await run(null, signal)

    expect(await own.db.secretsKeyHolder.findMany()).toMatchObject([{ fingerprints: both.fingerprints() }])
    expect(await sealedBy()).toEqual(['first', 'first'])
  })

  it('keys that only a running process with a new key can open are not marked as unreadable', async () => {
    const keys = [older]
    const { run } = work(keys)
    await run(null, signal)
    keys.unshift(newer)
    await run(null, signal)
    await addCertificate(newer)

    await work([older]).run(null, signal)

    expect(await rowOf()).toMatchObject({ unreadableSince: null })
  })

  it('keys that no process can open are marked as unreadable, and unmarked when a process can open them', async () => {
    await addCertificate(stranger)
    await addProcess([newer, stranger], 1)
    await work().run(null, signal)
    expect(await rowOf()).toMatchObject({ unreadableSince: null })

    await own.db.secretsKeyHolder.deleteMany()
    const { run, metrics } = work()
    await run(null, signal)
    expect(await rowOf()).toMatchObject({ unreadableSince: expect.any(Date) })
    expect(metrics.sealed.unreadable).toBe(1)

    await own.db.secretsKeyHolder.deleteMany()
    await work([newer, stranger]).run(null, signal)
    expect(await rowOf()).toMatchObject({ unreadableSince: null })
  })

  it('keys of accounts are resealed, marked as unreadable and unmarked like the keys of certificates', async () => {
    const directoryUrl = 'https://ca.test/dir'
    const close = (key: Buffer) => makeSeal([key]).close('the key', accountLabel(directoryUrl))
    const account = () => own.db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl } })
    const look = async (keys: Parameters<typeof work>[0]) => {
      const { run, metrics } = work(keys)
      await own.db.secretsKeyHolder.deleteMany()
      await run(null, signal)
      return metrics.sealed
    }
    await own.db.acmeAccount.create({ data: { directoryUrl, sealedKey: close(older) } })

    expect(await look([newer, older])).toMatchObject({ older: 1 })
    expect(both.keyOf((await account()).sealedKey, accountLabel(directoryUrl))).toBe('first')
    expect(await look([newer, older])).toEqual({ older: 0, unreadable: 0 })

    await own.db.acmeAccount.updateMany({ data: { sealedKey: close(stranger) } })
    expect(await look([newer])).toEqual({ older: 0, unreadable: 1 })
    expect(await account()).toMatchObject({ unreadableSince: expect.any(Date) })
    expect(await look([newer, stranger])).toMatchObject({ unreadable: 0 })
    expect(await account()).toMatchObject({ unreadableSince: null })
  })

  it('the log says that older keys may be removed even if other keys are unreadable, and reports the unreadable keys', async () => {
    const log = openLog('silent')
    const lines: string[] = []
    log.info = ((text: string) => void lines.push(text)) as typeof log.info
    log.error = ((_: object, text: string) => void lines.push(text)) as typeof log.error
    await addCertificate(older)
    const lost = { name: 'www.lost.test', wantedSince: new Date() }
    const sealedKey = makeSeal([stranger]).close('the key', certificateLabel(lost.name))
    await own.db.certificate.create({ data: { ...lost, sealedKey } })

    for (const _ of ['sealed anew', 'seen']) {
      const seal = sealOf([newer, older])
      await reseal({ db: own.db, clock: systemClock, log, seal, metrics: openMetrics() }).run(null, signal)
    }

    expect(await sealedBy()).toEqual(['first', 'first'])
    expect(lines).toEqual([
      expect.stringMatching(/^private keys in the database cannot be opened/),
      'every secret that can be opened is sealed with the first key of SECRETS_KEY; remove the other keys',
      expect.stringMatching(/^private keys in the database cannot be opened/),
    ])
  })

  it('a failed check of the keys is repeated a moment later', { timeout: 20_000 }, async () => {
    await addCertificate(older)
    let isAway = true
    const certificate = Object.create(own.db.certificate, {
      findMany: {
        async value(query: never) {
          if (isAway) throw new Error('away')
          return own.db.certificate.findMany(query)
        },
      },
    })
    const db = Object.create(own.db, { certificate: { value: certificate } })
    const metrics = openMetrics()
    const seal = sealOf([newer, older])
    const { run } = reseal({ db, clock: systemClock, log: openLog('silent'), seal, metrics })
    await expect(run(null, signal)).rejects.toThrow('away')
    expect(metrics.sealed.older).toBeNull()

    isAway = false

    const isSealedAnew = async () => {
      await run(null, signal)
      return (await sealedBy())[0]
    }
    await expect.poll(isSealedAnew, { interval: 250, timeout: 15_000 }).toBe('first')
  })

  it('sealed keys are checked in pages with pauses between them, while the process keeps recording itself in the database as a key holder', async () => {
    const data = Array.from({ length: 250 }, (_, n) => ({
      name: `${n}.test`,
      wantedSince: new Date(),
      sealedKey: makeSeal([newer]).close('the key', certificateLabel(`${n}.test`)),
    }))
    await own.db.certificate.createMany({ data })
    const { looks, metrics, run, mostAtOnce } = watchedWork([newer])

    const looking = run(null, signal)
    await expect.poll(() => looks.length, { interval: 5 }).toBeGreaterThan(0)
    await own.db.secretsKeyHolder.deleteMany()
    await run(null, signal)
    expect(await own.db.secretsKeyHolder.count()).toBe(1)
    await looking

    expect(mostAtOnce).toBe(2)
    expect(looks).toHaveLength(2)
    expect(metrics.sealed.unreadable).toBe(0)
    for (const [n, { from, to }] of looks.slice(0, -1).entries()) {
      expect((looks[n + 1]?.from ?? 0) - to).toBeGreaterThan(Math.min(100, 5 * (to - from)))
    }
  })

  it('older keys count as still in use if a process with only an older key ran during the check', async () => {
    await addCertificate(newer)
    const { looks, run, metrics } = watchedWork([newer, older])
    await addProcess([older], 1)
    const looking = run(null, signal)
    await expect.poll(() => looks.length).toBe(1)
    await own.db.secretsKeyHolder.deleteMany()
    await run(null, signal)
    await looking

    expect(metrics.sealed.older).toBeNull()
  })

  it('resealing does not overwrite a certificate issued in between', async () => {
    await addCertificate(older)
    const issued = makeSeal([newer]).close('the key of a new certificate', label)
    // While the process opens the sealed key of the old certificate, another process stores a new certificate.
    let isIssued: Promise<unknown> | null = null
    const slow = {
      ...sealOf([newer, older]),
      open(sealed: Uint8Array, of: string) {
        isIssued ??= own.db.certificate.update({ where: { name }, data: { sealedKey: issued } })
        return both.open(sealed, of)
      },
    }
    const certificate = Object.create(own.db.certificate, {
      updateMany: {
        value: async (query: never) => {
          await isIssued
          return own.db.certificate.updateMany(query)
        },
      },
    })
    const db = Object.create(own.db, { certificate: { value: certificate } })
    const tools = { db, clock: systemClock, log: openLog('silent'), seal: slow, metrics: openMetrics() }

    await reseal(tools).run(null, signal)

    const { sealedKey } = await rowOf()
    expect(both.open(sealedKey ?? new Uint8Array(), label)).toBe('the key of a new certificate')
  })
})
