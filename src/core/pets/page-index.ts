/** Index of the cached pages of each project: finds the pages that a change to its pets invalidates. */
export type PageIndex = {
  /**
   * Adds a page. A pet with an id above `lastId` does not change the page. If `lastId` is null, any pet may change it.
   */
  add(projectId: number, question: string, lastId: bigint | null): void
  remove(projectId: number, question: string): void
  /**
   * Returns the pages that a change to a pet with the id `leastId` or a higher id may invalidate. If `leastId` is null,
   * any pet may have changed.
   */
  invalidatedBy(projectId: number, leastId: bigint | null): string[]
}

type OfProject = {
  open: Set<string>
  ended: Map<string, bigint>
  /** The highest `lastId` ever added. */
  highest: bigint
}

/**
 * Keeps two separate sets of pages: the pages that any pet may change, and all other pages. Most changes add a pet, and
 * invalidate only pages of the first set. Without the two sets, each new pet would require a scan of all cached pages
 * of the project, and the scan would cost more than the SQL statement that creates the pet.
 */
export function openPageIndex(): PageIndex {
  const projects = new Map<number, OfProject>()

  function remove(projectId: number, question: string): void {
    const index = projects.get(projectId)
    if (!index) return
    index.open.delete(question)
    index.ended.delete(question)
    if (index.open.size + index.ended.size === 0) projects.delete(projectId)
  }

  return {
    add(projectId, question, lastId) {
      remove(projectId, question)
      const index = projects.get(projectId) ?? { open: new Set(), ended: new Map(), highest: lastId ?? 0n }
      projects.set(projectId, index)
      if (lastId === null) return void index.open.add(question)
      index.ended.set(question, lastId)
      if (lastId > index.highest) index.highest = lastId
    },
    remove,
    invalidatedBy(projectId, leastId) {
      const index = projects.get(projectId)
      if (!index) return []
      if (leastId === null) return [...index.open, ...index.ended.keys()]
      const hit = [...index.open]
      if (leastId > index.highest) return hit
      for (const [question, lastId] of index.ended) if (leastId <= lastId) hit.push(question)
      return hit
    },
  }
}
