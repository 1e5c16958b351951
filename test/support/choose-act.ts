import type { Filters, OrderFilters } from './both-doors.ts'
import type { randomOf } from './random.ts'

type Random = ReturnType<typeof randomOf>
type Key = 'all' | 'reading' | 'writing' | 'ordering'
/**
 * Chooses an object. With `metBefore` 0, the object is the last one in the list of known objects; with 1, the one
 * before the last. If `metBefore` is null, `id` names the object.
 */
type Chosen = { metBefore: number | null; id: string }
type PageChosen = { limit: unknown; after: 'last' | 'other' | 'broken' | 'none' }

/**
 * An act that a test performs on three projects: by REST in the first, by GraphQL in the second, and by the tools for
 * agents in the third. The act chooses objects and pages without ids and cursors of a project, because each project has
 * different ids and cursors.
 */
export type Choice = { key: Key; isTyped: boolean } & (
  | { kind: 'create'; pet: Record<string, unknown>; idempotencyKey: string | null }
  | ({ kind: 'list'; status: string | null; filters: Filters } & PageChosen)
  | ({ kind: 'get' } & Chosen)
  | ({
      kind: 'update' | 'delete'
      change: Record<string, unknown>
      condition: 'none' | 'last' | 'any' | 'broken'
    } & Chosen)
  | {
      kind: 'updateMany' | 'deleteMany'
      ids: Chosen[]
      filter: Record<string, unknown> | null
      tag: 'none' | 'last' | 'broken' | 'foreign'
      change: Record<string, unknown>
    }
  | { kind: 'place'; pet: Chosen; order: Record<string, unknown>; idempotencyKey: string | null }
  | ({ kind: 'approve' | 'deliver' | 'cancel' | 'getOrder' } & Chosen)
  | ({ kind: 'listOrders'; ofPet: Chosen | null; filters: Omit<OrderFilters, 'petId'> } & PageChosen)
  | { kind: 'setCategory'; id: string; name: unknown }
  | { kind: 'removeCategory' | 'getCategory'; id: string }
  | ({ kind: 'listCategories' } & PageChosen)
  | { kind: 'related' }
)

const absent = '(absent)'

/** Usually picks a valid value, so that acts build on each other; sometimes an invalid or rare one. */
const oftenOf = <T>(random: Random, right: readonly T[], other: readonly T[]): T =>
  random.oneOf(random.below(8) === 0 ? other : right)

const kinds = [
  ...Array<'create'>(6).fill('create'),
  ...Array<'list'>(4).fill('list'),
  ...Array<'get'>(2).fill('get'),
  ...Array<'update'>(6).fill('update'),
  ...Array<'delete'>(3).fill('delete'),
  ...Array<'updateMany'>(4).fill('updateMany'),
  ...Array<'deleteMany'>(2).fill('deleteMany'),
  ...Array<'place'>(6).fill('place'),
  ...Array<'approve'>(4).fill('approve'),
  ...Array<'deliver'>(3).fill('deliver'),
  ...Array<'cancel'>(2).fill('cancel'),
  ...Array<'listOrders'>(3).fill('listOrders'),
  ...Array<'setCategory'>(3).fill('setCategory'),
  ...Array<'related'>(3).fill('related'),
  ...(['getOrder', 'removeCategory', 'getCategory', 'listCategories'] as const),
]

export function chooseAct(random: Random): Choice {
  const key = oftenOf<Key>(random, ['all'], ['reading', 'writing', 'ordering'])
  const kind = random.oneOf(kinds)
  switch (kind) {
    case 'create': {
      const { pet, isTyped } = chooseNewPet(random)
      const isWhole = 'name' in pet && 'categoryId' in pet
      return { kind, key, pet, idempotencyKey: chooseIdempotencyKey(random), isTyped: isTyped && isWhole }
    }
    case 'get':
      return { kind, key, ...chooseOne(random, 4), isTyped: true }
    case 'update':
    case 'delete': {
      const { pet, isTyped } = chooseChange(random)
      const condition = random.oneOf(['none', 'last', 'last', 'any', 'broken'] as const)
      const isFit = kind === 'delete' || isTyped
      return { kind, key, ...chooseOne(random, 4), change: pet, condition, isTyped: isFit }
    }
    case 'updateMany':
    case 'deleteMany': {
      const { pet, isTyped } = chooseChange(random)
      const ids = Array.from({ length: oftenOf(random, [1, 1, 2, 3], [0]) }, () => chooseOne(random, 6))
      const filter = random.below(3) === 0 ? chooseFilter(random) : null
      const tag = oftenOf<'none' | 'last' | 'broken' | 'foreign'>(
        random,
        ['none', 'none', 'last'],
        ['broken', 'foreign'],
      )
      const hasIds = filter === null || random.below(8) === 0
      const isFit = kind === 'deleteMany' || isTyped
      const isKnown = filter === null || filter.status !== 'lost'
      return { kind, key, ids: hasIds ? ids : [], filter, tag, change: pet, isTyped: isFit && isKnown }
    }
    case 'list': {
      const status = oftenOf(random, [null, null, 'available', 'pending', 'sold'], ['lost', 'Sold'])
      const filters = {
        categoryId: oftenOf(random, [null, null, '1', '2'], ['007', 'x']),
        name: oftenOf(random, [null, null, 'a', 'RE', 'nobody', '%'], ['']),
        newestFirst: random.below(4) === 0,
      }
      const { isTyped, ...page } = choosePage(random)
      return {
        kind,
        key,
        status,
        filters,
        ...page,
        isTyped: isTyped && status !== 'lost' && status !== 'Sold',
      }
    }
    case 'place': {
      const { order, isTyped } = chooseOrder(random)
      return {
        kind,
        key,
        pet: chooseOne(random, 6),
        order,
        idempotencyKey: chooseIdempotencyKey(random),
        isTyped,
      }
    }
    case 'approve':
    case 'deliver':
    case 'cancel':
    case 'getOrder':
      return { kind, key, ...chooseOne(random, 4), isTyped: true }
    case 'listOrders': {
      const status = oftenOf(
        random,
        [null, null, 'placed', 'approved', 'delivered', 'cancelled'],
        ['available'],
      )
      const reference = oftenOf(random, [null, null, 'web-1', ' web-2 ', 'WEB-1'], ['', 'x'.repeat(101)])
      const ofPet = random.below(3) === 0 ? chooseOne(random, 4) : null
      const { isTyped, ...page } = choosePage(random)
      const filters = { status, reference }
      return { kind, key, ofPet, filters, ...page, isTyped: isTyped && status !== 'available' }
    }
    case 'setCategory': {
      const name = oftenOf(
        random,
        ['Dogs', 'Cats', ' Birds ', '🦊', 'x'.repeat(100)],
        ['x'.repeat(101), '', 'a\u0000b', 5, null],
      )
      return { kind, key, id: chooseCategory(random), name, isTyped: typeof name === 'string' }
    }
    case 'removeCategory':
    case 'getCategory':
      return { kind, key, id: chooseCategory(random), isTyped: true }
    case 'listCategories':
      return { kind, key, ...choosePage(random) }
    // This act always uses the key with all scopes, because GraphQL requires more scopes for a pet's category and
    // orders than for the pet alone.
    case 'related':
      return { kind, key: 'all', isTyped: true }
  }
}

