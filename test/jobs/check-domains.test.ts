import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DnsVerdict } from '../../src/core/hosts/dns-verdict.ts'
import type { Domain, Project } from '../../src/generated/prisma/client.ts'
import { checkDomains } from '../../src/jobs/check-domains.ts'
import { dnsLook } from '../support/dns-look.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)

describe.skipIf(!canRace())('DNS checks of domains', () => {
  const own = prepareOwnDatabase()
  let paying: Project
  let free: Project
  beforeAll(async () => {
    ;[paying, free] = [await own.makeProject('pro'), await own.makeProject('free')]
  })
  let at: Date
  let checked: string[]
  let woken: number
  /** The fault that a DNS check finds in the records of a domain; null if the records have no fault. */
  let found: DnsVerdict['code']
  beforeEach(async () => {
    await own.db.domain.deleteMany()
    ;[at, checked, woken, found] = [now, [], 0, null]
  })

  const work = (db = own.db) =>
    checkDomains(
      {
        ...{ db, clock: { now: () => at.getTime(), aheadMs: () => 0 }, platformHost: 'animals.test' },
        nameRules: { platformHost: 'animals.test', ownHosts: ['staging.own.test'], suffixes: ['test'] },
        async checkDns(name, target) {
          checked.push(`${name} at ${target}`)
          return dnsLook(found)
        },
      },
      () => woken++,
    )
  const add = (name: string, data: Partial<Domain> = {}, { id: projectId } = paying) =>
    own.db.domain.create({
      data: { projectId, name, createdAt: now, looksSince: now, nextLookAt: now, ...data } as never,
    })
  const claim = async (most = 10) => (await work().claim(most)).map(({ name }) => name).toSorted()

  it('each DNS check is taken by one process, even if several want it', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `shop-${String(n).padStart(2, '0')}.test`)
    for (const name of names) await add(name)

    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(12)))).flat()

    expect(claimed.toSorted()).toEqual(names)
    expect(await claim()).toEqual([])
  })

  it('due DNS checks are taken in the order of their due times, at most as many as the worker has free slots', async () => {
    await add('late.test', { nextLookAt: later(-1) })
    await add('later.test', { nextLookAt: later(1) })
    await add('latest.test', { nextLookAt: later(-2) })
    await add('resting.test', { nextLookAt: null })
    await add('now.test')

    expect(await claim(1)).toEqual(['latest.test'])
    expect(await claim()).toEqual(['late.test', 'now.test'])
  })

  it('the DNS checks of a dead process are taken over after half a minute', async () => {
    await add('shop.test')
    await claim()

    at = later(30_000 - 1)
    expect(await claim()).toEqual([])
    at = later(30_000)
    expect(await claim()).toEqual(['shop.test'])
  })

  it('if the plan of a project includes no domains, only its domains that were live before are checked', async () => {
    await add('new.test', {}, free)
    await add('had.test', { ownedName: 'had.test', state: 'live', verifiedAt: now }, free)
    await add('paid.test')

    expect(await claim()).toEqual(['had.test', 'paid.test'])
    await own.db.project.update({ where: { id: free.id }, data: { planName: 'pro' } })
    expect(await claim()).toEqual(['new.test'])
    await own.db.project.update({ where: { id: free.id }, data: { planName: 'free' } })
  })

  it('a DNS check compares the record with the project’s own host, and starts the certificate of a proven name once', async () => {
    await add('shop.test')
    const looks = work()
    const [due] = await looks.claim(1)
    if (!due) throw new Error('nothing was due')

    await looks.run(due, new AbortController().signal)
    expect([checked, woken]).toEqual([[`shop.test at ${paying.slug}.animals.test`], 1])

    at = later(2 * 86_400_000)
    const [again] = await looks.claim(1)
    if (!again) throw new Error('nothing was due a day after')
    await looks.run(again, new AbortController().signal)
    expect([checked.length, woken]).toEqual([2, 1])
  })

  it.each([
    ['checked', { nextLookAt: later(1), leasedUntil: null }],
    ['leased', { leasedUntil: later(30_000) }],
  ])(
    'a process does not take a due DNS check if another process has already %s the domain since the check was read',
    async (_, data) => {
      await add('shop.test')
      // After this process has read the due rows, another process changes them before this process can lease them.
      const domain = Object.create(own.db.domain, {
        findMany: {
          async value(query: never) {
            const due = await own.db.domain.findMany(query)
            await own.db.domain.updateMany({ data })
            return due
          },
        },
      })

      expect(await work(Object.create(own.db, { domain: { value: domain } })).claim(10)).toEqual([])
      expect(await own.db.domain.findFirstOrThrow()).toMatchObject(data)
    },
  )

  it.each([
    ['own.test', "is the name under which the platform's own hosts are registered"],
    [
      'redis.svc.cluster.local',
      'does not end in a suffix of the public DNS: nobody can register names under ".local"',
    ],
  ])(
    'a domain that the rules of the operator exclude by now, %s, is neither looked up in DNS nor proven',
    async (name, why) => {
      await add(name)
      const looks = work()
      const [due] = await looks.claim(1)

      if (due) await looks.run(due, new AbortController().signal)

      expect([checked, woken]).toEqual([[], 0])
      expect(await own.db.domain.findFirstOrThrow()).toMatchObject({
        ...{ state: 'pending', ownedName: null, leasedUntil: null },
        verdict: {
          code: 'dns_unreachable',
          message: `${name} is not checked in DNS any more, because it ${why}.`,
        },
      })
    },
  )

  it('a DNS check ends without an error if its domain is removed after the check was claimed', async () => {
    await add('gone.test')
    const looks = work()
    const [due] = await looks.claim(1)
    await own.db.domain.deleteMany()

    if (due) await looks.run(due, new AbortController().signal)

    expect([checked.length, woken, await own.db.domain.count()]).toEqual([1, 0, 0])
  })

  it('after a failed DNS check, a domain keeps the start time of its checks, from which the growing pauses are calculated', async () => {
    await add('late.test', { looksSince: later(-3 * 86_400_000), state: 'stale' })
    found = 'record_missing'
    const looks = work()
    const [due] = await looks.claim(1)

    if (due) await looks.run(due, new AbortController().signal)

    const after = await own.db.domain.findFirstOrThrow()
    expect(after).toMatchObject({ looksSince: later(-3 * 86_400_000), leasedUntil: null, lookedAt: now })
    expect(woken).toBe(0)
  })
})
