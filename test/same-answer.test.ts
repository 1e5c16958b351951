import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInventory } from '../src/core/inventory.ts'
import { type Act, actByGraphql, actByRest, type Filters, type Outcome } from './support/both-doors.ts'
import { chargesCountedIn } from './support/charges-counted.ts'
import { freshRedis } from './support/databases.ts'
import { randomOf } from './support/random.ts'
import { type App, startApp, type TestProject } from './support/start-app.ts'

const sequences = 1000
const sequencesPerPair = 20
const pairsAtOnce = 5

let app: App
let foreign: string
beforeAll(async () => {
  // Time stands still, so that no window ends on one side alone.
  const now = Date.now()
  const redisUrl = await freshRedis()
  // With Redis both doors keep answers, which must be as fresh as those that are made anew.
  const env: Record<string, string> = redisUrl ? { REDIS_URL: redisUrl } : {}
  app = await startApp({ env, clock: { now: () => now, aheadMs: () => now - Date.now() } })
  const other = await app.makeProject()
  foreign = String(
    ((await other.post('/v1/pets', { name: 'Foreign', categoryId: 1 })).json as { id: number }).id,
  )
})
afterAll(() => app.stop())

test(`${sequences} random sequences of acts have the same results, codes, effects and charges by REST and by GraphQL`, async () => {
  const seen = new Map<string, number>()
  let done = 0

  const chargesMissed = () => (app.tools.config.redisUrl ? chargesCountedIn('memory', app) : 0)

  /** What Redis answers too late is counted in memory, as it should be: such a pair says nothing and plays once more. */
  async function playExactly(seed: number, plays = 3): Promise<void> {
    const missedBefore = chargesMissed()
    try {
      usageCounter(await playPair(seed))
    } catch (difference) {
      if (plays === 1 || chargesMissed() === missedBefore) throw difference
      await playExactly(seed, plays - 1)
    }
  }

  function usageCounter(results: string[][]): void {
    done += results.length
    for (const result of results.flat()) seen.set(result, (seen.get(result) ?? 0) + 1)
  }

  /** The results of each sequence. */
  async function playPair(seed: number): Promise<string[][]> {
    const sequences: string[][] = []
    const random = randomOf(seed)
    // Small limits for some, so that refusals and bans are met on the way.
    const limits =
      random.below(4) === 0
        ? { plan: 'enterprise', perMinute: 5, perDay: 30 }
        : { plan: 'enterprise', perMinute: 2000, perDay: 2000 }
    const sides = await Promise.all([makeSide(limits), makeSide(limits)])
    for (let i = 0; i < sequencesPerPair; i++) {
      const results: string[] = []
      for (let step = 1 + random.below(4); step > 0; step--) {
        const choice = chooseAct(random)
        const [byRest, byGraphql] = await Promise.all([
          sides[0].play(choice, (project, act) => actByRest(project, act)),
          sides[1].play(choice, (project, act) => actByGraphql(app, project, act)),
        ])
        expect(byGraphql, `seed ${seed}, ${JSON.stringify(choice)}`).toEqual(byRest)
        results.push(`${choice.kind} ${byRest.code}`)
      }
      sequences.push(results)
    }
    const effects = await sides[0].effects()
    expect(await sides[1].effects(), `seed ${seed}`).toEqual(effects)
    expect(effects.inventory.total, `seed ${seed}`).toBe(effects.pets.length)
    return sequences
  }

  const seeds = Array.from({ length: sequences / sequencesPerPair }, (_, i) => 1 + i)
  await Promise.all(
    Array.from({ length: pairsAtOnce }, async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) await playExactly(seed)
    }),
  )

  expect(done).toBe(sequences)
  for (const result of [
    'create null',
    'create invalid_input',
    'create idempotency_mismatch',
    'create insufficient_scope',
    'create rate_limited',
    'list null',
    'list invalid_input',
    'list insufficient_scope',
    'get null',
    'get pet_not_found',
    'update null',
    'update invalid_input',
    'update pet_not_found',
    'update precondition_failed',
    'update insufficient_scope',
    'delete null',
    'delete pet_not_found',
    'delete precondition_failed',
    'get key_banned',
  ]) {
    expect(seen.get(result) ?? 0, result).toBeGreaterThan(0)
  }
}, 300_000)

/** What is chosen is the same for both sides; which id or cursor that is, each side knows for itself. */
type Choice =
  | {
      kind: 'create'
      key: 'all' | 'reading' | 'writing'
      pet: Record<string, unknown>
      idempotencyKey: string | null
      isTyped: boolean
    }
  | {
      kind: 'list'
      key: 'all' | 'reading' | 'writing'
      limit: unknown
      status: string | null
      after: 'last' | 'broken' | 'none'
      filters: Filters
      isTyped: boolean
    }
  | { kind: 'get'; key: 'all' | 'reading' | 'writing'; creation: number | null; id: string; isTyped: boolean }
  | {
      kind: 'update' | 'delete'
      key: 'all' | 'reading' | 'writing'
      creation: number | null
      id: string
      change: Record<string, unknown>
      condition: 'none' | 'last' | 'any' | 'broken'
      isTyped: boolean
    }

const absent = '(absent)'

