import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInventory } from '../src/core/pets/inventory.ts'
import { actByGraphql } from './support/act-by-graphql.ts'
import { actByMcp } from './support/act-by-mcp.ts'
import { actByRest } from './support/act-by-rest.ts'
import { type Act, type Lists, type Outcome, timesOf } from './support/both-doors.ts'
import { chargesCountedIn } from './support/charges-counted.ts'
import { type Choice, chooseAct } from './support/choose-act.ts'
import { freshRedis } from './support/databases.ts'
import { randomOf } from './support/random.ts'
import { type App, startApp, type TestProject } from './support/start-app.ts'

const sequences = 1000
const sequencesPerPair = 40
const pairsAtOnce = 5

let app: App
let foreign: { pet: string; order: string }
beforeAll(async () => {
  // Time stands still, so that no window ends between two calls that are compared.
  const now = Date.now()
  const redisUrl = await freshRedis()
  // If there is a Redis, REST and GraphQL answer from caches. A cached answer must be as fresh as a new one.
  const env: Record<string, string> = redisUrl ? { REDIS_URL: redisUrl } : {}
  app = await startApp({ env, clock: { now: () => now, aheadMs: () => now - Date.now() } })
  const other = await app.makeProject()
  const made = async (path: string, body: object) =>
    ((await other.post(path, body)).json as { id: number }).id
  const pet = await made('/v1/pets', { name: 'Foreign', categoryId: 1 })
  const order = await made('/v1/store/orders', { petId: pet })
  foreign = { pet: String(pet), order: String(order) }
})
afterAll(() => app.stop())

test(`${sequences} random sequences of operations have the same results, codes, effects and charges over REST, GraphQL and MCP`, async () => {
  const seen = new Map<string, number>()
  let done = 0

  const chargesMissed = () => (app.tools.config.redisUrl ? chargesCountedIn('memory', app) : 0)

  /**
   * If Redis answers a charge too late, the charge is counted in memory, as intended. The answers may then differ, so
   * play the sequences again.
   */
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

  /** Returns the results of each sequence. */
  async function playPair(seed: number): Promise<string[][]> {
    const sequences: string[][] = []
    const random = randomOf(seed)
    // Some projects get small limits, so that refusals and bans occur.
    const limits =
      random.below(4) === 0
        ? { plan: 'enterprise', perMinute: 5, perDay: 30 }
        : { plan: 'enterprise', perMinute: 2000, perDay: 2000 }
    const sides = await Promise.all([makeSide(limits), makeSide(limits), makeSide(limits)])
    for (let i = 0; i < sequencesPerPair; i++) {
      const results: string[] = []
      for (let step = 1 + random.below(7); step > 0; step--) {
        const choice = chooseAct(random)
        const [byRest, byGraphql, byMcp] = await Promise.all([
          sides[0].play(choice, (project, act) => actByRest(project, act)),
          sides[1].play(choice, (project, act) => actByGraphql(app, project, act)),
          sides[2].play(choice, actByMcp),
        ])
        expect(byGraphql, `seed ${seed}, ${JSON.stringify(choice)}`).toEqual(byRest)
        // Ignore `isDeprecated`: getPet of REST is deprecated, but the tool get_pet is not.
        const { isDeprecated } = byRest
        expect({ ...byMcp, isDeprecated }, `seed ${seed}, ${JSON.stringify(choice)}`).toEqual(byRest)
        results.push(`${choice.kind} ${byRest.code}`)
        if (byRest.related) results.push(...relationsSeen(byRest.related))
      }
      sequences.push(results)
    }
    const effects = await sides[0].effects()
    expect(await sides[1].effects(), `seed ${seed}`).toEqual(effects)
    expect(await sides[2].effects(), `seed ${seed}`).toEqual(effects)
    expect(effects.inventory.total, `seed ${seed}`).toBe(effects.pets.length)
    const inOrder = effects.pets.filter(({ openOrder }) => openOrder >= 0)
    expect(inOrder.map(({ openOrder }) => openOrder).sort(), `seed ${seed}`).toEqual(effects.open.sort())
    expect(
      inOrder.every(({ status }) => status === 'pending'),
      `seed ${seed}`,
    ).toBe(true)
    return sequences
  }

  const seeds = Array.from({ length: sequences / sequencesPerPair }, (_, i) => 1 + i)
  await Promise.all(
    Array.from({ length: pairsAtOnce }, async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) await playExactly(seed)
    }),
  )

  console.log(
    [...seen]
      .sort()
      .map(e => e.join(': '))
      .join('\n'),
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
    ...['updateMany', 'deleteMany'].flatMap(kind =>
      [
        ...['null', 'invalid_input', 'pet_not_found', 'pet_in_order'],
        ...['precondition_failed', 'insufficient_scope'],
      ].map(code => `${kind} ${code}`),
    ),
    'update pet_in_order',
    'delete pet_in_order',
    'get key_banned',
    'place null',
    'place invalid_input',
    'place pet_not_found',
    'place pet_not_available',
    'place order_exists',
    'place idempotency_mismatch',
    'place insufficient_scope',
    'approve null',
    'approve order_state',
    'approve order_not_found',
    'deliver null',
    'deliver order_state',
    'cancel null',
    'cancel order_state',
    'cancel insufficient_scope',
    'getOrder null',
    'getOrder order_not_found',
    'listOrders null',
    'listOrders invalid_input',
    'setCategory null',
    'setCategory invalid_input',
    'setCategory category_not_found',
    'removeCategory null',
    'removeCategory category_not_found',
    'getCategory null',
    'listCategories null',
    'listCategories invalid_input',
    'related null',
    'related rate_limited',
    ...['a named category', 'a nameless category', 'a pet with orders', 'a pet with more orders'],
    ...['a pet without orders', 'an order with its pet', 'an order whose pet is gone'],
  ]) {
    expect(seen.get(result) ?? 0, result).toBeGreaterThan(0)
  }
}, 300_000)

