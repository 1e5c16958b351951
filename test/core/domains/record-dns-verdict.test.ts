import { beforeEach, describe, expect, it } from 'vitest'
import { recordDnsVerdict } from '../../../src/core/domains/record-dns-verdict.ts'
import type { DnsLook } from '../../../src/core/hosts/dns-verdict.ts'
import type { Domain, Project } from '../../../src/generated/prisma/client.ts'
import { dnsLook } from '../../support/dns-look.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const clock = { now: () => now.getTime(), aheadMs: () => 0 }

describe.skipIf(!canRace())('a DNS verdict', () => {
  const own = prepareOwnDatabase()
  let project: Project
  let name: string
  let rounds = 0
  beforeEach(async () => {
    project = await own.makeProject()
    name = `www.shop-${++rounds}.test`
  })

  const pending = { state: 'pending' as const, looksSince: now }
  const live = { state: 'live' as const, looksSince: later(-30 * day), verifiedAt: later(-29 * day) }
  const give = (data: Partial<Domain> & { looksSince: Date }, of = project) =>
    own.db.domain.create({ data: { projectId: of.id, name, createdAt: now, ...data } as never })
  const record = ({ id }: Domain, seen: DnsLook, isRequested = false, beganAt = now.getTime()) =>
    recordDnsVerdict(own.db, clock, id, seen, isRequested ? { isRequested } : { isRequested, beganAt })
  const certificate = () => own.db.certificate.findUnique({ where: { name } })
  /** Expects the next check of the domain in this number of hours, with a tolerance of a tenth. */
  const around = (hours: number, domain: Domain) => {
    const wait = Number(domain.nextLookAt) - now.getTime()
    expect(wait).toBeGreaterThanOrEqual(0.9 * hours * hour)
    expect(wait).toBeLessThanOrEqual(1.1 * hours * hour)
  }

  it.each([
    ['that is in order is checked daily', null, 'live', 24],
    ['whose record has changed is checked every two hours', 'record_differs', 'drifted', 2],
    ['whose name servers do not answer is checked every two hours', 'dns_unreachable', 'live', 2],
    ['whose record only some name servers have is checked every two hours', 'spreading', 'live', 2],
  ] as const)(
    'the time of the next DNS check of a live domain depends on the DNS verdict: a domain %s',
    async (_, code, state, hours) => {
      const domain = await give({ ...live, ownedName: name })

      const after = await record(domain, dnsLook(code))

      expect(after).toMatchObject({ state, ownedName: name, lookedAt: now, leasedUntil: null })
      around(hours, after)
      expect(after.verdict).toMatchObject({ code })
    },
  )

  it.each([
    [7 * day - 1, 'record_differs', 'drifted'],
    [7 * day, 'record_differs', 'stale'],
    [30 * day, 'dns_unreachable', 'drifted'],
    [30 * day, 'spreading', 'drifted'],
  ] as const)(
    'a domain that drifted %i ms ago and then gets the DNS verdict %s is %s',
    async (ago, code, state) => {
      const drifted = { ...live, ownedName: name, state: 'drifted' as const, driftedAt: later(-ago) }
      const domain = await give(drifted)
      const expires = later(20 * day)
      await own.db.certificate.create({ data: { name, wantedSince: now, nextStepAt: expires } })

      const after = await record(domain, dnsLook(code))

      if (state === 'stale')
        expect(after).toMatchObject({ ownedName: null, driftedAt: null, nextLookAt: null })
      else {
        expect(after).toMatchObject({ ownedName: name, driftedAt: later(-ago) })
        around(2, after)
      }
      expect(after.state).toBe(state)
      expect((await certificate())?.nextStepAt).toEqual(state === 'stale' ? null : expires)
    },
  )

  it('a drifted domain is live again when its record is back, and a later drift gets the full grace time', async () => {
    const drifted = { ...live, ownedName: name, state: 'drifted' as const, driftedAt: later(-6 * day) }
    const domain = await give(drifted)

    const back = await record(domain, dnsLook(null))
    expect(back).toMatchObject({ state: 'live', driftedAt: null, verifiedAt: live.verifiedAt })
    around(24, back)

    expect(await record(back, dnsLook('record_missing'))).toMatchObject({ state: 'drifted', driftedAt: now })
  })

  it('later checks of a verified domain do not change its verification time or its certificate', async () => {
    const domain = await give(pending)

    const first = await record(domain, dnsLook(null))
    expect(first).toMatchObject({ state: 'live', ownedName: name, verifiedAt: now })
    expect(await certificate()).toMatchObject({ wantedSince: now, nextStepAt: now })

    const renewed = {
      nextStepAt: later(60 * day),
      problem: { code: 'ca_refused', message: '', record: null },
    }
    await own.db.certificate.update({ where: { name }, data: renewed })
    const tomorrow = { ...clock, now: () => later(day).getTime() }
    const second = await recordDnsVerdict(own.db, tomorrow, domain.id, dnsLook(null), { isRequested: true })
    expect(second).toMatchObject({ state: 'live', verifiedAt: now, lookedAt: later(day) })
    expect(await certificate()).toMatchObject(renewed)
  })

  it.each([
    ['a moment before 48 hours', 48 * hour - 1, false, 'pending', 1],
    ['after 48 hours', 48 * hour, false, 'stale', null],
    ['after 48 hours, even if its owner requests a check', 48 * hour, true, 'stale', null],
  ] as const)(
    'a pending domain becomes stale after 48 hours and not before: %s',
    async (_, waited, isRequested, state, nextMs) => {
      const domain = await give({ ...pending, looksSince: later(-waited) })

      const after = await record(domain, dnsLook('record_missing'), isRequested)

      expect(after).toMatchObject({ state, looksSince: later(-waited) })
      expect(after.nextLookAt).toEqual(nextMs && later(nextMs))
    },
  )

  it.each([
    ['without a token', 'ownership_required', [], [], 'pending'],
    ['while DNS does not answer for the token', 'dns_unreachable', null, [], 'pending'],
    ['whose token only some name servers have', 'spreading', [], ['mine'], 'pending'],
    ['with the token', null, ['mine'], [], 'live'],
  ] as const)(
    'a name that has addresses instead of a CNAME, %s, gets the DNS verdict %s',
    async (_, code, all, partial, state) => {
      const read = (tokens: readonly string[]) => tokens.map(() => project.ownershipToken)
      const proof = {
        namesTarget: false,
        needsToken: true,
        tokens: all && read(all),
        partialTokens: read(partial),
      }

      const domain = await record(await give(pending), { ...dnsLook(), proof })

      expect(domain).toMatchObject({ state, verdict: { code } })
    },
  )

  it('a live domain becomes drifted if addresses replace its CNAME record and the name has no TXT record with an ownership token', async () => {
    const look = dnsLook()
    const domain = await give({ ...live, ownedName: name })

    const after = await record(domain, {
      ...look,
      proof: { ...look.proof, namesTarget: false, needsToken: true },
    })

    expect(after).toMatchObject({ state: 'drifted', verdict: { code: 'ownership_required' } })
  })

  it('the zone of a domain is stored, and stays stored if a later check cannot find it', async () => {
    const found = await record(await give(pending), { ...dnsLook('record_missing'), zone: 'shop.test' })
    const unreached = await record(found, dnsLook('dns_unreachable'))

    expect([found.zone, unreached.zone]).toEqual(['shop.test', 'shop.test'])
  })

  it('a check of the schedule does not replace the result of a check that a project has requested since it began', async () => {
    const beganAt = now.getTime() - 4_000
    const verified = await record(
      await give({ ...pending, checkRequestedAt: later(-3_000) }),
      dnsLook(),
      true,
    )

    await record(verified, dnsLook('record_missing'), false, beganAt)

    expect(await own.db.domain.findUniqueOrThrow({ where: { id: verified.id } })).toEqual(verified)
    expect(await record(verified, dnsLook('record_missing'))).toMatchObject({ state: 'drifted' })
  })

  it('a pending domain whose record only some name servers have is checked again within five minutes, however long the domain has been pending', async () => {
    const after = await record(await give({ ...pending, looksSince: later(-day) }), dnsLook('spreading'))

    expect(Number(after.nextLookAt) - now.getTime()).toBe(5 * minute)
  })

  it('a stale domain is checked again only when its owner asks', async () => {
    const domain = await give({ state: 'stale', looksSince: later(-30 * day) })

    expect(await record(domain, dnsLook('record_missing'))).toMatchObject({
      state: 'stale',
      nextLookAt: null,
    })
    const isRequested = await record(domain, dnsLook('record_missing'), true)
    expect(isRequested).toMatchObject({ state: 'pending', looksSince: now, nextLookAt: later(minute) })
    // A second request does not restart the schedule.
    await own.db.domain.update({ where: { id: domain.id }, data: { looksSince: later(-hour) } })
    expect(await record(domain, dnsLook('record_missing'), true)).toMatchObject({ looksSince: later(-hour) })
  })

  it('each DNS check releases its lease, whatever it found', async () => {
    const leased = { leasedUntil: later(minute) }
    const shown = [
      await record(await give({ ...pending, ...leased }), dnsLook('record_missing')),
      await record(await give({ ...live, ownedName: name, ...leased }, await own.makeProject()), dnsLook()),
    ]

    for (const domain of shown) expect(domain).toMatchObject({ leasedUntil: null, lookedAt: now })
    const [, owned] = shown
    await own.db.domain.update({ where: { id: owned?.id ?? '' }, data: leased })
    for (const code of ['record_differs', 'dns_unreachable'] as const)
      expect(await record(owned as Domain, dnsLook(code))).toMatchObject({ leasedUntil: null })
  })

  it("a project that loses a name to another project's proof gets the verdict claimed_elsewhere and no more DNS checks", async () => {
    const other = await own.makeProject()
    const owner = await give({
      ...{ ...live, ownedName: name, state: 'drifted' as const, driftedAt: later(-day) },
      nextLookAt: later(hour),
    })
    const claim = await give(pending, other)

    const taken = await record(claim, dnsLook(null, [other.ownershipToken]))

    expect(taken).toMatchObject({ ownedName: name, state: 'live' })
    expect(await own.db.domain.findUniqueOrThrow({ where: { id: owner.id } })).toMatchObject({
      ...{ ownedName: null, state: 'stale', driftedAt: null, nextLookAt: null, lookedAt: now },
      verifiedAt: live.verifiedAt,
      verdict: {
        code: 'claimed_elsewhere',
        message:
          'Another project has proven that it owns this name. The name becomes free when that project removes the domain or loses its DNS record.',
        ...{ found: [], expected: [], inTheWay: null },
      },
    })
    expect(await certificate()).toMatchObject({ nextStepAt: now })
    expect(await own.db.heldName.findMany({ where: { name }, select: { projectId: true } })).toEqual([
      { projectId: other.id },
    ])
  })

  it('a DNS verdict on a domain that was removed during the check is refused with domain_not_found', async () => {
    const domain = await give(pending)
    await own.db.domain.delete({ where: { id: domain.id } })

    for (const seen of [dnsLook(), dnsLook('record_missing')])
      await expect(record(domain, seen, true)).rejects.toMatchObject({ code: 'domain_not_found' })
    expect(await certificate()).toBeNull()
  })

  it('recording a verdict of one domain changes no other domain', async () => {
    const other = await give(pending, await own.makeProject())
    const [mine, neighbour] = [
      await give(pending),
      await give({ ...live, name: `other-${name}`, ownedName: `other-${name}` }),
    ]

    await record(mine, dnsLook('record_missing'))
    await record(mine, dnsLook(null, [project.ownershipToken]))

    for (const one of [other, neighbour])
      expect(await own.db.domain.findUniqueOrThrow({ where: { id: one.id } })).toEqual(one)
  })

  it('of ten projects that prove a name concurrently one gets it, and the others see claimed_elsewhere', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => own.makeProject()))
    const domains = await Promise.all(all.map(one => give(pending, one)))
    // In each project's check, DNS shows only this project's token, as if this project had replaced the records of the
    // others.
    const answers = await Promise.all(
      domains.map((domain, n) => record(domain, dnsLook(null, [all[n]?.ownershipToken ?? '']))),
    )

    expect(await own.db.domain.count({ where: { ownedName: name } })).toBe(1)
    for (const { state, verdict } of answers) {
      const code = (verdict as { code: string | null }).code
      expect([
        ['live', null],
        ['pending', 'claimed_elsewhere'],
      ]).toContainEqual([state, code])
    }
  })
})