function chooseAct(random: ReturnType<typeof randomOf>): Choice {
  const key = random.oneOf(['all', 'all', 'all', 'all', 'reading', 'writing'] as const)
  const kind = random.oneOf([
    'create',
    'create',
    'create',
    'list',
    'list',
    'get',
    'update',
    'update',
    'delete',
    'delete',
  ] as const)
  if (kind === 'get' || kind === 'update' || kind === 'delete') {
    const creation = random.below(3) > 0 ? random.below(4) : null
    const id = random.oneOf([
      '9223372036854775807',
      '9223372036854775808',
      '-1',
      '0',
      '007',
      'abc',
      '1.5',
      ' 1',
      'foreign',
    ])
    if (kind === 'get') return { kind, key, creation, id, isTyped: true }
    const { pet, isTyped } = choosePet(random, Array(20).fill(absent))
    const condition = random.oneOf(['none', 'none', 'last', 'last', 'any', 'broken'] as const)
    return { kind, key, creation, id, change: pet, condition, isTyped: kind === 'delete' || isTyped }
  }
  if (kind === 'list') {
    const limit = random.oneOf([null, 1, 2, 3, 20, 100, 0, 101, -1, 1.5, 'abc'])
    const status = random.oneOf([null, null, 'available', 'pending', 'sold', 'lost', 'Sold'])
    const isTyped = typeof limit !== 'string' && limit !== 1.5 && status !== 'lost' && status !== 'Sold'
    return {
      kind,
      key,
      limit,
      status,
      after: random.oneOf(['none', 'none', 'last', 'last', 'broken'] as const),
      filters: {
        categoryId: random.oneOf([null, null, null, '1', '2', '007', 'x']),
        name: random.oneOf([null, null, null, 'a', 'RE', 'nobody', '%', '']),
        newestFirst: random.below(4) === 0,
      },
      isTyped,
    }
  }
  const idempotencyKey = random.oneOf([
    null,
    null,
    null,
    'one',
    'two',
    '"two"',
    'x'.repeat(255),
    'x'.repeat(256),
  ])
  const { pet, isTyped } = choosePet(random, [])
  const isWhole = 'name' in pet && 'categoryId' in pet
  return { kind, key, pet, idempotencyKey, isTyped: isTyped && isWhole }
}

/** A pet, or what to change of one. */
function choosePet(random: ReturnType<typeof randomOf>, more: string[]) {
  const name = random.oneOf([
    ...more,
    ...['Biscuit', 'Max', 'Rex', 'Ada', 'Milo', 'Nori'],
    ' Luna ',
    '🦊',
    'x'.repeat(255),
    'x'.repeat(256),
    '',
    '  ',
    'a\u0000b',
    '\ud800',
    'a\nb',
    5,
    null,
    absent,
  ])
  const categoryId = random.oneOf([
    ...more,
    ...['1', '1', '2', '3'],
    '0',
    '-1',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '1.5',
    true,
    null,
    absent,
  ])
  const status = random.oneOf([absent, absent, 'available', 'pending', 'sold', 'lost', 7])
  const pet = Object.fromEntries(
    Object.entries({ name, categoryId, status }).filter(([, value]) => value !== absent),
  )
  const isTyped =
    [name, categoryId].every(value => typeof value === 'string') && status !== 'lost' && status !== 7
  return { pet, isTyped }
}

async function makeSide(limits: { plan: string; perMinute: number; perDay: number }) {
  const all = await app.makeProject(limits)
  const keys = {
    all,
    reading: await all.issueKey(['pets:read']),
    writing: await all.issueKey(['pets:write']),
  }
  const created: string[] = []
  let cursor: string | null = null
  let etag: string | null = null

  return {
    async play(choice: Choice, perform: (project: TestProject, act: Act) => Promise<Outcome>) {
      const outcome = await perform(keys[choice.key], toAct(choice))
      for (const pet of outcome.pets) if (!created.includes(pet.id)) created.push(pet.id)
      cursor = outcome.cursor ?? cursor
      etag = outcome.etag ?? etag
      return {
        ...outcome,
        // Where a value does not even fit its type, GraphQL names the first such place and REST all of them.
        fields: choice.isTyped ? outcome.fields : [],
        pets: outcome.pets.map(pet => ({ ...pet, id: created.indexOf(pet.id) })),
        cursor: outcome.cursor !== null,
        // It names the id too.
        etag: outcome.etag !== null,
        // Each side's window began at a moment of its own.
        retryAfter: outcome.retryAfter !== undefined,
      }
    },
    async effects() {
      const { db, database } = app.tools
      const found = await db.pet.findMany({ where: { projectId: all.project.id }, orderBy: { id: 'asc' } })
      const pets = found.map(({ name, categoryId, status }) => ({ name, categoryId, status }))
      return { pets, inventory: await readInventory(database, all.project) }
    },
  }

  function toAct(choice: Choice): Act {
    if (choice.kind === 'create') return { kind: 'create', pet: choice.pet, key: choice.idempotencyKey }
    if (choice.kind !== 'list') {
      const known = choice.creation === null ? choice.id : created[choice.creation]
      const id = known === 'foreign' || known === undefined ? foreign : known
      if (choice.kind === 'get') return { kind: 'get', id }
      const ifMatch = { none: null, last: etag, any: '*', broken: 'a b' }[choice.condition]
      if (choice.kind === 'delete') return { kind: 'delete', id, ifMatch }
      return { kind: 'update', id, change: choice.change, ifMatch }
    }
    const { limit, status, after, filters } = choice
    return {
      kind: 'list',
      limit,
      status,
      filters,
      after: after === 'none' ? null : after === 'broken' ? 'nonsense' : cursor,
    }
  }
}
