import { openShares } from '../database/shares.ts'
import { makeCursor } from './cursor.ts'
import type { List, Page, PageQuery } from './pages.ts'
import type { Project } from './project.ts'

/**
 * The most rows that a page of a search without an index reads. More rows would cost several times as much as any other
 * list.
 */
export const mostSearched = 5_000

/** The most rows that one statement of such a search reads. If many rows match, the first statement fills the page. */
export const mostReadAtOnce = 1_000

/**
 * In bytes: after comparing this much text, a search ends the page, even if the page is not full. So long texts do not
 * take much longer than usual ones. Comparing this many bytes takes about 50 ms.
 */
export const mostBytesSearched = 1_000_000

/** The most long searches at a time, of a process and of one project. */
const [mostSearches, mostOfProject] = [4, 1]

/**
 * Runs a search that may read thousands of rows. The searches of a project run one after the other: one operation over
 * GraphQL may have many of them, and together they would keep PostgreSQL busy for seconds.
 */
export const searchInTurn = openShares(mostSearches, mostOfProject)

/**
 * The rows that match among the next `mostReadAtOnce` rows, at most one more than the limit. `readTo` is the id of the
 * last row read; null if no more rows follow. `bytes` is the length of the texts that were compared.
 */
export type SearchPart<Item> = { found: Item[]; readTo: bigint | null; bytes: number }

/**
 * Reads a page of a search without an index, part by part. The page may have fewer rows than its limit even if more
 * follow: then the next page begins after the last row read.
 */
export function searchPage<Item extends { id: bigint }>(
  list: List,
  project: Project,
  page: PageQuery,
  readPart: (page: PageQuery) => Promise<SearchPart<Item>>,
): Promise<Page<Item>> {
  return searchInTurn(project.id, async () => {
    const found: Item[] = []
    let [readTo, read, bytes] = [page.after, 0, 0]
    do {
      const part = await readPart({ ...page, after: readTo, limit: page.limit - found.length })
      found.push(...part.found)
      ;[readTo, read, bytes] = [part.readTo, read + mostReadAtOnce, bytes + part.bytes]
    } while (
      readTo !== null &&
      found.length <= page.limit &&
      read < mostSearched &&
      bytes < mostBytesSearched
    )
    return toSearchPage(list, project, page, found, readTo)
  })
}

function toSearchPage<Item extends { id: bigint }>(
  list: List,
  project: Project,
  { limit, isBackward = false }: PageQuery,
  found: readonly Item[],
  readTo: bigint | null,
): Page<Item> {
  const items = found.slice(0, limit)
  const endsAt = found.length > limit ? items.at(-1)?.id : readTo
  const nextCursor = endsAt == null ? null : makeCursor(project, endsAt, list)
  if (isBackward) items.reverse()
  return { items, hasMore: nextCursor !== null, nextCursor }
}
