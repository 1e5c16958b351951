import { runPieceInTurn } from '../../database/pieces.ts'
import type { Statements } from '../../database/statements.ts'
import { readCursor } from '../cursor.ts'
import type { Project } from '../project.ts'
import { priceOf } from '../projects/limits.ts'
import { countAtMost } from './inventory.ts'
import type { PageRequest } from './pages.ts'
import { listOf, type Pet, type Pets } from './pets.ts'

/** Filters of an export. */
export type PetFilters = Pick<PageRequest, 'status' | 'categoryId' | 'name'>

const petsOfARequest = 1_000
/** Rows in memory at a time, however large the export is. */
const petsOfAPage = 500

/**
 * Returns the cost of an export: one request per thousand pets that it reads, rounded up. Uses the counts that triggers
 * maintain. There is no count by name, so a filter by name does not change the cost.
 */
export async function priceOfExport(
  database: Statements,
  project: Project,
  filters: PetFilters,
): Promise<number> {
  return priceOf(project, (await countAtMost(database, project, filters)) / petsOfARequest)
}

/**
 * Yields the pets by ascending id, page by page, and holds no connection between pages. Leaves out pets with higher ids
 * than the newest pet at the beginning; otherwise the export might never end. An import that was running at the
 * beginning may have taken lower ids, so a part of its pets may be in the export.
 */
export async function* exportPets(pets: Pets, project: Project, filters: PetFilters): AsyncGenerator<Pet[]> {
  const last = await findNewest(pets, project)
  const page: PageRequest = { ...filters, limit: petsOfAPage, after: null, newestFirst: false }
  for (let isOver = last === null; !isOver; ) {
    const { pets: found, nextCursor } = await runPieceInTurn(project.id, () => pets.listPart(project, page))
    const known = found.filter(({ id }) => last !== null && id <= last)
    if (known.length > 0) yield known
    page.after = nextCursor === null ? null : readCursor('cursor', project, nextCursor, listOf(page))
    isOver = page.after === null || last === null || page.after >= last
  }
}

async function findNewest(pets: Pets, project: Project): Promise<bigint | null> {
  const all = { status: null, categoryId: null, name: null, after: null }
  const { pets: newest } = await pets.list(project, { ...all, limit: 1, newestFirst: true })
  return newest[0]?.id ?? null
}
