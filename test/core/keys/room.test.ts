import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { issueApiKey, revokeApiKey, rotateApiKey } from '../../../src/core/keys/api-keys.ts'
import { handleLeak } from '../../../src/core/keys/leaks.ts'
import { mostActive, mostStored } from '../../../src/core/keys/room.ts'
import type { Project } from '../../../src/core/project.ts'
import { fillKeys } from '../../support/fill-keys.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = Date.parse('2031-06-01T12:00:00Z')
const clock = { now: () => now, aheadMs: () => 0 }
const at = (ms: number) => new Date(now + ms)
const day = 86_400_000

describe.skipIf(!canRace())('the number of API keys of a project', () => {
  const own = prepareOwnDatabase()
  const makeProject = async () => (await own.makeProject()) as unknown as Project
  const issue = (project: Project, expiresAt: Date | null = null, db = own.db) =>
    issueApiKey(db, clock, project, { name: 'Till', scopes: ['pets:read'], expiresAt })

  const stored = ({ id: projectId }: Project, where = {}) =>
    own.db.apiKey.count({ where: { projectId, ...where } })
  const removals = ({ id: projectId }: Project) =>
    own.db.told.findMany({ where: { projectId, type: 'api_key.removed' }, orderBy: { id: 'asc' } })

  it('a project has at most 1,000 active keys; keys that have ended or were rotated do not count', async () => {
    const project = await makeProject()
    await fillKeys(own.db, project, mostActive - 2)
    await fillKeys(own.db, project, 10, { revokedAt: at(-day) })
    await fillKeys(own.db, project, 10, { expiresAt: at(-day) })
    const { apiKey } = await issue(project)
    const last = await issue(project)

    await expect(issue(project)).rejects.toMatchObject({
      code: 'too_many_api_keys',
      message: 'A project has at most 1,000 active API keys; revoke one first.',
    })
    await rotateApiKey(own.db, clock, project, apiKey.id, at(day))
    await expect(issue(project)).rejects.toMatchObject({ code: 'too_many_api_keys' })
    await revokeApiKey(own.db, clock, project, last.apiKey.id)
    await issue(project)
    await expect(issue(await makeProject())).resolves.toBeDefined()
  })

  it('of many keys that two processes issue at once, only as many are issued as the project has room for', async () => {
    const project = await makeProject()
    await fillKeys(own.db, project, mostActive - 5)

    const processes = [own.db, own.ofAnotherProcess()]
    const issued = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => issue(project, null, processes[n % 2])),
    )

    expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await stored(project)).toBe(mostActive)
  })

  it('a leaked key is rotated even if the project has as many keys as it may have', async () => {
    const project = await makeProject()
    await own.db.project.update({ where: { id: project.id }, data: { leakedKeys: 'rotate' } })
    const { secret } = await issue(project)
    await fillKeys(own.db, project, mostStored - 1, { machine: 'laptop' })

    await expect(handleLeak(own.db, clock, secret, null)).resolves.toMatchObject({ outcome: 'rotated' })
  })

  it('if a project has 5,000 keys, a new key or a rotation removes the hundred that ended first', async () => {
    const project = await makeProject()
    const first = await issue(project)
    await fillKeys(own.db, project, 150, { expiresAt: at(-9 * day) })
    await fillKeys(own.db, project, mostStored - 151, { revokedAt: at(-5 * day) })
    const use = await own.db.apiKey.findFirstOrThrow({
      where: { projectId: project.id, name: '1', revokedAt: null },
    })
    const counts = { requests: 1n, refusals: 0n, faulty: 0n, failed: 0n }
    await own.db.keyUsage.create({
      data: { projectId: project.id, apiKeyId: use.id, hour: at(0), door: 'rest', ...counts },
    })
    expect(await stored(project)).toBe(mostStored)

    await rotateApiKey(own.db, clock, project, first.apiKey.id, at(0))

    expect(await stored(project)).toBe(mostStored - 99)
    const expired = await own.db.apiKey.findMany({
      where: { projectId: project.id, revokedAt: null, machine: null, expiresAt: { lt: at(0) } },
    })
    expect(expired.map(({ name }) => Number(name)).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 101),
    )
    expect(await own.db.keyUsage.count({ where: { projectId: project.id } })).toBe(0)
    const told = await removals(project)
    expect(told).toHaveLength(100)
    expect(told[0]?.actor).toEqual({ type: 'system', name: 'old keys' })

    for (let n = 0; n < 99; n++) await issue(project, at(day))
    expect(await stored(project)).toBe(mostStored)
    await issue(project)
    expect(await stored(project)).toBe(mostStored - 99)
  })

  it('keys that are still valid and successors of stored keys are not removed', async () => {
    const project = await makeProject()
    const old = await issue(project)
    const successor = await rotateApiKey(own.db, clock, project, old.apiKey.id, at(day))
    await revokeApiKey(own.db, clock, project, successor.apiKey.id)
    const ended = await issue(project, at(1))
    await own.db.apiKey.update({ where: { id: ended.apiKey.id }, data: { expiresAt: at(0) } })
    await fillKeys(own.db, project, mostStored - 3, { revokedAt: at(day), machine: 'laptop' })

    await issue(project)

    expect(await stored(project)).toBe(mostStored)
    expect((await removals(project)).map(({ subject }) => subject)).toEqual([`api_key:${ended.apiKey.id}`])
    await expect(issue(project)).rejects.toMatchObject({
      code: 'too_many_api_keys',
      message: expect.stringContaining('at most 5,000 API keys'),
    })
    await expect(
      rotateApiKey(own.db, clock, project, (await newest(project)).id, at(day)),
    ).rejects.toMatchObject({ code: 'too_many_api_keys' })
    expect(await stored(project)).toBe(mostStored)
    await revokeApiKey(own.db, clock, project, old.apiKey.id)
    await issue(project)
    expect(await own.db.apiKey.count({ where: { id: old.apiKey.id } })).toBe(0)
  })

  it('ended keys of terminals make room for a new key, and a job takes their names out of the audit log', async () => {
    const project = await makeProject()
    const viewer = randomUUID()
    await fillKeys(own.db, project, mostStored, { revokedAt: at(-day), machine: 'laptop', issuedBy: viewer })

    await issue(project)

    expect(await stored(project)).toBe(mostStored - 99)
    const removed = (await removals(project)).map(({ subject }) => subject?.replace('api_key:', ''))
    const due = await own.db.$queryRaw<
      { ids: string[] }[]
    >`SELECT key_ids::text[] AS ids FROM names_to_forget`
    expect(due.flatMap(({ ids }) => ids).toSorted()).toEqual(removed.toSorted())
  })

  it('a terminal’s key that another person has rotated is not removed', async () => {
    const project = await makeProject()
    const key = { prefix: 'as_00000000', scopes: [], machine: 'laptop', projectId: project.id }
    const make = (name: string, more = {}) =>
      own.db.apiKey.create({
        data: {
          ...key,
          name,
          hash: randomBytes(32),
          issuedBy: randomUUID(),
          revokedAt: at(-9 * day),
          ...more,
        },
      })
    const { id: successorId } = await make('of Bob')
    await make('of Ada', { successorId })
    await fillKeys(own.db, project, mostStored, { revokedAt: at(-day) })

    await issue(project)

    expect(await stored(project, { name: { in: ['of Ada', 'of Bob'] } })).toBe(2)
  })

  const newest = ({ id: projectId }: Project) =>
    own.db.apiKey.findFirstOrThrow({
      where: { projectId, machine: null, revokedAt: null, successorId: null },
      orderBy: { id: 'desc' },
    })
})
