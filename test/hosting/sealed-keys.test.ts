import { beforeAll, describe, expect, it } from 'vitest'
import { readCertificateKeys, requireSecretsKey } from '../../src/hosting/sealed-keys.ts'
import { accountLabel, certificateLabel, makeSeal } from '../../src/hosting/sealing.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

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

  it('are read page by page, each of them once', async () => {
    const pages: string[][] = []
    for await (const page of readCertificateKeys(own.db)) pages.push(page.map(({ name }) => name))

    expect(pages.map(({ length }) => length)).toEqual([200, 200, 1])
    expect(pages.flat()).toEqual(names)
  })

  it('let a start pass that opens one of them, be it the last, or the account, and no other', async () => {
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
    // One that is wanted only has nothing sealed yet.
    await own.db.certificate.create({ data: { name: 'www.shop.test', wantedSince: new Date() } })
    await requireSecretsKey(own.db, ours)
  })

  it('of which the file is damaged refuse the start also where nothing is sealed yet', async () => {
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
