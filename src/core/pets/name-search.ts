import { isStopped } from '../../database/faults.ts'
import type { Columns, Statements } from '../../database/statements.ts'
import { leastInt64, mostInt64 } from '../int64.ts'
import { mostBytesSearched, searchInTurn } from '../searches.ts'
import { foldCase, foldForSearch } from '../text.ts'
import { readPet } from './columns.ts'
import { openIndexTime } from './index-time.ts'
import { containsPart, hasSigma, hasTrigram, lastPlaceOf, patternOf } from './name-parts.ts'
import { columns, type FoundPage, mostLookedAt, type RequestedPage, texts } from './pages.ts'

/** The most pets that a search without the index reads for one page. */
export const mostRead = 50_000

/**
 * The most matches of the index that a search sorts. If the index has more matches, the name is common, so the search
 * reads the pets in the order of their ids instead. For a common name, reading by id usually fills the page sooner than
 * sorting all matches. Reading by id is slower only if the first matches come late in the order of ids.
 */
const mostMatches = 20_000

/**
 * Reading this many pets shows whether a part of names is common or rare, at a tenth of the cost of reading
 * `mostLookedAt` pets.
 */
const firstLookedAt = 500

/**
 * After this time, a process checks again whether the index exists, because an operator may add the index at any time.
 */
const indexKnownMs = 60_000

type IndexState = { exists: boolean; allLetters: boolean }

/**
 * Makes a search by name. The search first reads the next pets by id, which is enough for common names. If these pets
 * do not fill the page, the search asks the index, which finds rare names. If the index cannot answer, the search reads
 * on by id until the page is full or `mostRead` pets are read.
 */
export function openNameSearch(
  database: Statements,
  readPage: (requested: RequestedPage) => Promise<FoundPage>,
) {
  const spendTime = openIndexTime()
  let known: { state: Promise<IndexState>; until: number } | null = null

  function readIndexState(): Promise<IndexState> {
    if (known && performance.now() < known.until) return known.state
    const state = askIndexState(database)
    known = { state, until: performance.now() + indexKnownMs }
    state.catch(() => {
      known = null
    })
    return state
  }

  async function findByIndex(requested: RequestedPage, name: string): Promise<FoundPage | null> {
    const { exists, allLetters } = await readIndexState()
    if (!exists) return null
    if (!hasTrigram(name, allLetters)) return null
    return spendTime(requested.project.id, timeoutMs => askIndex(database, requested, name, timeoutMs))
  }

  async function readFurther({ project, page }: RequestedPage, { pets, lookedTo, bytes }: FoundPage) {
    const rest = { ...page, after: lookedTo, limit: page.limit - pets.length }
    const more = await readPage({ project, page: rest })
    return { pets: [...pets, ...more.pets], lookedTo: more.lookedTo, bytes: bytes + more.bytes }
  }

  async function readOn(requested: RequestedPage, first: FoundPage): Promise<FoundPage> {
    let found = first
    let read = firstLookedAt
    while (found.lookedTo !== null && read < mostRead && found.bytes < mostBytesSearched) {
      found = await readFurther(requested, found)
      read += mostLookedAt
    }
    return found
  }

  return async (requested: RequestedPage): Promise<FoundPage> => {
    const { project, page } = requested
    if (page.name === null) return readPage(requested)
    const { name } = page
    const first = await readPage({ ...requested, lookAt: firstLookedAt })
    if (first.lookedTo === null) return first
    return searchInTurn(project.id, async () => {
      const near = first.pets.length > 0 ? await readFurther(requested, first) : first
      if (near.lookedTo === null) return near
      return (await findByIndex(requested, name)) ?? (await readOn(requested, near))
    })
  }
}

async function askIndexState(database: Statements): Promise<IndexState> {
  const [row] = await database.run({
    name: 'find_name_index',
    text: `
      SELECT ('ä' ~ '[[:alpha:]]')::text FROM pg_index
      WHERE indexrelid = to_regclass('pets_name_search_idx') AND indisvalid`,
    values: [],
  })
  return { exists: row !== undefined, allLetters: row?.[0] === 'true' }
}

/** Returns null if the index takes too long, or finds too many matches to sort. */
async function askIndex(
  database: Statements,
  { project, page }: RequestedPage,
  name: string,
  timeoutMs: number,
): Promise<FoundPage | null> {
  const rows = await database
    .run({
      name: `search_pets${page.newestFirst ? '_newest_first' : ''}`,
      text: searchOf(page.newestFirst),
      values: [
        project.id,
        patternOf(name),
        page.after ?? (page.newestFirst ? mostInt64 : leastInt64),
        page.limit,
        page.status,
        page.categoryId,
        mostMatches,
        hasSigma(name) ? name : null,
        lastPlaceOf(name),
      ],
      timeoutMs,
    })
    .catch(error => {
      if (isStopped(error)) return null
      throw error
    })
  if (rows === null) return null
  const [count, pets] = rows[0] ?? ['0', null]
  if (Number(count) > mostMatches) return null
  return { pets: pets ? (JSON.parse(pets) as Columns[]).map(readPet) : [], lookedTo: null, bytes: 0 }
}

// The values are subqueries, so that the planner does not see them. If the planner saw a name that it considers common,
// it would read the whole project instead of the index. LIMIT applies before the other filters, so that it bounds the
// work.
const searchOf = (newestFirst: boolean) => `
  WITH found AS MATERIALIZED (
    SELECT ${columns} FROM "pets"
    WHERE project_id = (SELECT $1::int) AND ${foldCase('name')} LIKE (SELECT translate(${foldCase('$2::text')}, 'σς', '__'))
    LIMIT $7::int + 1
  )
  SELECT (SELECT count(*)::text FROM found), (
    SELECT json_agg(json_build_array(${texts}))::text FROM (
      SELECT * FROM found
      WHERE id ${newestFirst ? '<' : '>'} $3::bigint AND ($5::text IS NULL OR status::text = $5)
        AND ($6::bigint IS NULL OR category_id = $6)
        AND ($8::text IS NULL OR ${containsPart('name', `(SELECT ${foldForSearch('$8::text')})`, '$9::int')})
      ORDER BY id ${newestFirst ? 'DESC' : 'ASC'} LIMIT $4::int + 1
    ) AS page
  )`
