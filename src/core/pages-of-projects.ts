/**
 * A page of one project's list: at most `limit` rows after the place `after`, or before this place if `isBackward` is
 * true.
 */
export type PageOfProject<Place> = {
  projectId: number
  limit: number
  after: Place | null
  isBackward: boolean
}

/** An id that a statement found. `n` is the number of its page, from 1. */
export type FoundId<Id> = { n: bigint; id: Id }

/**
 * Reads the pages of many projects. For each direction, one statement finds the ids; a last statement reads the rows.
 * SQL finds the ids, because Prisma cannot limit the rows of each project.
 */
export async function readPagesOfProjects<Query extends { isBackward: boolean }, Id, Row extends { id: Id }>(
  queries: readonly Query[],
  findIds: (queries: readonly Query[], isBackward: boolean) => Promise<FoundId<Id>[]>,
  readRows: (ids: Id[]) => Promise<Row[]>,
): Promise<Row[][]> {
  const found = new Map<Query, Id[]>(queries.map(each => [each, []]))
  for (const isBackward of [false, true]) {
    const same = queries.filter(each => each.isBackward === isBackward)
    if (same.length === 0) continue
    for (const { n, id } of await findIds(same, isBackward)) found.get(same[Number(n) - 1] as Query)?.push(id)
  }
  const ids = [...new Set([...found.values()].flat())]
  const rows = new Map((ids.length === 0 ? [] : await readRows(ids)).map(row => [row.id, row]))
  return queries.map(each => (found.get(each) ?? []).flatMap(id => rows.get(id) ?? []))
}