async function makeSide(limits: { plan: string; perMinute: number; perDay: number }) {
  const all = await app.makeProject(limits)
  const keys = {
    all,
    reading: await all.issueKey(['pets:read']),
    writing: await all.issueKey(['pets:write']),
    ordering: await all.issueKey(['orders:read', 'orders:write']),
  }
  /** Ids in the order in which they were first seen. */
  const pets: string[] = []
  const orders: string[] = []
  const cursors: Record<Lists, string | null> = { list: null, listOrders: null, listCategories: null }
  let etag: string | null = null
  /** The last pet that was returned with a tag. */
  let tagged: { id: string | undefined; etag: string } | null = null

  return {
    async play(choice: Choice, perform: (project: TestProject, act: Act) => Promise<Outcome>) {
      const outcome = await perform(keys[choice.key], toAct(choice))
      // Remember ids in ascending order, however the list was sorted.
      for (const { id } of outcome.pets.toSorted(byId)) if (!pets.includes(id)) pets.push(id)
      for (const { id } of outcome.orders.toSorted(byId)) if (!orders.includes(id)) orders.push(id)
      if (outcome.cursor !== null) cursors[choice.kind as Lists] = outcome.cursor
      etag = outcome.etag ?? etag
      if (outcome.etag !== null) tagged = { id: outcome.pets[0]?.id, etag: outcome.etag }
      return {
        ...outcome,
        // If a value has the wrong type, GraphQL names the first fault and REST names all.
        fields: choice.isTyped ? outcome.fields : [],
        pets: outcome.pets.map(pet => ({ ...pet, id: pets.indexOf(pet.id) })),
        orders: outcome.orders.map(order => ({
          ...order,
          id: orders.indexOf(order.id),
          petId: pets.indexOf(order.petId),
        })),
        changed: outcome.changed?.map(id => pets.indexOf(id)),
        related: outcome.related && {
          pets: outcome.related.pets.map(pet => ({
            ...pet,
            id: pets.indexOf(pet.id),
            orders: pet.orders.map(id => orders.indexOf(id)),
          })),
          orders: outcome.related.orders.map(({ id, pet }) => ({
            id: orders.indexOf(id),
            pet: pet && { ...pet, id: pets.indexOf(pet.id) },
          })),
        },
        cursor: outcome.cursor !== null,
        // The ETag contains the id of the pet, and this id differs between the sides. So compare only whether an answer
        // has an ETag.
        etag: outcome.etag !== null,
        // The windows of the sides may have begun at different moments. So compare only whether an answer has a
        // Retry-After.
        retryAfter: outcome.retryAfter !== undefined,
      }
    },
    async effects() {
      const { db, database } = app.tools
      const mine = { where: { projectId: all.project.id }, orderBy: { id: 'asc' } } as const
      const foundPets = await db.pet.findMany(mine)
      const foundOrders = await db.order.findMany(mine)
      const orderAt = (id: bigint | null) => foundOrders.findIndex(order => order.id === id)
      return {
        pets: foundPets.map(({ name, categoryId, status, openOrderId }) => ({
          name,
          categoryId,
          status,
          openOrder: orderAt(openOrderId),
        })),
        orders: foundOrders.map(({ id, projectId, petId, ...order }) => ({
          ...order,
          petId: pets.indexOf(String(petId)),
          // Each side has its own times.
          ...Object.fromEntries(timesOf(order).map(name => [name, true])),
        })),
        open: foundOrders.flatMap(({ id, status }) =>
          ['placed', 'approved'].includes(status) ? [orderAt(id)] : [],
        ),
        categories: (await db.category.findMany(mine)).map(({ id, name }) => ({ id, name })),
        inventory: await readInventory(database, all.project),
      }
    },
  }

  function toAct(choice: Choice): Act {
    switch (choice.kind) {
      case 'create':
        return { kind: 'create', pet: choice.pet, key: choice.idempotencyKey }
      case 'get':
        return { kind: 'get', id: idOf(choice, pets, foreign.pet) }
      case 'update':
      case 'delete': {
        const id = idOf(choice, pets, foreign.pet)
        const ifMatch = { none: null, last: etag, any: '*', broken: 'a b' }[choice.condition]
        if (choice.kind === 'delete') return { kind: 'delete', id, ifMatch }
        return { kind: 'update', id, change: choice.change, ifMatch }
      }
      case 'updateMany':
      case 'deleteMany': {
        const { kind, filter, change, tag } = choice
        const chosenIds = choice.ids.map(chosen => idOf(chosen, pets, foreign.pet))
        const isTagged = tag === 'last' && tagged && !filter
        const ids = isTagged ? [...new Set([tagged?.id, ...chosenIds])] : [...new Set(chosenIds)]
        const etags = {
          none: undefined,
          last: isTagged ? [tagged] : undefined,
          broken: ids.slice(0, 1).map(id => ({ id, etag: 'a b' })),
          foreign: [{ id: foreign.pet, etag: 'x' }],
        }[tag]
        const hasIds = !filter || ids.length > 0
        const selection = { ...(hasIds && { ids }), ...(etags && { etags }), ...(filter && { filter }) }
        return { kind, selection, change }
      }
      case 'place': {
        const order = { petId: idOf(choice.pet, pets, foreign.pet), ...choice.order }
        return { kind: 'place', order, key: choice.idempotencyKey }
      }
      case 'approve':
      case 'deliver':
      case 'cancel':
      case 'getOrder':
        return { kind: choice.kind, id: idOf(choice, orders, foreign.order) }
      case 'setCategory':
        return { kind: choice.kind, id: choice.id, name: choice.name }
      case 'removeCategory':
      case 'getCategory':
        return { kind: choice.kind, id: choice.id }
      case 'list':
        return { kind: 'list', status: choice.status, filters: choice.filters, ...pageOf(choice) }
      case 'listOrders': {
        const petId = choice.ofPet && idOf(choice.ofPet, pets, foreign.pet)
        return { kind: 'listOrders', filters: { ...choice.filters, petId }, ...pageOf(choice) }
      }
      case 'listCategories':
        return { kind: 'listCategories', ...pageOf(choice) }
      case 'related':
        return choice
    }
  }

  function pageOf({ kind, limit, after }: Choice & { kind: Lists }) {
    const other = kind === 'list' ? cursors.listOrders : cursors.list
    return { limit, after: { none: null, last: cursors[kind], other, broken: 'nonsense' }[after] }
  }
}

type Relations = {
  pets: { category: string | null; orders: unknown[]; hasMoreOrders: boolean }[]
  orders: { pet: unknown }[]
}
const relationsSeen = ({ pets, orders }: Relations): string[] => [
  ...pets.map(({ category }) => (category === null ? 'a nameless category' : 'a named category')),
  ...pets.map(({ orders }) => (orders.length > 0 ? 'a pet with orders' : 'a pet without orders')),
  ...pets.filter(({ hasMoreOrders }) => hasMoreOrders).map(() => 'a pet with more orders'),
  ...orders.map(({ pet }) => (pet === null ? 'an order whose pet is gone' : 'an order with its pet')),
]

const byId = (one: { id: string }, other: { id: string }) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1)

function idOf({ metBefore, id }: { metBefore: number | null; id: string }, met: string[], foreignId: string) {
  const known = metBefore === null ? id : met.at(-1 - metBefore)
  return known === 'foreign' || known === undefined ? foreignId : known
}