/** Chooses some filters, sometimes none. */
function chooseFilter(random: Random) {
  const filter = {
    status: oftenOf(random, [absent, 'available', 'pending', 'sold'], ['lost', absent]),
    categoryId: oftenOf(random, [absent, absent, '1', '2'], ['007', 'x']),
    name: oftenOf(random, [absent, absent, 'a', 'nobody'], ['']),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== absent))
}

function chooseOne(random: Random, most: number): Chosen {
  const ids = ['9223372036854775807', '9223372036854775808', '-1', '0', '007', 'abc', '1.5', ' 1', 'foreign']
  return { metBefore: random.below(5) > 0 ? random.below(most) : null, id: random.oneOf(ids) }
}

function choosePage(random: Random) {
  const limit = oftenOf(random, [null, 1, 2, 3, 20, 100], [0, 101, -1, 1.5, 'abc'])
  const after = oftenOf<PageChosen['after']>(random, ['none', 'last'], ['other', 'broken'])
  return { limit, after, isTyped: typeof limit !== 'string' && limit !== 1.5 }
}

const chooseCategory = (random: Random) =>
  oftenOf(random, ['1', '1', '2', '3', '-9223372036854775808'], ['9223372036854775808', '007', 'abc', '1.5'])

const chooseIdempotencyKey = (random: Random) =>
  oftenOf(random, [null], ['one', 'two', '"two"', 'x'.repeat(255), 'x'.repeat(256)])

/** Chooses an order's reference and note. */
function chooseOrder(random: Random) {
  const reference = oftenOf(random, [absent, absent, 'web-1', ' web-2 ', 'web-3'], ['', 'x'.repeat(101), 5])
  const note = oftenOf(random, [absent, 'Saturday', '🦊'], [' ', 'x'.repeat(1001), '\ud800', true])
  return {
    order: Object.fromEntries(Object.entries({ reference, note }).filter(([, value]) => value !== absent)),
    isTyped: typeof reference === 'string' && typeof note === 'string',
  }
}

/** Chooses the fields of a new pet. */
const chooseNewPet = (random: Random) => choosePet(random, [], [null])
/**
 * Chooses new values for fields of an existing pet, without null: in a merge patch null removes a field, but in GraphQL
 * and MCP it stands for an absent field.
 */
const chooseChange = (random: Random) => choosePet(random, Array(6).fill(absent), [])

function choosePet(random: Random, more: string[], invalid: null[]) {
  const name = oftenOf(
    random,
    [...more, 'Biscuit', 'Max', 'Rex', 'Ada', ' Luna ', '🦊', 'x'.repeat(255)],
    ['x'.repeat(256), '', '  ', 'a\u0000b', '\ud800', 'a\nb', 5, ...invalid, absent],
  )
  const categoryId = oftenOf(
    random,
    [
      ...more,
      '1',
      '1',
      '2',
      '3',
      '0',
      '-1',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
    ],
    ['9223372036854775808', '1.5', true, ...invalid, absent],
  )
  const status = oftenOf(random, [absent, absent, 'available', 'available', 'pending', 'sold'], ['lost', 7])
  const pet = Object.fromEntries(
    Object.entries({ name, categoryId, status }).filter(([, value]) => value !== absent),
  )
  const isTyped =
    [name, categoryId].every(value => typeof value === 'string') && status !== 'lost' && status !== 7
  return { pet, isTyped }
}
