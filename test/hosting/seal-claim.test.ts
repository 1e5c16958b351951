import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findOrCreateAccountKey } from '../../src/hosting/account-key.ts'
import { accountLabel, makeSeal } from '../../src/hosting/seal.ts'
import { type ClaimedSeal, openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys, storedKeys } from '../../src/hosting/secrets-key.ts'
import { openLog } from '../../src/tools/log.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const label = accountLabel('local')
const log = openLog('silent')

describe.skipIf(!canRace())('processes without SECRETS_KEY', () => {
  const own = prepareOwnDatabase()
  let folders: string[]
  beforeEach(async () => {
    folders = []
    await own.db.secretsKey.deleteMany()
    await own.db.acmeAccount.deleteMany()
  })
  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const makeFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-seal-'))
    folders.push(folder)
    return folder
  }
  const start = (folder = makeFolder()) =>
    openSeal(
      own.db,
      storedKeys(folder, () => {}),
      log,
    )
  const written = () => folders.flatMap(folder => (existsSync(folder) ? readdirSync(folder) : []))
  const findOrCreateAccountKey = async (seal: ClaimedSeal) =>
    own.db.acmeAccount.create({
      data: { directoryUrl: 'local', sealedKey: await seal.close('a key', label) },
    })

  it('of many concurrent processes only one creates a key and seals with it, and the others leave no key file behind', async () => {
    for (let round = 0; round < 20; round++) {
      await own.db.secretsKey.deleteMany()
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
      const seals = Array.from({ length: 6 }, () => start())

      const sealed = await Promise.allSettled(seals.map(seal => seal.close('a key', label)))

      expect(sealed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(seals.filter(seal => seal.refusal()?.includes('the same SECRETS_KEY'))).toHaveLength(5)
      expect(written()).toEqual(['secrets.key'])
    }
  })

  it('all processes that share a folder seal with the one key in it', async () => {
    const folder = makeFolder()
    const seals = Array.from({ length: 6 }, () => start(folder))

    const sealed = await Promise.all(seals.map(seal => seal.close('a key', label)))

    expect(new Set(seals.flatMap(seal => sealed.map(one => seal.keyOf(one, label))))).toEqual(
      new Set(['first']),
    )
  })

  it('a process that made a key but was killed before it claimed the database uses that key again, unless another process claimed the database first', async () => {
    const [early, late] = [makeFolder(), makeFolder()]
    for (const folder of [early, late]) storedKeys(folder, () => {}).readOrMake()

    await findOrCreateAccountKey(start(early))

    await expect(start(late).close('a key', label)).rejects.toThrow('lacks the key')
    expect(start(early).open((await own.db.acmeAccount.findFirstOrThrow()).sealedKey, label)).toBe('a key')
    // The key that the process found in its folder may have sealed another database, so this key must stay.
    expect(readdirSync(late)).toEqual(['secrets.key'])
  })

  it('a process without a key creates no key when it only reads what another process has sealed, and it cannot seal', async () => {
    await findOrCreateAccountKey(start())
    const other = start()

    const { sealedKey } = await own.db.acmeAccount.findFirstOrThrow()

    expect([other.keyOf(sealedKey, label), other.fingerprints()]).toEqual([null, []])
    await expect(other.requireKey()).rejects.toThrow('lacks the key')
    expect(written()).toEqual(['secrets.key'])
  })

  it('a process without the key cannot seal secrets in an unclaimed database that stores sealed keys of an earlier version', async () => {
    const sealedKey = makeSeal([randomBytes(32)]).close('a key', label)
    await own.db.acmeAccount.create({ data: { directoryUrl: 'local', sealedKey } })

    await expect(start().close('another', label)).rejects.toThrow('lacks the key')
    expect(written()).toEqual([])
  })

  it('if a restored database lacks the claim of a process, the process can seal with its own key until another process claims the database', async () => {
    const here = start()
    await findOrCreateAccountKey(here)

    await own.db.secretsKey.deleteMany()
    await own.db.acmeAccount.deleteMany()
    await expect(here.close('a key', label)).resolves.toBeInstanceOf(Uint8Array)
    await own.db.secretsKey.deleteMany()
    await findOrCreateAccountKey(start())
    await own.db.acmeAccount.deleteMany()
    await expect(here.close('a key', label)).rejects.toThrow('lacks the key')
  })

  it('after a process has claimed the database with its key, a process with another SECRETS_KEY or with none cannot seal', async () => {
    const given = () => {
      const key = randomBytes(32)
      return openSeal(
        own.db,
        givenKeys(() => [key]),
        log,
      )
    }

    await findOrCreateAccountKey(given())
    await expect(start().close('a key', label)).rejects.toThrow('lacks the key')
    await expect(given().close('a key', label)).rejects.toThrow('lacks the key')
    await own.db.acmeAccount.deleteMany()
    await own.db.secretsKey.deleteMany()
    await findOrCreateAccountKey(start())
    await expect(given().close('a key', label)).rejects.toThrow('lacks the key')
  })

  it('SECRETS_KEY=NEW,OLD replaces a key that a process made itself: secrets are sealed with NEW', async () => {
    const folder = makeFolder()
    await findOrCreateAccountKey(start(folder))
    const [old] = storedKeys(folder, () => {}).read()
    const fresh = randomBytes(32)

    const sealed = await openSeal(
      own.db,
      givenKeys(() => [fresh, old ?? fresh]),
      log,
    ).close('a key', label)

    expect(makeSeal([fresh]).open(sealed, label)).toBe('a key')
  })
})

