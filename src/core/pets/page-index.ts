/** Index of the cached pages of each project: finds the pages that a change to its pets invalidates. */
export type KeptQuestions = {
  /** Adds a page. `lastId`: pets with higher ids do not change the page; null: any pet may. */
  add(projectId: number, question: string, lastId: bigint | null): void
  remove(projectId: number, question: string): void
  /** Returns the pages that a change to pets from this id on invalidates; null stands for any pet. */
  hitBy(projectId: number, leastId: bigint | null): string[]
}

type OfProject = {
  open: Set<string>
  ended: Map<string, bigint>
  /** The highest `lastId` ever added. */
  highest: bigint
}

/**
 * Stores the pages that any pet may change separately. Most changes are new pets and invalidate only those; scanning
 * all cached pages of a project would cost each create more than its statement.
 */
export function openKeptQuestions(): KeptQuestions {
  const projects = new Map<number, OfProject>()

  function remove(projectId: number, question: string): void {
    const kept = projects.get(projectId)
    if (!kept) return
    kept.open.delete(question)
    kept.ended.delete(question)
    if (kept.open.size + kept.ended.size === 0) projects.delete(projectId)
  }

  return {
    add(projectId, question, lastId) {
      remove(projectId, question)
      const kept = projects.get(projectId) ?? { open: new Set(), ended: new Map(), highest: lastId ?? 0n }
      projects.set(projectId, kept)
      if (lastId === null) return void kept.open.add(question)
      kept.ended.set(question, lastId)
      if (lastId > kept.highest) kept.highest = lastId
    },
    remove,
    hitBy(projectId, leastId) {
      const kept = projects.get(projectId)
      if (!kept) return []
      if (leastId === null) return [...kept.open, ...kept.ended.keys()]
      const hit = [...kept.open]
      if (leastId > kept.highest) return hit
      for (const [question, lastId] of kept.ended) if (leastId <= lastId) hit.push(question)
      return hit
    },
  }
}
