import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { keepAccount } from '../../src/hosting/kept-account.ts'
import { openSeal } from '../../src/hosting/own-seal.ts'
import { accountLabel, makeSeal } from '../../src/hosting/sealing.ts'
import { givenKeys, keptKeys } from '../../src/hosting/secrets-key.ts'
import { openLog } from '../../src/tools/log.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const label = accountLabel('local')

describe.skipIf(!canRace())('a process that seals', () => {
  const own = prepareOwnDatabase()
  beforeEach(async () => {
    await own.db.secretsKey.deleteMany()
    await own.db.acmeAccount.deleteMany()
  })

  /** With what its operator is told: by the log, and of a key that was made for it. */
  function open(keys?: Buffer[]) {
    const log = openLog('silent')
    const errors = vi.spyOn(log, 'error').mockImplementation(() => {})
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-seal-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const made: string[] = []
    const seal = openSeal(own.db, keys ? givenKeys(keys) : keptKeys(folder, file => made.push(file)), log)
    return { seal, folder, made, told: () => errors.mock.calls.map(([line]) => line) }
  }
  const file = (folder: string) => join(folder, 'secrets.key')

  it('tells once of the key that it made, and nothing where it made none', async () => {
    const first = open()
    for (let n = 0; n < 2; n++) await first.seal.close('a key', label)
    const late = open()
    await expect(late.seal.close('a key', label)).rejects.toThrow('lacks the key')

    expect([first.made, first.told(), first.seal.refusal()]).toEqual([[file(first.folder)], [], null])
    expect(late.made).toEqual([])
  })

  it.each<[string, Buffer[] | undefined, (folder: string) => string]>([
    ['has another key', [randomBytes(32)], () => 'SECRETS_KEY of this process is not it'],
    ['has none', undefined, folder => `this process has no SECRETS_KEY, and ${file(folder)} is not it`],
  ])('and %s says so once, and has whoever asks come again', async (_, keys, whose) => {
    await open([randomBytes(32)]).seal.close('a key', label)
    const { seal, folder, told } = open(keys)

    for (const ask of [() => seal.close('a key', label), seal.requireKey, seal.requireKey])
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })

    const line = `The private keys in the database are sealed with another key, and ${whose(folder)}: give all processes the same SECRETS_KEY (docs/domains.md), and start this one again`
    expect([told(), seal.refusal()]).toEqual([[line], line])
  })

  it('may do so with the new key alone, once that opens what is there', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const sealedKey = await open([old]).seal.close('a key', label)
    await own.db.acmeAccount.create({ data: { directoryUrl: 'local', sealedKey } })
    await expect(open([fresh]).seal.requireKey()).rejects.toThrow('lacks the key')

    await own.db.acmeAccount.updateMany({ data: { sealedKey: makeSeal([fresh]).close('a key', label) } })

    await expect(open([fresh]).seal.requireKey()).resolves.toBeUndefined()
  })

  it('keeps one account for each authority, and makes none in place of one that does not open', async () => {
    const { seal } = open()
    const keep = (directoryUrl: string, by = seal) =>
      keepAccount(own.db, by, directoryUrl, async () => `the key of ${directoryUrl}`)

    expect(await keep('local')).toEqual({ key: 'the key of local', url: null })
    expect(await keep('https://ca.test/dir')).toEqual({ key: 'the key of https://ca.test/dir', url: null })
    await expect(keep('local', open().seal)).rejects.toMatchObject({ code: 'unavailable' })

    const sealedKey = makeSeal([randomBytes(32)]).close('a key', label)
    await own.db.acmeAccount.update({ where: { directoryUrl: 'local' }, data: { sealedKey } })
    await expect(keep('local')).rejects.toMatchObject({
      code: 'key_unreadable',
      message: expect.stringContaining('Re-verify opens a new account'),
    })
    const kept = await own.db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl: 'local' } })
    expect(Buffer.from(kept.sealedKey)).toEqual(Buffer.from(sealedKey))
  })
})