describe.skipIf(!canRace())('the seal of a process', () => {
  const own = prepareOwnDatabase()
  beforeEach(async () => {
    await own.db.secretsKey.deleteMany()
    await own.db.acmeAccount.deleteMany()
  })

  /** Opens a seal. Also returns the logged errors, and the paths of the keys that were made. */
  function open(keys?: Buffer[]) {
    const log = openLog('silent')
    const errors = vi.spyOn(log, 'error').mockImplementation(() => {})
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-seal-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const made: string[] = []
    const seal = openSeal(
      own.db,
      keys ? givenKeys(() => keys) : storedKeys(folder, file => made.push(file)),
      log,
    )
    return { seal, folder, made, reported: () => errors.mock.calls.map(([line]) => line) }
  }
  const file = (folder: string) => join(folder, 'secrets.key')

  it('the path of a new key is reported once, and a process that may not create a key reports no path', async () => {
    const first = open()
    for (let n = 0; n < 2; n++) await first.seal.close('a key', label)
    const late = open()
    await expect(late.seal.close('a key', label)).rejects.toThrow('lacks the key')

    expect([first.made, first.reported(), first.seal.refusal()]).toEqual([[file(first.folder)], [], null])
    expect(late.made).toEqual([])
  })

  it.each<[string, Buffer[] | undefined, (folder: string) => string]>([
    [
      'has another key',
      [randomBytes(32)],
      () => 'they cannot be decrypted with the SECRETS_KEY of this process',
    ],
    [
      'has no key',
      undefined,
      folder => `this process has no SECRETS_KEY, and they cannot be decrypted with ${file(folder)}`,
    ],
  ])('a process that %s logs that once and answers that the client should retry', async (_, keys, whose) => {
    await open([randomBytes(32)]).seal.close('a key', label)
    const { seal, folder, reported } = open(keys)

    for (const ask of [() => seal.close('a key', label), seal.requireKey, seal.requireKey])
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })

    const line = `The private keys in the database are encrypted with another key: ${whose(folder)}. Give all processes the same SECRETS_KEY (docs/domains.md), and start this process again`
    expect([reported(), seal.refusal()]).toEqual([[line], line])
  })

  it('a process that lacks the old key cannot seal until the stored secrets are sealed with its new key', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const sealedKey = await open([old]).seal.close('a key', label)
    await own.db.acmeAccount.create({ data: { directoryUrl: 'local', sealedKey } })
    await expect(open([fresh]).seal.requireKey()).rejects.toThrow('lacks the key')

    await own.db.acmeAccount.updateMany({ data: { sealedKey: makeSeal([fresh]).close('a key', label) } })

    await expect(open([fresh]).seal.requireKey()).resolves.toBeUndefined()
  })

  it('a process that lacked the key of the others can seal once SIGHUP has brought it the key', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    await open([old]).seal.close('a key', label)
    const keys = [fresh]
    const { seal, reported } = open(keys)
    await expect(seal.requireKey()).rejects.toThrow('lacks the key')

    keys.push(old)

    expect(seal.refusal()).toBeNull()
    await expect(seal.requireKey()).resolves.toBeUndefined()
    expect(reported()).toHaveLength(1)
  })

  it('a process whose key SIGHUP replaces during the claim of the database is not refused because of its old key', async () => {
    const [right, wrong] = [randomBytes(32), randomBytes(32)]
    const sealedKey = await open([right]).seal.close('a key', label)
    await own.db.acmeAccount.create({ data: { directoryUrl: 'local', sealedKey } })
    let keys = [wrong]
    const db = own.db.$extends({
      query: {
        acmeAccount: {
          async findMany({ args, query }) {
            const found = await query(args)
            keys = [right]
            return found
          },
        },
      },
    })
    const seal = openSeal(
      db as never,
      givenKeys(() => keys),
      log,
    )

    await expect(seal.requireKey()).resolves.toBeUndefined()
    expect(seal.refusal()).toBeNull()
  })

  it('a process that was never refused does not read its key to answer why it may not seal', () => {
    const { seal, folder } = open()
    writeFileSync(file(folder), 'damaged')

    expect(seal.refusal()).toBeNull()
  })

  it('each authority has one stored account, and an account whose key cannot be decrypted is not replaced', async () => {
    const { seal } = open()
    const keep = (directoryUrl: string, by = seal) =>
      findOrCreateAccountKey(own.db, by, directoryUrl, async () => `the key of ${directoryUrl}`)

    expect(await keep('local')).toEqual({ key: 'the key of local', url: null })
    expect(await keep('https://ca.test/dir')).toEqual({ key: 'the key of https://ca.test/dir', url: null })
    await expect(keep('local', open().seal)).rejects.toMatchObject({ code: 'unavailable' })

    const sealedKey = makeSeal([randomBytes(32)]).close('a key', label)
    await own.db.acmeAccount.update({ where: { directoryUrl: 'local' }, data: { sealedKey } })
    await expect(keep('local')).rejects.toMatchObject({
      code: 'key_unreadable',
      message: expect.stringContaining('Re-verify creates a new account'),
    })
    const stored = await own.db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl: 'local' } })
    expect(Buffer.from(stored.sealedKey)).toEqual(Buffer.from(sealedKey))
  })
})
