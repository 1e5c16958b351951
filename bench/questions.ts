// The requests of the bench, in a form that does not depend on a contestant. dialects.ts translates each question for
// the API of each contestant.

export type Library = 'apollo' | 'urql'

export type Question =
  | ({ act: 'list'; project: number; after?: number } & Filters)
  | { act: 'inventory'; project: number }
  | { act: 'events'; project: number }
  | { act: 'export'; project: number }
  | { act: 'get'; project: number; id: number }
  | { act: 'create'; project: number; name: string }
  | { act: 'import'; project: number; pets: number }
  | { act: 'update'; project: number; id: number; change: Change }
  | { act: 'place'; project: number; pet: number }
  | { act: 'graphql-list'; project: number; after?: number; persisted?: 'register' | 'known'; by?: Library }
  | { act: 'graphql-create'; project: number; name: string; by?: Library }
  | { act: 'graphql-update'; project: number; id: number; change: Change }
  | { act: 'tool-list'; project: number }
  | { act: 'tool-create'; project: number; name: string }
  | { act: 'refused'; which: number }
  | { act: 'wrong-key'; which: number }

type Change = { name: string; status: string }
export type Filters = { status?: string; category?: number; name?: string; newestFirst?: true }

/** Every import sends the same pets, with every category and status. */
export const newPets = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `Rex, "${n}"`,
    categoryId: (n % categories) + 1,
    status: statuses[n % statuses.length] ?? null,
  }))

/** Pet n belongs to project n modulo the number of projects, as if all stores had grown side by side. */
export type Size = { pets: number; projects: number }

export const projectOf = (size: Size, pet: number) => ((pet - 1) % size.projects) + 1

/**
 * Returns the number of the pet for question `n`, for example the pet after which a page begins. Consecutive questions
 * never get neighbouring pets, and no pet is returned again before all pets have been returned. So each page is new to
 * a cache. The last 30 pets of each project are left out, because a page at the end of a project would include pets
 * that other works create.
 */
export const shuffled = (size: Size, n: number) => ((n * 611_953) % (size.pets - 30 * size.projects)) + 1

/** The pets of a project have these statuses in turn, so each status has a fourth of the pets. */
export const statuses = ['available', 'pending', 'sold', null] as const
/** This number has no common divisor with the number of statuses, so that each category has pets of every status. */
export const categories = 49

/**
 * Returns the number of a pet with the status `status` for question `n`. Consecutive questions never get neighbouring
 * pets, and no pet is returned again before all these pets have been returned.
 */
export function shuffledOf(size: Size, status: (typeof statuses)[number], n: number): number {
  const fourths = size.pets / size.projects / statuses.length
  const place = (n * 611_953) % ((fourths - 1) * size.projects)
  const turn = statuses.length * (1 + Math.floor(place / size.projects)) + statuses.indexOf(status)
  return turn * size.projects + (place % size.projects)
}

/**
 * Number of projects with a quota of one request a day. The ids of these projects follow the ids of the first
 * `size.projects` projects. The first projects have quotas so high that no run uses up a quota.
 */
export const refusedProjects = 20
