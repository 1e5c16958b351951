/** Of what each project was asked: which of the kept answers a change to its pets hits. */
export type KeptQuestions = {
  /** `lastId` is that of the answer: pets with higher ids leave it as it is; null where any pet may belong on it. */
  add(projectId: number, question: string, lastId: bigint | null): void
  remove(projectId: number, question: string): void
  /** Those that a change to pets from this id on hits; null stands for any pet. */
  hitBy(projectId: number, leastId: bigint | null): string[]
}

type OfProject = {
  open: Set<string>
  ended: Map<string, bigint>
  /** No answer with an end was ever kept that speaks of a higher id. */
  highest: bigint
}

/**
 * Apart are the answers that any pet may belong on, since nearly every change is a new pet, which hits these alone: to go
 * through all answers of a store that is walked through would cost each creation more than its statement.
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
