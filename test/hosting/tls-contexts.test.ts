import acme from 'acme-client'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { openHosts } from '../../src/hosting/hosts.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { certificateLabel, makeSeal } from '../../src/hosting/seal.ts'
import { openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { openContexts } from '../../src/hosting/tls-contexts.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { changesByHand } from '../support/changes-by-hand.ts'

describe('the TLS contexts of served hosts', () => {
  const name = 'www.shop.test'
  const hosts = { what: 'hosts' } as const
  const [ours, theirs] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  type Issued = { chain: string; sealedKey: Uint8Array }
  let first: Issued
  let renewed: Issued
  let certificate: Issued
  let read: number

  beforeAll(async () => {
    const root = await makeRoot(systemClock)
    const issue = async () => {
      const [key, csr] = await acme.crypto.createCsr({ altNames: [name] })
      const chain = await signLeaf(root, name, csr, systemClock)
      return { chain, sealedKey: makeSeal([ours]).close(key.toString(), certificateLabel(name)) }
    }
    ;[first, renewed] = [await issue(), await issue()]
  })
  beforeEach(() => {
    ;[certificate, read] = [first, 0]
  })

  /** A fake database. */
  const db = {
    $queryRaw: async () => [
      {
        ...{ host: name, id: 1, slug: 'shop', name: 'Shop', plan: 'pro', domains_grace_ends_at: null },
        configuration: { title: null, description: null, domains: { primary: null, redirects: [] } },
        ...{ suspended_at: null, verified_names: [name], certified_until: new Date() },
      },
    ],
    certificate: {
      async findMany() {
        read++
        return [{ name, ...certificate }]
      },
    },
  } as unknown as PrismaClient

  function open(key = ours, log = openLog('silent')) {
    const seal = openSeal(
      db,
      givenKeys(() => [key]),
      log,
    )
    const changes = changesByHand()
    const served = openHosts({ db, clock: systemClock, changes, platformHost: 'animals.test' })
    const { find } = openContexts({ db, hosts: served, seal, log })
    return { changes, find: () => find(name) }
  }

  test('a certificate is read and opened once for concurrent and later handshakes', async () => {
    const { find } = open()

    const contexts = new Set([...(await Promise.all([find(), find(), find()])), await find()])

    expect([contexts.size, contexts.has(null), read]).toEqual([1, false, 1])
  })

  test('a change of a project that does not change its certificate does not decrypt the private key again', async () => {
    const { changes, find } = open()
    const before = await find()

    changes.announce({ ...hosts, projectId: 1 })

    expect(await find()).toBe(before)
    expect(read).toBe(2)
  })

  test.each([
    ['a change of its name', { ...hosts, name }],
    ['a change of its project', { ...hosts, projectId: 1 }],
    ['a change of all hosts', hosts],
    ['a failed read of the log', null],
  ])('a renewed certificate is used in the next handshake after %s', async (_, change) => {
    const { changes, find } = open()
    const before = await find()
    certificate = renewed

    changes.announce(change)

    expect(await find()).not.toBe(before)
    expect(await find()).not.toBeNull()
  })

  test.each([
    ['whose key cannot be decrypted', theirs, () => first],
    ['that cannot be parsed', ours, () => ({ ...first, chain: 'no chain' })],
    ['that belongs to another key', ours, () => ({ ...first, chain: renewed.chain })],
  ])('a handshake is rejected and one error is logged for a certificate %s', async (_, key, given) => {
    certificate = given()
    const log = openLog('silent')
    const lines = vi.spyOn(log, 'error').mockImplementation(() => {})
    const { find } = open(key, log)

    expect([await find(), await find()]).toEqual([null, null])

    expect(lines.mock.calls).toEqual([[{ error: expect.any(Error), name }, 'a certificate cannot be used']])
  })
})

describe('the cache of TLS contexts', () => {
  const name = 'www.shop.test'
  const hosts = { what: 'hosts' } as const
  const [ours, theirs] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  let chain: string
  let key: string
  const minute = 60_000

  /**
   * The fake database returns rows with `certifiedUntil` and `certificate`. If `fault` is set, reading certificates
   * throws `fault`. The test with 500 names uses an invalid certificate, because an attempt to open an invalid
   * certificate takes no time.
   */
  let certifiedUntil: Date | null
  let certificate: { chain: string | null; sealedKey: Uint8Array | null } | null
  let fault: Error | null
  /** Names whose certificates were read. */
  let read: string[]

  beforeAll(async () => {
    const [made, csr] = await acme.crypto.createCsr({ altNames: [name] })
    key = made.toString()
    chain = await signLeaf(await makeRoot(systemClock), name, csr, systemClock)
  })
  const sealedWith = (by: Buffer) => makeSeal([by]).close(key, certificateLabel(name))
  beforeEach(() => {
    ;[certifiedUntil, fault, read] = [new Date(), null, []]
    certificate = { chain, sealedKey: sealedWith(ours) }
  })

  const db = {
    $queryRaw: async (_text: unknown, names: string[]) =>
      names.map(host => ({
        ...{ host, id: 1, slug: 'shop', name: 'Shop', plan: 'pro', domains_grace_ends_at: null },
        configuration: { title: null, description: null, domains: { primary: null, redirects: [] } },
        ...{ suspended_at: null, verified_names: [], certified_until: certifiedUntil },
      })),
    certificate: {
      async findMany({ where }: { where: { name: { in: string[] } } }) {
        if (fault) throw fault
        const names = where.name.in
        read.push(...names)
        return certificate ? names.map(name => ({ name, ...certificate })) : []
      },
    },
  } as unknown as PrismaClient

  function open(keys = [ours]) {
    const log = openLog('silent')
    const seal = openSeal(
      db,
      givenKeys(() => keys),
      log,
    )
    const changes = changesByHand()
    const served = openHosts({ db, clock: systemClock, changes, platformHost: 'animals.test' })
    const errors = vi.spyOn(log, 'error').mockImplementation(() => {})
    return { changes, errors, find: openContexts({ db, hosts: served, seal, log }).find }
  }
  const readOf = (one: string) => read.filter(other => other === one).length

  /** Lets a test move performance.now(), from which the cache computes the age of its entries. */
  function movableTime() {
    const now = performance.now.bind(performance)
    let ahead = 0
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    onTestFinished(() => spy.mockRestore())
    return async (ms: number) => {
      ahead += ms
      // The cache reads the time once a millisecond at most.
      const before = now()
      await expect.poll(() => now() - before, { interval: 5 }).toBeGreaterThan(5)
    }
  }

  test('a full cache of 500 TLS contexts caches another context only after a cached context was unused for minutes', async () => {
    const advance = movableTime()
    const { changes, find } = open()
    certificate = { chain: 'none that can be used', sealedKey: new Uint8Array() }
    const names = Array.from({ length: 500 }, (_, n) => `shop${n}.test`)
    await Promise.all(names.map(find))

    for (const one of ['late.test', 'late.test', 'shop0.test', 'shop499.test']) await find(one)
    expect(['late.test', 'shop0.test', 'shop499.test'].map(readOf)).toEqual([2, 1, 1])

    // An entry whose host has changed is read once more, but keeps its place in the cache.
    changes.announce({ ...hosts, projectId: 1 })
    for (const one of ['shop5.test', 'shop5.test']) await find(one)
    expect(readOf('shop5.test')).toBe(2)

    await advance(4 * minute)
    await find('shop5.test')
    await advance(minute)
    for (const one of ['late.test', 'late.test', 'shop5.test', 'shop6.test']) await find(one)
    expect(['late.test', 'shop5.test', 'shop6.test'].map(readOf)).toEqual([3, 2, 2])
    await advance(4 * minute)
    await find('shop5.test')
    expect(readOf('shop5.test')).toBe(2)
  })

  test('a handshake for a host without a certificate is rejected without reading anything', async () => {
    certifiedUntil = null

    expect(await open().find(name)).toBeNull()

    expect(read).toEqual([])
  })

  test.each<[string, () => typeof certificate]>([
    ['is missing', () => null],
    ['is still ordered', () => ({ chain: null, sealedKey: null })],
    ['has no key', () => ({ chain, sealedKey: null })],
    ['has no chain', () => ({ chain: null, sealedKey: sealedWith(ours) })],
  ])(
    'a handshake is rejected without a log line while a certificate %s, and the next one reads it again',
    async (_, given) => {
      const { errors, find } = open()
      certificate = given()
      expect(await find(name)).toBeNull()

      certificate = { chain, sealedKey: sealedWith(ours) }

      expect(await find(name)).not.toBeNull()
      expect(errors).not.toHaveBeenCalled()
    },
  )

  test('a certificate whose read failed is read again in the next handshake', async () => {
    const { find } = open()
    fault = new Error('a bug of our own')

    await expect(find(name)).rejects.toThrow('a bug of our own')
    fault = null

    expect(await find(name)).not.toBeNull()
  })

  test('the last certificate is used while the database is down, but other errors are thrown', async () => {
    const { changes, find } = open()
    const before = await find(name)
    changes.announce({ ...hosts, projectId: 1 })

    fault = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    expect(await find(name)).toBe(before)
    await expect(find('www.zoo.test')).rejects.toThrow('connect')

    fault = new Error('a bug of our own')
    await expect(find(name)).rejects.toThrow('a bug of our own')
  })

  test('a private key that could not be decrypted is tried again after it is sealed with another key', async () => {
    certificate = { chain, sealedKey: sealedWith(theirs) }
    const { changes, find } = open()
    expect(await find(name)).toBeNull()

    certificate = { chain, sealedKey: sealedWith(ours) }
    changes.announce({ ...hosts, name })

    expect(await find(name)).not.toBeNull()
  })

  test('a private key that could not be decrypted is tried again when SECRETS_KEY changes, and logged once for each SECRETS_KEY', async () => {
    const keys = [theirs]
    const { errors, find } = open(keys)
    for (let n = 0; n < 2; n++) expect(await find(name)).toBeNull()
    keys.unshift(Buffer.alloc(32, 9))
    for (let n = 0; n < 2; n++) expect(await find(name)).toBeNull()
    expect(errors).toHaveBeenCalledTimes(2)

    keys.unshift(ours)

    const found = await find(name)
    expect(found).not.toBeNull()
    expect(await find(name)).toBe(found)
    expect(errors).toHaveBeenCalledTimes(2)
  })
})
