import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { readCertificateKeys, requireSecretsKey } from '../../src/hosting/private-keys.ts'
import { accountLabel, certificateLabel, makeSeal } from '../../src/hosting/seal.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]

test('a sealed secret opens with its key and its label only', () => {
  const sealed = makeSeal([old]).close('secret', 'certificate:a.test')

  expect(makeSeal([old]).open(sealed, 'certificate:a.test')).toBe('secret')
  expect(() => makeSeal([fresh]).open(sealed, 'certificate:a.test')).toThrow('SECRETS_KEY')
  expect(() => makeSeal([old]).open(sealed, 'certificate:b.test')).toThrow('SECRETS_KEY')
})

test('a change of any byte is detected', () => {
  const sealed = makeSeal([old]).close('secret', 'x')

  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte))
    expect(() => makeSeal([old]).open(changed, 'x'), `byte ${at}`).toThrow()
  }
})

test('the same secret is sealed differently each time', () => {
  const seal = makeSeal([old])

  expect(Buffer.from(seal.close('secret', 'x'))).not.toEqual(Buffer.from(seal.close('secret', 'x')))
})

test('after a change of keys the old key still opens and the new key seals', () => {
  const sealed = makeSeal([old]).close('secret', 'x')
  const both = makeSeal([fresh, old])

  expect(both.open(sealed, 'x')).toBe('secret')
  expect(makeSeal([fresh]).open(both.close('new', 'x'), 'x')).toBe('new')
})

test('a truncated or random text opens with no key and throws no error', () => {
  const sealed = makeSeal([old]).close('', 'x')

  for (let length = 0; length < sealed.length; length++) {
    expect(makeSeal([old]).keyOf(sealed.slice(0, length), 'x'), `${length} bytes`).toBeNull()
  }
  expect(makeSeal([old]).keyOf(sealed, 'x')).toBe('first')
  expect(makeSeal([old]).keyOf(randomBytes(100), 'x')).toBeNull()
})

test('the key that opens a secret is reported, so that secrets of older keys can be sealed again', () => {
  const both = makeSeal([fresh, old])

  expect(both.keyOf(both.close('secret', 'x'), 'x')).toBe('first')
  expect(both.keyOf(makeSeal([old]).close('secret', 'x'), 'x')).toBe('older')
  expect(both.keyOf(makeSeal([randomBytes(32)]).close('secret', 'x'), 'x')).toBeNull()
})

test('fingerprints identify the keys in their order and reveal nothing of them', () => {
  const fingerprints = makeSeal([fresh, old]).fingerprints()

  expect(fingerprints).toEqual([fresh, old].flatMap(key => makeSeal([key]).fingerprints()))
  expect(new Set(fingerprints).size).toBe(2)
  for (const one of fingerprints) {
    expect(one).toMatch(/^[0-9a-f]{16}$/)
    expect(`${fresh.toString('hex')} ${old.toString('hex')}`).not.toContain(one)
  }
})

test('sealing a secret without a key throws an error', () => {
  expect(() => makeSeal([]).close('secret', 'x')).toThrow('needs a key')
})

const [ours, theirs] = [makeSeal([Buffer.alloc(32, 1)]), makeSeal([Buffer.alloc(32, 2)])]
const names = Array.from({ length: 401 }, (_, n) => `shop-${String(n).padStart(3, '0')}.test`)

describe.skipIf(!canRace())('the sealed keys of certificates', () => {
  const own = prepareOwnDatabase()
  beforeAll(async () => {
    const sealed = (name: string, n: number) =>
      (n === 400 ? ours : theirs).close('key', certificateLabel(name))
    await own.db.certificate.createMany({
      data: names.map((name, n) => ({ name, wantedSince: new Date(), sealedKey: sealed(name, n) })),
    })
  })

  it('the sealed keys of certificates are read page by page, and each key once', async () => {
    const pages: string[][] = []
    for await (const page of readCertificateKeys(own.db)) pages.push(page.map(({ name }) => name))

    expect(pages.map(({ length }) => length)).toEqual([200, 200, 1])
    expect(pages.flat()).toEqual(names)
  })

  it('a process starts if its key opens at least one of the stored certificates and accounts, and not if it opens none of them', async () => {
    const stranger = makeSeal([Buffer.alloc(32, 3)])
    await requireSecretsKey(own.db, ours)
    await expect(requireSecretsKey(own.db, stranger)).rejects.toThrow(StartRefused)

    const directoryUrl = 'https://ca.test/dir'
    const sealedKey = stranger.close('key', accountLabel(directoryUrl))
    await own.db.acmeAccount.create({ data: { directoryUrl, sealedKey } })
    await requireSecretsKey(own.db, stranger)
    await requireSecretsKey(own.db, ours)

    await own.db.certificate.deleteMany()
    await expect(requireSecretsKey(own.db, ours)).rejects.toThrow(StartRefused)
    const another = { directoryUrl: 'local', sealedKey: ours.close('key', accountLabel('local')) }
    await own.db.acmeAccount.create({ data: another })
    for (const seal of [ours, stranger]) await requireSecretsKey(own.db, seal)

    await own.db.acmeAccount.deleteMany()
    await requireSecretsKey(own.db, ours)
    // A certificate that is only requested has no sealed key yet.
    await own.db.certificate.create({ data: { name: 'www.shop.test', wantedSince: new Date() } })
    await requireSecretsKey(own.db, ours)
  })

  it('a damaged key file fails the start even if nothing is sealed yet', async () => {
    await own.db.certificate.deleteMany()
    const damaged = {
      keyOf: () => null,
      fingerprints: () => {
        throw new StartRefused('damaged')
      },
    }

    await expect(requireSecretsKey(own.db, damaged)).rejects.toThrow('damaged')
  })
})
