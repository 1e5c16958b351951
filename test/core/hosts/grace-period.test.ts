import { beforeEach, describe, expect, it } from 'vitest'
import { isGraceOver, noteGrace } from '../../../src/core/hosts/grace-period.ts'
import type { Project } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const day = 86_400_000
const now = new Date('2026-06-01T12:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * day)

describe.skipIf(!canRace())('grace time', () => {
  const own = prepareOwnDatabase()
  let lapsed: Project
  let rounds = 0
  beforeEach(async () => {
    lapsed = await own.makeProject('free')
    await own.giveDomain(lapsed, nameOf(++rounds))
  })

  const nameOf = (round: number) => `www.lapsed-${round}.test`
  const endOf = async ({ id }: Project) =>
    (await own.db.project.findUniqueOrThrow({ where: { id } })).domainsGraceEndsAt
  /** Returns the number of changes that the log reports for this project's hosts. */
  const changesOf = async ({ id }: Project) => {
    const [row] = await own.db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM changes WHERE what = 'hosts' AND (project_id = ${id} OR project_id IS NULL)`
    return Number(row?.count)
  }

  it('the grace time of a project ends fourteen days after the service first noticed the lost plan', async () => {
    const paying = await own.makeProject('pro')
    await own.giveDomain(paying, `www.paying-${rounds}.test`)
    const without = await own.makeProject('free')
    const claim = { name: `www.claimed-${rounds}.test`, createdAt: now, looksSince: now }
    await own.db.domain.create({ data: { projectId: without.id, ...claim } })

    await noteGrace(own.db, now)
    for (const days of [0.01, 1, 13]) await noteGrace(own.db, inDays(days))

    expect(await endOf(lapsed)).toEqual(inDays(14))
    expect([await endOf(paying), await endOf(without)]).toEqual([null, null])
    const end = Number(inDays(14))
    expect(isGraceOver('free', inDays(14), end - 1)).toBe(false)
    expect(isGraceOver('free', inDays(14), end)).toBe(true)
    expect(isGraceOver('pro', inDays(14), end)).toBe(false)
  })

  it('when a project gets a plan with domains again, its grace time ends, caches are invalidated, and missed renewals are due at once', async () => {
    const other = await own.makeProject('pro')
    const [name, others] = [nameOf(rounds), `www.other-${rounds}.test`]
    await own.giveDomain(other, others)
    const times = { wantedSince: now, nextStepAt: inDays(30) }
    await own.db.certificate.createMany({ data: [name, others].map(one => ({ name: one, ...times })) })
    // An overdue renewal keeps its place in the queue, and a paused one stays paused.
    const further = [`late-${rounds}.test`, `rests-${rounds}.test`] as const
    for (const one of further) await own.giveDomain(lapsed, one)
    const late = { name: further[0], wantedSince: now, nextStepAt: inDays(19) }
    await own.db.certificate.createMany({ data: [late, { ...late, name: further[1], nextStepAt: null }] })
    await noteGrace(own.db, now)
    await own.db.project.update({ where: { id: lapsed.id }, data: { planName: 'pro' } })
    const before = await changesOf(lapsed)

    await noteGrace(own.db, inDays(20))

    expect(await endOf(lapsed)).toBeNull()
    expect(await changesOf(lapsed)).toBeGreaterThan(before)
    const dueAt = async (one: string) =>
      (await own.db.certificate.findUniqueOrThrow({ where: { name: one } })).nextStepAt
    expect([await dueAt(name), await dueAt(others)]).toEqual([inDays(20), inDays(30)])
    expect([await dueAt(further[0]), await dueAt(further[1])]).toEqual([inDays(19), null])
    // A second downgrade starts a new grace period.
    await own.db.project.update({ where: { id: lapsed.id }, data: { planName: 'free' } })
    await noteGrace(own.db, inDays(40))
    expect(await endOf(lapsed)).toEqual(inDays(54))
  })
})
