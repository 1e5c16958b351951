// What is asked of every contestant, before anyone's dialect.
export type Question =
  | { act: 'list'; project: number; after?: number; status?: string }
  | { act: 'get'; project: number; id: number }
  | { act: 'create'; project: number; name: string }
  | { act: 'graphql-list'; project: number; after?: number; persisted?: 'register' | 'known' }
  | { act: 'graphql-create'; project: number; name: string }
  | { act: 'refused'; which: number }
  | { act: 'wrong-key'; which: number }

/** Pet n belongs to project n modulo the projects, as if all stores had grown side by side. */
export type Size = { pets: number; projects: number }

export const projectOf = (size: Size, pet: number) => ((pet - 1) % size.projects) + 1

/** Every pet once in an order without neighbours, so that each page asked for is a new one. */
export const shuffled = (size: Size, n: number) => ((n * 611_953) % size.pets) + 1

/** The first `size.projects` projects get quotas that no run reaches; these come after them. */
export const refusedProjects = 20
