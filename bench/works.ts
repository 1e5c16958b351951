import type { ContestantName } from './contestants.ts'
import {
  categories,
  type Filters,
  projectOf,
  type Question,
  type Size,
  shuffled,
  shuffledOf,
} from './questions.ts'

export type Steadiness = 'shown' | 'steady' | 'swinging'

export type Work = {
  title: string
  contestants: readonly ContestantName[]
  /** The contestant with which the table compares the others. */
  reference: ContestantName
  status: number
  ask(n: number, size: Size): Question
  /** Every question is new, so that no cache has its page. */
  unique?: true
  /**
   * A second work that the store also does in each round, so that the report can compare the two works: a refusal must
   * be cheaper than a list, and a tool call is compared with the REST request that does what the tool does.
   */
  beside?: 'list' | 'create'
  /**
   * True if the store does the second work at the rate of the first one. A process that has little to do uses more CPU
   * time for a request than a busy process, which handles several requests each time it wakes up.
   */
  besideAtSameRate?: true
  /** Number of clients, if not the default. */
  connections?: number
  /** Number of different requests, if it is lower than usual because each request is long. */
  questions?: number
  /** Decides how many rounds are measured, so that the figure is stable. A work without a goal has fewer rounds. */
  steadiness: Steadiness
  /** True if `--quick` runs it. */
  quick?: true
}

export const besideName = ({ beside, besideAtSameRate }: Work) =>
  `ours, ${beside === 'list' ? 'a list' : 'a create over REST'}${besideAtSameRate ? ' at the same rate' : ''}`

const rest = ['by the book', 'Fastify', 'ours'] as const
const graphql = ['by the book', 'PostGraphile', 'Mercurius', 'ours'] as const
/**
 * Contestants whose GraphQL types have the names that the client libraries request. PostGraphile's types have other
 * names.
 */
const graphqlOfClients = ['by the book', 'Mercurius', 'ours'] as const
const listersByFilter = ['bare+redis+select', 'by the book', 'ours'] as const
const of = (n: number, size: Size) => (n % size.projects) + 1
/** Skips the first project, in which some contestants create a pet to show that they are ready. */
const notFirst = (n: number, size: Size) => (n % (size.projects - 1)) + 2
/** Popular requests ask for one of ten projects. */
const popular = (n: number) => (n % 10) + 1
/** A pet far inside a store, with pages after it. */
const deep = (project: number, size: Size) =>
  project + Math.floor((size.pets / size.projects) * 0.9) * size.projects

