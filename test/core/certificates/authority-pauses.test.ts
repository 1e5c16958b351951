import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  endPauses,
  findPause,
  forgetOldPauses,
  notePause,
} from '../../../src/core/certificates/authority-pauses.ts'
import type { Project } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const hour = 3_600_000
const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const until = later(hour)
const directoryUrl = 'https://ca.test/dir'
const wordless = 'Too many orders lately.'

describe.skipIf(!canRace())('a pause that the authority asked for', () => {
  const own = prepareOwnDatabase()
  let shop: Project
  let zoo: Project
  beforeAll(async () => {
    ;[shop, zoo] = [await own.makeProject(), await own.makeProject()]
    for (const name of ['a.shop.test', 'b.shop.test', 'a.mall.test']) await own.giveDomain(shop, name)
    await own.giveDomain(zoo, 'a.zoo.test')
  })
  beforeEach(async () => {
    await own.db.acmePause.deleteMany()
  })

  const note = (name: string | null, reason = wordless) =>
    notePause(own.db, now, { directoryUrl, name, until, reason })
  /** Returns which of these names are paused; null stands for the account. */
  async function waiting(at = now, url = directoryUrl): Promise<(string | null)[]> {
    const names = ['a.shop.test', 'b.shop.test', 'a.mall.test', 'a.zoo.test', 'shop.test', null]
    const found = await Promise.all(names.map(name => findPause(own.db, at, url, name)))
    return names.filter((_, index) => found[index] !== null)
  }
  const everybody = ['a.shop.test', 'b.shop.test', 'a.mall.test', 'a.zoo.test', 'shop.test', null]
  const ofShop = ['a.shop.test', 'b.shop.test', 'shop.test']

  it.each([
    ['a name', [['a.shop.test', wordless]], ['a.shop.test']],
    ['an apex', [['shop.test', wordless]], ['shop.test']],
    [
      'an exact set of names',
      [['a.shop.test', 'too many certificates for this exact set of domains']],
      ['a.shop.test'],
    ],
    [
      'an exact set of names, in capital letters',
      [['a.shop.test', 'Too many certificates for this EXACT SET']],
      ['a.shop.test'],
    ],
    [
      'the registered domain of a name, in capital letters',
      [['a.shop.test', 'Too many for SHOP.TEST.']],
      ofShop,
    ],
    [
      'a longer name that ends with the name',
      [['a.shop.test', 'too many for www.a.shop.test']],
      ['a.shop.test'],
    ],
    ['the registered domain of a name', [['a.shop.test', 'too many already issued for "shop.test"']], ofShop],
    ['no name', [[null, wordless]], everybody],
    [
      'two names of one domain',
      [
        ['a.shop.test', wordless],
        ['b.shop.test', wordless],
      ],
      ofShop,
    ],
    [
      'two domains of one project',
      [
        ['a.shop.test', wordless],
        ['a.mall.test', wordless],
      ],
      ['a.shop.test', 'a.mall.test'],
    ],
    [
      'names of two projects',
      [
        ['a.shop.test', wordless],
        ['a.zoo.test', wordless],
      ],
      everybody,
    ],
    [
      'names of two projects, with a reason that contains only the first name',
      [
        ['a.shop.test', 'too many failures for a.shop.test'],
        ['a.zoo.test', wordless],
      ],
      ['a.shop.test', 'a.zoo.test'],
    ],
    [
      'names of two projects, with a reason that contains only the second name',
      [
        ['a.zoo.test', wordless],
        ['a.shop.test', 'too many failures for a.shop.test'],
      ],
      ['a.shop.test', 'a.zoo.test'],
    ],
  ] as [string, [string | null, string][], (string | null)[]][])(
    'after refusals of the certificate authority about %s, exactly the names that the refusals concern are paused',
    async (_, refusals, expected) => {
      for (const [name, reason] of refusals) await note(name, reason)

      expect(await waiting()).toEqual(expected)
    },
  )

  it('a second pause for a name replaces the end of the first pause', async () => {
    const noteUntil = (ms: number, reason = wordless) =>
      notePause(own.db, now, { directoryUrl, name: 'a.shop.test', until: later(ms), reason })
    await noteUntil(hour)
    await noteUntil(2 * hour, 'Too many orders of a.shop.test.')

    expect(await waiting()).toEqual(['a.shop.test'])
    expect(await findPause(own.db, now, directoryUrl, 'a.shop.test')).toEqual({
      until: later(2 * hour),
      reason: 'Too many orders of a.shop.test.',
    })
    // The reason of the second pause contains the name `a.shop.test`, so the second pause concerns only `a.shop.test`.
    // The new pause of `b.shop.test` has a reason without a name. A domain is paused only if two of its names are
    // paused for reasons without a name, so the domain `shop.test` is not paused.
    await note('b.shop.test')
    expect(await waiting()).toEqual(['a.shop.test', 'b.shop.test'])
  })

  it.each([
    ['of a name that no project has any more', { name: 'a.gone.test' }, 'a.zoo.test'],
    ['that has ended', { name: 'a.shop.test', until: now }, 'a.zoo.test'],
    ['of another authority', { name: 'a.shop.test', directoryUrl: 'https://other.test/dir' }, 'a.zoo.test'],
    ['that is in the same domain and has ended', { name: 'b.shop.test', until: now }, 'a.shop.test'],
    [
      'that is in the same domain and of another authority',
      { name: 'b.shop.test', directoryUrl: 'https://other.test/dir' },
      'a.shop.test',
    ],
  ])(
    'a new pause of a name pauses no other name, even if the database still has a pause %s',
    async (_, differs, name) => {
      await notePause(own.db, now, { ...{ directoryUrl, until, reason: wordless }, ...differs })

      await note(name)

      expect((await waiting()).filter(one => one !== differs.name)).toEqual([name])
    },
  )

  it('a refusal about one deleted name pauses only that name, but refusals about two deleted names pause their whole registered domain', async () => {
    await note('a.zoo.test')
    await note('a.gone.test')
    expect(await waiting()).toEqual(['a.zoo.test'])
    expect(await findPause(own.db, now, directoryUrl, 'a.gone.test')).toMatchObject({ until })
    expect(await findPause(own.db, now, directoryUrl, 'b.gone.test')).toBeNull()

    await note('b.gone.test')
    expect(await findPause(own.db, now, directoryUrl, 'c.gone.test')).toEqual({ until, reason: null })
  })

  it('if the certificate authority refuses names of two projects concurrently, the whole account of the service at the authority is paused', async () => {
    for (let round = 0; round < 5; round++) {
      await own.db.acmePause.deleteMany()
      await Promise.all([note('a.shop.test'), note('a.zoo.test')])
      expect(await waiting()).toEqual(everybody)
    }
  })

  it('a pause applies at its own authority only, ends at the exact millisecond, and is then deleted', async () => {
    await note('a.shop.test')

    expect(await waiting(later(hour - 1))).toEqual(['a.shop.test'])
    expect(await waiting(until)).toEqual([])
    expect(await waiting(now, 'https://other.test/dir')).toEqual([])
    await forgetOldPauses(own.db, later(hour - 1))
    expect(await own.db.acmePause.count()).toBe(1)
    await forgetOldPauses(own.db, until)
    expect(await own.db.acmePause.count()).toBe(0)
  })

  it('a pause for a name quotes the authority, but never quotes a text about another name', async () => {
    const reasonFor = async (name: string | null) =>
      (await findPause(own.db, now, directoryUrl, name))?.reason

    await note('a.shop.test', 'too many already issued for "shop.test", the last for a.shop.test.')
    expect(await reasonFor('a.shop.test')).toContain('a.shop.test')
    await own.db.acmePause.deleteMany()
    await note('a.shop.test', 'too many already issued for "shop.test"')
    expect(await reasonFor('b.shop.test')).toBeNull()
    await note(null, 'too many of this account, the last for a.shop.test')
    expect([await reasonFor('a.zoo.test'), await reasonFor(null)]).toEqual([null, null])
  })

  it('a name is paused until the last of its pauses has ended', async () => {
    const noteUntil = (name: string | null, ms: number, reason = wordless) =>
      notePause(own.db, now, { directoryUrl, name, until: later(ms), reason })
    const endFor = async (name: string, ms = 0) =>
      (await findPause(own.db, later(ms), directoryUrl, name))?.until ?? null

    await noteUntil('a.shop.test', 3 * hour)
    await noteUntil('b.shop.test', 2 * hour, 'too many already issued for "shop.test"')
    await noteUntil(null, hour)

    expect(await endFor('a.shop.test')).toEqual(later(3 * hour))
    expect(await endFor('b.shop.test')).toEqual(later(2 * hour))
    expect(await endFor('a.zoo.test')).toEqual(later(hour))
    expect(await endFor('b.shop.test', 2 * hour)).toBeNull()
  })

  it('ending a pause by hand retries at once the certificates that waited for it, and no others', async () => {
    await note(null)
    // A pause that is over is neither ended nor counted.
    await notePause(own.db, now, { directoryUrl, name: 'a.shop.test', until: now, reason: wordless })
    const wantedSince = now
    const rateLimited = { code: 'ca_rate_limited', message: '', record: null }
    await own.db.certificate.createMany({
      data: [
        { name: 'waits.test', wantedSince, nextStepAt: until, problem: rateLimited },
        { name: 'due.test', wantedSince, nextStepAt: later(-1), problem: rateLimited },
        {
          name: 'failed.test',
          wantedSince,
          nextStepAt: until,
          problem: { ...rateLimited, code: 'validation_failed' },
        },
        { name: 'fine.test', wantedSince, nextStepAt: until },
        { name: 'rests.test', wantedSince, nextStepAt: null, problem: rateLimited },
      ],
    })

    expect(await endPauses(own.db, now)).toEqual({ pauses: 1, certificates: 1 })

    expect(await waiting()).toEqual([])
    const rows = await own.db.certificate.findMany({ orderBy: { name: 'asc' } })
    expect(rows.map(({ nextStepAt }) => nextStepAt)).toEqual([...[later(-1), until, until, null], now])
  })

  it.each([
    [
      'a third of the time that the certificate of its name is still valid',
      'a.shop.test',
      30 * hour,
      10 * hour,
    ],
    [
      'the time that the authority named, if the certificate is valid for long enough',
      'a.shop.test',
      900 * hour,
      48 * hour,
    ],
    ['the time that the authority named, if the certificate has ended', 'a.shop.test', -hour, 48 * hour],
    [
      'at most a third of the time that the certificate is still valid, also if the pause is for the whole account',
      null,
      30 * hour,
      10 * hour,
    ],
  ])('a pause of the authority lasts for %s', async (_, name, leftMs, lastsMs) => {
    const life = { notBefore: later(-hour), notAfter: later(leftMs) }
    const row = { name: 'a.shop.test', wantedSince: now, ...life }
    await own.db.certificate.create({ data: row as never })
    await notePause(own.db, now, { directoryUrl, name, until: later(48 * hour), reason: wordless })
    const pauseAt = (ms: number) => findPause(own.db, later(ms), directoryUrl, 'a.shop.test')

    expect(await pauseAt(lastsMs - 1)).toMatchObject({ until: later(lastsMs) })
    expect(await pauseAt(lastsMs)).toBeNull()
    await own.db.certificate.deleteMany()
  })
})
