import { beforeAll, describe, expect, it } from 'vitest'
import { shownCertificateStateOf } from '../../../src/core/certificates/certificates.ts'
import { type DomainFilters, findDomains } from '../../../src/core/domains/search.ts'
import {
  findGraceEnds,
  isGraceOver,
  isGraceOverFor,
  noteGrace,
} from '../../../src/core/hosts/grace-period.ts'
import { servedStateOf } from '../../../src/core/hosts/served-state.ts'
import { toProject } from '../../../src/core/project.ts'
import type { Certificate } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = new Date('2031-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const clock = { now: () => now.getTime(), aheadMs: () => 0 }
const problem = { code: 'ca_unreachable', message: 'away', record: null }

const owners = {
  'of a paid plan': { planName: 'pro' },
  'of a plan that came back': { planName: 'pro', domainsGraceEndsAt: later(-1) },
  'of a plan without domains, before it is noticed': { planName: 'free' },
  'a moment before the end of its grace': { planName: 'free', domainsGraceEndsAt: later(1) },
  'at the end of its grace': { planName: 'free', domainsGraceEndsAt: now },
  suspended: { planName: 'pro', suspendedAt: now },
}
const certificates: Record<string, Partial<Certificate> | null> = {
  none: null,
  ordered: {},
  refused: { problem },
  valid: { notAfter: later(1) },
  'valid, and refused': { notAfter: later(1), problem },
  ended: { notAfter: now },
  'ended, and refused': { notAfter: now, problem },
  'that does not open': { notAfter: later(1), unreadableSince: now },
  'that has ended and does not open': { notAfter: now, unreadableSince: now },
}
const hosts = {
  live: { state: 'live', driftedAt: null },
  drifted: { state: 'drifted', driftedAt: now },
} as const

const paused = 'at the end of its grace'
const certificateOf = (owner: string, certificate: string) => {
  if (certificate === 'none') return 'none'
  if (owner === paused && certificate.includes('ended')) return 'none'
  if (certificate.includes('not open') || certificate.startsWith('ended') || certificate === 'refused')
    return 'failed'
  return { ordered: 'issuing', valid: 'issued' }[certificate] ?? 'expiring'
}

describe.skipIf(!canRace())('states of domains', () => {
  const own = prepareOwnDatabase()
  const expected: { name: string; host: string; certificate: string }[] = []
  const projectIds = new Map<string, number>()
  beforeAll(async () => {
    for (const [n, [owner, data]] of Object.entries(owners).entries()) {
      const { id: projectId } = await own.makeProject()
      await own.db.project.update({ where: { id: projectId }, data })
      projectIds.set(owner, projectId)
      const times = { createdAt: now, looksSince: now }
      for (const state of ['pending', 'stale'] as const) {
        const name = `${state}-${n}.test`
        await own.db.domain.create({ data: { projectId, name, state, ...times } })
        expected.push({ name, host: state, certificate: 'none' })
      }
      for (const [m, [certificate, row]] of Object.entries(certificates).entries())
        for (const [host, domain] of Object.entries(hosts)) {
          const name = `${host}-${n}-${m}.test`
          await own.db.domain.create({
            data: { projectId, name, ownedName: name, verifiedAt: now, ...times, ...domain },
          })
          if (row) await own.db.certificate.create({ data: { name, wantedSince: now, ...row } as never })
          const isPaused = owner === paused || owner === 'suspended'
          expected.push({
            name,
            host: isPaused ? 'paused' : host,
            certificate: certificateOf(owner, certificate),
          })
        }
    }
  })
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
  const find = async (filters: Partial<DomainFilters>) => {
    const all = { projectId: null, host: null, certificate: null, name: null, ...filters }
    const { found } = await findDomains(own.db, clock, all, { limit: 500, after: null })
    return found.map(({ domain }) => domain.name).toSorted()
  }

  it('a search finds a domain by the state that is shown, and by no other state', async () => {
    for (const host of ['pending', 'stale', 'live', 'drifted', 'paused'] as const)
      expect(await find({ host }), host).toEqual(
        expected
          .filter(one => one.host === host)
          .map(({ name }) => name)
          .toSorted(),
      )
    for (const certificate of ['none', 'issuing', 'issued', 'failed', 'expiring'] as const)
      expect(await find({ certificate }), certificate).toEqual(
        expected
          .filter(one => one.certificate === certificate)
          .map(({ name }) => name)
          .toSorted(),
      )
  })

  it('the state of a domain is the same in JavaScript and in SQL', async () => {
    const rows = await own.db.domain.findMany({ include: { project: { include: { plan: true } } } })
    const stored = new Map((await own.db.certificate.findMany()).map(row => [row.name, row]))

    const shown = rows.map(({ project, ...domain }) => {
      const ends = project.domainsGraceEndsAt
      const isLetGo = isGraceOver(project.planName, ends, clock.now())
      const certificate = domain.ownedName ? (stored.get(domain.ownedName) ?? null) : null
      return {
        name: domain.name,
        host: servedStateOf(domain, toProject(project), ends, clock.now()),
        certificate: shownCertificateStateOf(certificate, isLetGo, clock.now()),
      }
    })

    expect(shown.toSorted(byName)).toEqual(expected.toSorted(byName))
  })

  it('a claimed domain shows nothing of the certificate of the project that has proven the name', async () => {
    const { id: projectId } = await own.makeProject()
    const claim = { projectId, name: 'live-0-3.test', createdAt: now, looksSince: now }
    const { id } = await own.db.domain.create({ data: claim })
    const ofClaim = async (filters: Partial<DomainFilters>) => (await find({ projectId, ...filters })).length

    expect([await ofClaim({ certificate: 'none' }), await ofClaim({ certificate: 'issued' })]).toEqual([1, 0])
    expect([await ofClaim({ host: 'pending' }), await ofClaim({ host: 'live' })]).toEqual([1, 0])
    await own.db.domain.delete({ where: { id } })
  })

  it('a search for domains stays within its project, and has a next page only if more domains match', async () => {
    const id = projectIds.get('suspended') ?? 0
    const ofOne = await find({ projectId: id })
    expect(ofOne).toHaveLength(2 + 2 * Object.keys(certificates).length)
    const all = { projectId: id, host: null, certificate: null, name: null }
    const page = async (limit: number) => {
      const { found, hasMore } = await findDomains(own.db, clock, all, { limit, after: null })
      return [found.length, hasMore]
    }

    expect(await page(ofOne.length - 1)).toEqual([ofOne.length - 1, true])
    expect(await page(ofOne.length)).toEqual([ofOne.length, false])
  })

  it('a query by host name says if the grace time of the project is over, and a query by project says when the grace time ends', async () => {
    const over = await Promise.all(
      Object.keys(owners).map((_, n) => isGraceOverFor(own.db, now, `live-${n}-0.test`)),
    )
    expect(Object.keys(owners).filter((_, n) => over[n])).toEqual([paused])
    expect(await isGraceOverFor(own.db, now, 'pending-4.test')).toBe(false)
    expect(await isGraceOverFor(own.db, later(1), 'live-3-0.test')).toBe(true)

    const ids = [...projectIds.values()].toReversed()
    expect(await findGraceEnds(own.db, [...ids, 0])).toEqual([
      null,
      now,
      later(1),
      null,
      later(-1),
      null,
      null,
    ])
  })

  it('a grace time begins only for a project that lost a plan with domains and owns a name, and begins only once', async () => {
    const before = await findGraceEnds(own.db, [...projectIds.values()])

    await noteGrace(own.db, later(5))

    const fourteenDays = 14 * 86_400_000
    const after = await findGraceEnds(own.db, [...projectIds.values()])
    expect(after).toEqual([null, null, later(5 + fourteenDays), ...before.slice(3)])
  })
})