export const works = {
  list: {
    title: 'REST list, hot',
    contestants: ['bare', 'bare+redis', 'bare+redis+select', ...rest],
    reference: 'bare+redis',
    status: 200,
    ask: n => ({ act: 'list', project: popular(n) }),
    steadiness: 'steady',
    quick: true,
  },
  listFiltered: {
    title: 'REST list with filter, hot',
    contestants: ['bare+redis', ...rest],
    reference: 'bare+redis',
    status: 200,
    ask: n => ({ act: 'list', project: popular(n), status: 'sold' }),
    steadiness: 'shown',
  },
  listDeep: {
    title: 'REST list, deep cursor, hot',
    contestants: ['bare+redis', ...rest],
    reference: 'bare+redis',
    status: 200,
    ask: (n, size) => ({ act: 'list', project: popular(n), after: deep(popular(n), size) }),
    steadiness: 'shown',
  },
  listNew: {
    title: 'REST list, never seen before',
    contestants: ['bare+redis+select', ...rest],
    reference: 'bare+redis+select',
    status: 200,
    ask: (n, size) => ({
      act: 'list',
      project: projectOf(size, shuffled(size, n)),
      after: shuffled(size, n),
    }),
    steadiness: 'steady',
    unique: true,
    quick: true,
  },
  listBy: {
    title: 'REST list by status, by category or by both, never seen before',
    contestants: listersByFilter,
    reference: 'bare+redis+select',
    status: 200,
    ask: somewhere(n => ({
      ...(n % 3 !== 0 && { status: n % 2 === 0 ? 'available' : 'sold' }),
      ...(n % 3 !== 1 && { category: (n % categories) + 1 }),
    })),
    steadiness: 'steady',
    unique: true,
  },
  listNewest: {
    title: 'REST list, newest first, never seen before',
    contestants: listersByFilter,
    reference: 'bare+redis+select',
    status: 200,
    ask: somewhere(() => ({ newestFirst: true })),
    steadiness: 'shown',
    unique: true,
  },
  listNamed: {
    title: 'REST list by a part of the name, never seen before',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 200,
    ask: somewhere(() => ({ name: 'ELL' })),
    steadiness: 'shown',
    unique: true,
  },
  inventory: {
    title: 'REST inventory',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 200,
    ask: (n, size) => ({ act: 'inventory', project: notFirst(n, size) }),
    steadiness: 'shown',
  },
  export: {
    title: 'REST export of a store of 10,000 pets, four at once',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 200,
    connections: 4,
    ask: (n, size) => ({ act: 'export', project: notFirst(n, size) }),
    steadiness: 'shown',
  },
  get: {
    title: 'REST get',
    contestants: [...rest],
    reference: 'by the book',
    status: 200,
    ask: (n, size) => ({ act: 'get', project: projectOf(size, shuffled(size, n)), id: shuffled(size, n) }),
    steadiness: 'shown',
    unique: true,
  },
  create: {
    title: 'REST create',
    contestants: ['bare+redis+insert', ...rest],
    reference: 'bare+redis+insert',
    status: 201,
    ask: (n, size) => ({ act: 'create', project: of(n, size), name: 'Rex the second' }),
    steadiness: 'swinging',
    quick: true,
  },
  graphqlList: {
    title: 'GraphQL list, hot, as curl asks',
    contestants: graphql,
    reference: 'by the book',
    status: 200,
    ask: n => ({ act: 'graphql-list', project: popular(n) }),
    steadiness: 'steady',
    quick: true,
  },
  graphqlListApollo: {
    title: 'GraphQL list, hot, as Apollo Client asks',
    contestants: graphqlOfClients,
    reference: 'by the book',
    status: 200,
    ask: n => ({ act: 'graphql-list', project: popular(n), by: 'apollo' }),
    steadiness: 'steady',
    quick: true,
  },
  graphqlListUrql: {
    title: 'GraphQL list, hot, as urql asks (GET)',
    contestants: graphqlOfClients,
    reference: 'by the book',
    status: 200,
    ask: n => ({ act: 'graphql-list', project: popular(n), by: 'urql' }),
    steadiness: 'steady',
    quick: true,
  },
  graphqlPersisted: {
    title: 'GraphQL list by persisted query, hot',
    contestants: ['by the book', 'Mercurius', 'ours'],
    reference: 'by the book',
    status: 200,
    ask: n => ({ act: 'graphql-list', project: popular(n), persisted: 'known' }),
    steadiness: 'shown',
  },
  graphqlListNew: {
    title: 'GraphQL list, never seen before',
    contestants: graphql,
    reference: 'by the book',
    status: 200,
    ask: (n, size) => ({
      act: 'graphql-list',
      project: projectOf(size, shuffled(size, n)),
      after: shuffled(size, n),
    }),
    steadiness: 'shown',
    unique: true,
  },
  graphqlCreate: {
    title: 'GraphQL create, as curl asks',
    contestants: graphql,
    reference: 'by the book',
    status: 200,
    ask: (n, size) => ({ act: 'graphql-create', project: of(n, size), name: 'Rex the third' }),
    steadiness: 'shown',
  },
  graphqlCreateApollo: {
    title: 'GraphQL create, as Apollo Client asks',
    contestants: graphqlOfClients,
    reference: 'by the book',
    status: 200,
    ask: (n, size) => ({ act: 'graphql-create', project: of(n, size), name: 'Rex the fifth', by: 'apollo' }),
    steadiness: 'swinging',
    quick: true,
  },
  mix: {
    title: 'Mix: 90 % reads, 10 % writes',
    contestants: rest,
    reference: 'by the book',
    status: 200,
    ask: mixed,
    steadiness: 'swinging',
    quick: true,
  },
  mixNew: {
    title: 'Mix, each single pet and each deep page requested once',
    contestants: rest,
    reference: 'by the book',
    status: 200,
    // Shift `n`, so that this work asks other questions than the work `mix`.
    ask: (n, size) => mixed(n + size.pets / 2, size),
    steadiness: 'shown',
    unique: true,
  },
  update: {
    title: 'REST update',
    contestants: rest,
    reference: 'by the book',
    status: 200,
    ask: (n, size) => {
      const id = shuffledOf(size, 'pending', n)
      return {
        act: 'update',
        project: projectOf(size, id),
        id,
        change: { name: 'Rex the sixth', status: 'sold' },
      }
    },
    steadiness: 'steady',
    unique: true,
    quick: true,
  },
  graphqlUpdate: {
    title: 'GraphQL update, as curl asks',
    contestants: graphqlOfClients,
    reference: 'by the book',
    status: 200,
    ask: (n, size) => {
      const id = shuffledOf(size, 'sold', n)
      const change = { name: 'Rex the seventh', status: 'pending' }
      return { act: 'graphql-update', project: projectOf(size, id), id, change }
    },
    steadiness: 'shown',
    unique: true,
  },
  place: {
    title: 'REST place an order',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 201,
    ask: (n, size) => {
      const pet = shuffledOf(size, n % 2 === 0 ? 'available' : null, Math.floor(n / 2))
      return { act: 'place', project: projectOf(size, pet), pet }
    },
    steadiness: 'steady',
    unique: true,
    quick: true,
  },
  refused: {
    title: 'Refused: 429',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 429,
    beside: 'list',
    besideAtSameRate: true,
    ask: which => ({ act: 'refused', which }),
    steadiness: 'steady',
  },
  wrongKey: {
    title: 'Wrong key: 401',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 401,
    beside: 'list',
    ask: which => ({ act: 'wrong-key', which }),
    steadiness: 'steady',
  },
  toolList: {
    title: 'A list by an agent (MCP)',
    contestants: ['ours'],
    reference: 'ours',
    status: 200,
    beside: 'list',
    ask: n => ({ act: 'tool-list', project: popular(n) }),
    steadiness: 'shown',
  },
  toolCreate: {
    title: 'A create by an agent (MCP)',
    contestants: ['ours'],
    reference: 'ours',
    status: 200,
    beside: 'create',
    ask: (n, size) => ({ act: 'tool-create', project: of(n, size), name: 'Rex the eighth' }),
    steadiness: 'shown',
  },
  import: {
    title: 'REST import of 1,000 pets, four at once',
    contestants: ['by the book', 'ours'],
    reference: 'by the book',
    status: 201,
    connections: 4,
    questions: 100,
    ask: (n, size) => ({ act: 'import', project: notFirst(n, size), pets: 1000 }),
    steadiness: 'shown',
  },
} as const satisfies Record<string, Work>

