import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '../../../src/core/db.ts'
import {
  findApiKey,
  findApiKeys,
  findIssueTimes,
  isKeyId,
  issueApiKey,
  listDeprecatedUses,
  type NewApiKey,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../../src/core/keys/api-keys.ts'
import { requireGrantable, requireScope } from '../../../src/core/keys/caller.ts'
import { listApiKeys, listApiKeysOfProjects } from '../../../src/core/keys/list.ts'
import type { Project } from '../../../src/core/project.ts'
import { Prisma } from '../../../src/generated/prisma/client.ts'
import { until } from '../../support/hosting.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = Date.parse('2031-06-01T12:00:00Z')
const at = (ms: number) => new Date(now + ms)
const clockAt = (ms: number) => ({ now: () => now + ms, aheadMs: () => 0 })
const clock = clockAt(0)
const none = { search: null, states: null, endsBefore: null }

describe.skipIf(!canRace())('a key of a project', () => {
  const own = prepareOwnDatabase()
  let shop: Project
  let zoo: Project
  const makeProject = async () => (await own.makeProject()) as unknown as Project
  beforeAll(async () => {
    ;[shop, zoo] = [await makeProject(), await makeProject()]
  })

  const issue = (input: Partial<NewApiKey> = {}, project = shop, when = clock) =>
    issueApiKey(own.db, when, project, { name: 'Till', scopes: ['pets:read'], ...input })
  const find = async (filters: object, project: Project, limit = 100) => {
    const page = { limit, after: null }
    const found = await listApiKeys(own.db, clock, project, { ...none, ...filters }, page)
    return found.map(({ name }) => name)
  }
  const row = (id: string) => own.db.apiKey.findUniqueOrThrow({ where: { id } })

  it("a key is issued with each requested scope once, at the time of the store's clock", async () => {
    const { secret, apiKey } = await issue({
      name: ` ${'n'.repeat(100)} `,
      scopes: ['project:read', 'pets:read', 'project:read'],
      expiresAt: at(1),
    })

    expect(await row(apiKey.id)).toEqual(apiKey)
    expect(apiKey).toMatchObject({
      projectId: shop.id,
      name: 'n'.repeat(100),
      prefix: secret.slice(0, 11),
      scopes: ['pets:read', 'project:read'],
      createdAt: at(0),
      expiresAt: at(1),
      ...{ revokedAt: null, lastUsedAt: null, successorId: null },
    })
    expect((await issue()).apiKey).toMatchObject({ expiresAt: null })
  })

  it('a request for a key is refused with all its faults at once', async () => {
    const wrong = { name: 'n'.repeat(101), scopes: [], expiresAt: at(0) }

    await expect(issue(wrong)).rejects.toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'name' }, { field: 'scopes' }, { field: 'expiresAt' }],
    })
  })

  it('a revoked key is listed among the revoked keys only, also after its end', async () => {
    const store = await makeProject()
    const { apiKey } = await issue({ name: 'Gone', expiresAt: at(1) }, store)
    await revokeApiKey(own.db, clock, store, apiKey.id)

    const found = (states: readonly ('revoked' | 'expired')[]) =>
      listApiKeys(own.db, clockAt(2), store, { ...none, states }, { limit: 100, after: null })

    expect([(await found(['revoked'])).length, (await found(['expired'])).length]).toEqual([1, 0])
  })

  it('a project lists its own keys by a part of the name or prefix, by states and by their end', async () => {
    const [one, other] = [await makeProject(), await makeProject()]
    await issue({ name: 'Foreign' }, other)
    const first = await issue({ name: 'First', expiresAt: at(10) }, one)
    const second = await issue({ name: 'Second', expiresAt: at(11) }, one)
    // Give the second key a fixed prefix. A random prefix could contain "ir", and then the search for "IR" would find
    // the second key too.
    await own.db.apiKey.update({ where: { id: second.apiKey.id }, data: { prefix: 'as_00000000' } })
    const third = await issue({ name: 'Third' }, one)
    await revokeApiKey(own.db, clock, one, second.apiKey.id)
    await own.db.apiKey.update({ where: { id: third.apiKey.id }, data: { expiresAt: at(-1) } })

    expect(await find({}, one)).toEqual(['Third', 'Second', 'First'])
    expect(await find({}, one, 2)).toEqual(['Third', 'Second'])
    expect(await find({ search: first.apiKey.prefix.toLowerCase() }, one)).toEqual(['First'])
    expect(await find({ search: 'IR' }, one)).toEqual(['Third', 'First'])
    expect(await find({ search: 'fi\0rst' }, one)).toEqual([])
    expect(await find({ search: '\ud800' }, one)).toEqual([])
    expect(await find({ states: ['active', 'revoked'] }, one)).toEqual(['Second', 'First'])
    expect(await find({ states: ['expired', 'overlapping'] }, one)).toEqual(['Third'])
    expect(await find({ endsBefore: at(11) }, one)).toEqual(['Third', 'First'])
    expect(await find({ endsBefore: at(12), search: 'Second' }, one)).toEqual(['Second'])
  })

  it('a search ignores the case of all letters, and takes a final sigma for every sigma', async () => {
    const store = await makeProject()
    await issue({ name: 'ΟΔΟΣ ÄPFEL' }, store)

    for (const search of ['οδοσ', 'ς äpf', 'äPFEL']) {
      expect(await find({ search }, store), search).toEqual(['ΟΔΟΣ ÄPFEL'])
    }
  })

  it.each(['by_name', 'by_end_descending', 'by_last_use'] as const)(
    'PostgreSQL finds the first keys of a project for a page without sorting the others: %s',
    async sort => {
      const store = await makeProject()
      await own.db.apiKey.createMany({
        data: Array.from({ length: 300 }, (_, n) => ({
          ...{ projectId: store.id, name: `Till ${n}`, prefix: 'as_00000000', scopes: [] },
          hash: new Uint8Array(createHash('sha256').update(`${sort} ${n}`).digest()),
        })),
      })
      const sent: Prisma.Sql[] = []
      const watched = {
        apiKey: own.db.apiKey,
        $queryRaw: (texts: TemplateStringsArray, ...values: unknown[]) => {
          sent.push(Prisma.sql(texts, ...values))
          return own.db.$queryRaw(texts, ...values)
        },
      } as unknown as Db

      const page = { projectId: store.id, limit: 10, after: null, isBackward: false, sort, ...none }
      await listApiKeysOfProjects(watched, clock, [page])

      const [{ 'QUERY PLAN': plan } = {}] = await own.db.$queryRaw<{ 'QUERY PLAN'?: unknown }[]>(
        Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) ${sent[0]}`,
      )
      const sorts = JSON.stringify(plan).match(/"Sort Method":"[^"]+"/g) ?? []
      expect(sorts).toContain('"Sort Method":"top-N heapsort"')
    },
  )

  it.each(['no id', '', '00000000-0000-7000-8000-00000000000', '00000000-0000-7000-8000-0000000000001'])(
    'a key is not found by the malformed id "%s"',
    async id => {
      await expect(findApiKey(own.db, shop, id)).rejects.toMatchObject({ code: 'api_key_not_found' })
      expect(isKeyId(id)).toBe(false)
    },
  )

  it('a key can be found, renamed, rotated and revoked only by its own project', async () => {
    const { apiKey } = await issue({}, zoo)
    const before = await row(apiKey.id)

    for (const act of [
      () => findApiKey(own.db, shop, apiKey.id),
      () => renameApiKey(own.db, shop, apiKey.id, 'Mine'),
      () => rotateApiKey(own.db, clock, shop, apiKey.id, at(1)),
      () => revokeApiKey(own.db, clock, shop, apiKey.id),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'api_key_not_found' })
    expect(await row(apiKey.id)).toEqual(before)
    expect(await findApiKey(own.db, zoo, apiKey.id)).toEqual(before)
    expect([...(await findApiKeys(own.db, [apiKey.id])).keys()]).toEqual([apiKey.id])
  })

  it('renaming a key keeps everything else, and a name has at most a hundred characters', async () => {
    const { apiKey } = await issue()
    const others = await issue()

    const renamed = await renameApiKey(own.db, shop, apiKey.id, ` ${'m'.repeat(100)} `)

    expect(renamed).toEqual({ ...apiKey, name: 'm'.repeat(100) })
    for (const name of ['', '  ', 'm'.repeat(101), 'a\0b'])
      await expect(renameApiKey(own.db, shop, apiKey.id, name)).rejects.toMatchObject({
        code: 'invalid_input',
        details: [{ field: 'name' }],
      })
    expect(await row(apiKey.id)).toEqual(renamed)
    expect(await row(others.apiKey.id)).toEqual(others.apiKey)
  })

  it("a key is revoked only once, at the time of the store's clock", async () => {
    const { apiKey } = await issue()

    await revokeApiKey(own.db, clockAt(5), shop, apiKey.id)

    expect(await revokeApiKey(own.db, clockAt(9), shop, apiKey.id)).toEqual({ ...apiKey, revokedAt: at(5) })
  })

  it.each([
    ['a moment after', 1, 1],
    ['at the time of', 0, 0],
    ['an hour before', -3_600_000, 0],
  ])(
    'a rotated key ends with its overlap with the successor, but never before the rotation: the overlap ends %s the rotation',
    async (_, overlapEnds, ends) => {
      const { apiKey } = await issue({ expiresAt: at(60_000) })

      const rotated = await rotateApiKey(own.db, clock, shop, apiKey.id, at(overlapEnds))

      expect(await row(apiKey.id)).toEqual({
        ...apiKey,
        expiresAt: at(ends),
        successorId: rotated.apiKey.id,
      })
      expect(rotated.apiKey).toMatchObject({ expiresAt: at(60_000), revokedAt: null, successorId: null })
      expect(rotated.apiKey.prefix).toBe(rotated.secret.slice(0, 11))
    },
  )

  it.each([
    ['expired', { expiresAt: at(0) }, 'revoked or expired'],
    ['revoked', { revokedAt: at(-1) }, 'revoked or expired'],
    [
      'rotated and still valid in its overlap',
      { expiresAt: at(1), successorId: 'another' },
      'rotate its successor',
    ],
    ['rotated and expired', { expiresAt: at(-1), successorId: 'another' }, 'rotate its successor'],
  ])('a key that is %s cannot be rotated', async (_, ended, said) => {
    const { apiKey } = await issue()
    const successor = await issue()
    const data = 'successorId' in ended ? { ...ended, successorId: successor.apiKey.id } : ended
    await own.db.apiKey.update({ where: { id: apiKey.id }, data })
    const count = await own.db.apiKey.count()

    await expect(rotateApiKey(own.db, clock, shop, apiKey.id, at(1))).rejects.toMatchObject({
      code: 'api_key_ended',
      message: expect.stringContaining(said),
    })
    expect(await own.db.apiKey.count()).toBe(count)
  })

  it('a key revoked during its rotation has no successor', async () => {
    const { apiKey } = await issue()
    const count = await own.db.apiKey.count()
    const revoker = await own.database.pool?.connect()
    onTestFinished(() => revoker?.release())
    await revoker?.query('BEGIN')
    await revoker?.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [apiKey.id])

    const rotating = rotateApiKey(own.db, clock, shop, apiKey.id, at(1)).catch(error => error)
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      async () => (await own.database.pool?.query(waiting))?.rowCount,
      waits => waits === 1,
    )
    await revoker?.query('COMMIT')

    expect(await rotating).toMatchObject({ code: 'api_key_ended' })
    expect(await own.db.apiKey.count()).toBe(count)
    expect(await row(apiKey.id)).toMatchObject({ successorId: null, expiresAt: null })
  })

  it('a key shows when it was issued and which deprecated operations it called', async () => {
    const keys = [await issue({}, shop, clockAt(3)), await issue({}, shop, clockAt(1)), await issue()]
    const ids = keys.map(({ apiKey }) => apiKey.id)
    const missing = '00000000-0000-7000-8000-000000000000'
    const use = (n: number, field: string, count: number) => ({
      ...{ apiKeyId: ids[n] ?? '', field, count, lastUsedAt: at(count) },
    })
    const uses = [use(0, 'second', 2), use(0, 'first', 1), use(1, 'third', 3), use(2, 'fourth', 4)]
    await own.db.deprecatedUse.createMany({ data: uses })
    const [last, middle, first] = ids as [string, string, string]

    expect(await findIssueTimes(own.db, [first, last, missing, middle])).toEqual([
      at(0),
      at(3),
      new Date(0),
      at(1),
    ])
    expect(await listDeprecatedUses(own.db, [middle, last])).toEqual([uses[1], uses[0], uses[2]])
  })
})

it('a refusal names each missing scope, both if a key wants to use a scope and if a key wants to grant scopes', () => {
  const project = { id: 1 } as Project
  const caller = {
    project,
    key: { id: 'key', prefix: 'as_', scopes: ['pets:read', 'orders:read'] as const },
  }

  expect(() => requireScope(caller, 'orders:read')).not.toThrow()
  expect(() => requireScope(caller, 'orders:write')).toThrow('lacks the scope orders:write.')
  expect(() => requireGrantable(caller, ['orders:read', 'pets:read'])).not.toThrow()
  expect(() => requireGrantable(caller, ['orders:read', 'pets:write', 'project:read'])).toThrow(
    'cannot grant pets:write, project:read, which it lacks itself.',
  )
})
