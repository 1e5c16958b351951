// What is asked of every contestant, before anyone's dialect.
import type { Library } from './clients.ts'

export type Question =
  | { act: 'list'; project: number; after?: number; status?: string }
  | { act: 'get'; project: number; id: number }
  | { act: 'create'; project: number; name: string }
  | { act: 'graphql-list'; project: number; after?: number; persisted?: 'register' | 'known'; by?: Library }
  | { act: 'graphql-create'; project: number; name: string; by?: Library }
  | { act: 'refused'; which: number }
  | { act: 'wrong-key'; which: number }

/** Pet n belongs to project n modulo the projects, as if all stores had grown side by side. */
export type Size = { pets: number; projects: number }

export const projectOf = (size: Size, pet: number) => ((pet - 1) % size.projects) + 1

/**
 * Every pet once in an order without neighbours, so that each page asked for is a new one; and none of the last pets of
 * a project, since a page that reaches a project's end has the pets that were created meanwhile.
 */
export const shuffled = (size: Size, n: number) => ((n * 611_953) % (size.pets - 30 * size.projects)) + 1

/** The first `size.projects` projects get quotas that no run reaches; these come after them. */
export const refusedProjects = 20