/** Asks for a page with these filters, anywhere in any store. */
export function somewhere(filters: (n: number) => Filters) {
  return (n: number, size: Size): Question => {
    const pet = shuffled(size, n)
    const by = filters(n)
    // With `newestFirst`, a page has the pets with ids below `after`. The ids of two successive pets of a project
    // differ by `size.projects`. So this sum leaves at least 30 pets of the project below `after`, which is enough to
    // fill the page.
    const after = by.newestFirst ? pet + 30 * size.projects : pet
    return { act: 'list', project: projectOf(size, pet), after, ...by }
  }
}

export type WorkName = keyof typeof works

/** The works whose latency `--latency` measures. */
export const latencyWorks: readonly WorkName[] = [
  ...(['list', 'listNew', 'get', 'create', 'update', 'place'] as const),
  ...(['graphqlList', 'graphqlListNew', 'mix'] as const),
]

/**
 * In a hundred requests, 60 ask for first pages, 10 for filtered and 10 for deep pages, 10 for single pets, and 10
 * create pets. goals.ts uses these shares to compute the rate that bare servers would reach with the mix.
 */
function mixed(n: number, size: Size): Question {
  const project = (Math.imul(n, 2_654_435_761) >>> 8) % size.projects
  const turn = n % 10
  if (turn < 6) return { act: 'list', project: project + 1 }
  if (turn === 6) return { act: 'list', project: project + 1, status: 'available' }
  const pet = shuffled(size, n)
  if (turn === 7) return { act: 'list', project: projectOf(size, pet), after: pet }
  if (turn === 8) return { act: 'get', project: projectOf(size, pet), id: pet }
  return { act: 'create', project: project + 1, name: 'Rex the fourth' }
}
