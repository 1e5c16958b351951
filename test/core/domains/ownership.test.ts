import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  findOwnershipTokens,
  forgetOldHeldNames,
  noteHeld,
  verifyOwnership,
} from '../../../src/core/domains/ownership.ts'
import type { Project } from '../../../src/generated/prisma/client.ts'
import { dnsLook } from '../../support/dns-look.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = new Date('2026-06-01T12:00:00Z')
const name = 'shop.test'

describe.skipIf(!canRace())('a name', () => {
  const own = prepareOwnDatabase()
  let mine: Project
  let other: Project
  beforeAll(async () => {
    ;[mine, other] = [await own.makeProject(), await own.makeProject()]
  })
  beforeEach(async () => {
    await own.db.domain.deleteMany()
    await own.db.heldName.deleteMany()
  })

  const claim = ({ id: projectId }: Project, ownedName: string | null = null) =>
    own.db.domain.create({ data: { projectId, name, ownedName, createdAt: now, looksSince: now } })
  const hold = (project: Project) => noteHeld(own.db, now, { name, projectId: project.id } as never)
  /**
   * Claims on the name: none; another project has added it, has held it, or owns it; or the project itself has held it.
   */
  const standings = {
    'no project': async () => {},
    claimed: async () => void (await claim(other)),
    held: async () => hold(other),
    owned: async () => {
      await claim(other, name)
      await hold(other)
    },
    'held by its own project': async () => hold(mine),
  }
  const tokens = {
    none: () => [],
    'its own': () => ['a word', mine.ownershipToken],
    'an unknown one': () => ['019ab2f0-5d1c-7c3a-9d2e-6f0e77aa12bc'],
    'the other’s': () => [other.ownershipToken],
    both: () => [other.ownershipToken, mine.ownershipToken],
    unreadable: () => null,
  }

  const free = 'free'
  const taken = 'taken over'
  const required = 'ownership_required'
  const unreachable = 'dns_unreachable'
  const claimed = 'claimed_elsewhere'
  it.each<[keyof typeof standings, boolean, keyof typeof tokens, string]>([
    ['no project', false, 'none', free],
    ['no project', false, 'unreadable', free],
    ['no project', true, 'none', free],
    ['no project', false, 'an unknown one', free],
    ['held by its own project', false, 'none', free],
    ['claimed', false, 'none', required],
    ['claimed', false, 'an unknown one', required],
    ['claimed', false, 'the other’s', required],
    ['claimed', false, 'unreadable', unreachable],
    ['claimed', false, 'its own', free],
    ['claimed', true, 'none', free],
    ['held', false, 'none', required],
    ['held', false, 'its own', free],
    ['held', true, 'unreadable', free],
    ['owned', false, 'none', required],
    ['owned', false, 'its own', taken],
    ['owned', false, 'unreadable', unreachable],
    ['owned', true, 'unreadable', unreachable],
    ['owned', false, 'both', claimed],
    ['owned', true, 'none', taken],
    ['owned', true, 'an unknown one', taken],
    ['owned', true, 'the other’s', required],
    ['owned', true, 'both', claimed],
    ['owned', true, 'its own', taken],
  ])(
    'the check of a name (standing elsewhere: %s, CNAME to its own host: %j, tokens shown: %s) ends with: %s',
    async (standing, namesTarget, shown, outcome) => {
      await standings[standing]()
      const { id } = await claim(mine)
      const domain = await own.db.domain.findUniqueOrThrow({ where: { id }, include: { project: true } })

      const found = await verifyOwnership(own.db, domain, {
        ...dnsLook(),
        proof: { ...dnsLook().proof, namesTarget, tokens: tokens[shown]() },
      })

      if (!found.free) expect(found.verdict.code).toBe(outcome)
      else expect(found.owner?.projectId ?? null).toBe(outcome === taken ? other.id : null)
      expect(found.free).toBe([free, taken].includes(outcome))
    },
  )

  it('the verdict on a name that must be proven names the TXT record, a failed DNS lookup or another owner', async () => {
    await claim(other, name)
    const { id } = await claim(mine)
    const domain = await own.db.domain.findUniqueOrThrow({ where: { id }, include: { project: true } })
    const inTheWay = { type: 'A', name, value: '192.0.2.1' }
    const look = dnsLook()
    const seen = { ...look.verdict, found: [inTheWay], expected: ['192.0.2.2'], inTheWay, message: 'Right.' }
    const judge = async (shown: string[] | null, namesTarget = false) => {
      const proof = { ...look.proof, namesTarget, tokens: shown }
      const found = await verifyOwnership(own.db, domain, { ...look, verdict: seen, proof })
      return found.free ? found.owner?.projectId : found.verdict
    }

    const required = await judge(['a word', other.ownershipToken])
    const unread = await judge(null)
    const taken = await judge([other.ownershipToken, mine.ownershipToken])

    const owner = `_animal-store.${name}`
    expect(required).toEqual({
      ...{ code: 'ownership_required', expected: [mine.ownershipToken], inTheWay: null },
      found: ['a word', other.ownershipToken].map(value => ({ type: 'TXT', name: owner, value })),
      message:
        `${name} points here, but another project has claimed or held the name, and addresses do not prove ownership. ` +
        `Prove that it is yours with the record "${owner} TXT ${mine.ownershipToken}"; the name then moves to this project at once.`,
    })
    expect(unread).toEqual({
      ...seen,
      code: 'dns_unreachable',
      message: `The DNS lookup for the TXT record of ${owner} failed. The record is needed to prove ownership, and is checked again automatically.`,
    })
    expect(taken).toEqual({
      ...seen,
      code: 'claimed_elsewhere',
      message:
        'Another project has proven that it owns this name. The name becomes free when that project removes the domain or loses its DNS record.',
    })
  })

  it('the ownership tokens of several projects are read together, and each project gets its own token', async () => {
    const third = await own.makeProject()
    const ids = [third.id, mine.id, 0, other.id, mine.id]

    const tokens = await findOwnershipTokens(own.db, ids)

    expect(tokens).toEqual([third, mine, null, other, mine].map(project => project?.ownershipToken ?? ''))
    expect(new Set(tokens).size).toBe(4)
  })

  it('a name that two projects have held is remembered once for each of them', async () => {
    for (const project of [mine, mine, other]) await hold(project)

    const held = await own.db.heldName.findMany({ where: { name }, orderBy: { projectId: 'asc' } })
    expect(held).toMatchObject([mine, other].map(({ id }) => ({ projectId: id, since: now })))
    expect(held).toHaveLength(2)
  })

  it('a held name is remembered for a year after its last proof, and longer while a project still owns it', async () => {
    const later = (ms: number) => new Date(now.getTime() + ms)
    const year = 365 * 86_400_000
    const holders = async () =>
      (await own.db.heldName.findMany({ where: { name }, select: { projectId: true } })).map(
        ({ projectId }) => projectId,
      )
    await hold(mine)
    await noteHeld(own.db, later(year), { name, projectId: other.id } as never)
    await noteHeld(own.db, now, { name: 'www.owned-for-long.test', projectId: mine.id } as never)
    await own.giveDomain(mine, 'www.owned-for-long.test')

    await forgetOldHeldNames(own.db, later(year - 1))
    expect((await holders()).toSorted()).toEqual([mine.id, other.id].toSorted())
    await forgetOldHeldNames(own.db, later(year))
    expect(await holders()).toEqual([other.id])
    expect(await own.db.heldName.count({ where: { name: 'www.owned-for-long.test' } })).toBe(1)

    // Proving the name again starts the year again.
    await noteHeld(own.db, later(2 * year), { name, projectId: other.id } as never)
    await forgetOldHeldNames(own.db, later(2 * year + 1))
    expect(await holders()).toEqual([other.id])
  })
})
