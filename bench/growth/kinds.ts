// The kinds of request whose cost is measured while the store grows.
import type { Question, Size } from '../questions.ts'
import { projectOf, shuffled } from '../questions.ts'
import { somewhere, works } from '../works.ts'

export type Kind = {
  title: string
  ask(n: number, size: Size): Question
  /** Requests in a round. */
  count: number
}

const many = 1_500
/** The bench may ask for the pages of a few projects again and again, so that these pages are cached. */
const fewProjects = (n: number, size: Size) => (n % Math.min(10, size.projects)) + 1
const anyProject = (n: number, size: Size) => (Math.imul(n, 7_919) % size.projects) + 1

/** Writes come before `events`, so that a store without old events has a page of new ones. */
export const kinds: Kind[] = [
  {
    title: 'list, cached',
    ask: (n, size) => ({ act: 'list', project: fewProjects(n, size) }),
    count: many,
  },
  { title: 'list', ask: works.listNew.ask, count: many },
  { title: 'list by status or category', ask: works.listBy.ask, count: many },
  { title: 'list, newest first', ask: works.listNewest.ask, count: many },
  { title: 'list by a part of the name', ask: works.listNamed.ask, count: many },
  {
    title: 'list by a part that no name has',
    ask: somewhere(() => ({ name: 'quagga' })),
    count: many,
  },
  { title: 'get', ask: works.get.ask, count: many },
  {
    title: 'inventory',
    ask: (n, size) => ({ act: 'inventory', project: anyProject(n, size) }),
    count: many,
  },
  { title: 'GraphQL list', ask: works.graphqlListNew.ask, count: many },
  { title: 'create', ask: works.create.ask, count: many },
  { title: 'GraphQL create', ask: works.graphqlCreate.ask, count: many },
  { title: 'place an order', ask: works.place.ask, count: 500 },
  {
    title: 'update',
    ask(n, size) {
      const id = shuffled(size, n)
      return {
        act: 'update',
        project: projectOf(size, id),
        id,
        change: { name: `Rex ${n}`, status: 'pending' },
      }
    },
    count: many,
  },
  {
    title: 'import of 1,000 pets',
    ask: (n, size) => ({ act: 'import', project: anyProject(n, size), pets: 1_000 }),
    count: 10,
  },
  {
    title: 'events',
    ask: (n, size) => ({ act: 'events', project: anyProject(n, size) }),
    count: many,
  },
]
