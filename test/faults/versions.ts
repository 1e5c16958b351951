/** A request sent this many milliseconds after a change must see it, whoever made the change. */
const lateMs = 250

/** The versions of one pet, and when each was acknowledged or first seen. Detects stale answers. */
export type Versions = {
  /** Returns a version that no writer has used before. */
  next(): number
  acknowledge(version: number): void
  acknowledgements(): number
  /** The newest acknowledged version. */
  acknowledged(): number
  see(version: number): void
  /**
   * Returns a description of the error if the answer to a request sent at `sentAt` must not show this version; null if
   * the answer may show this version.
   */
  judge(version: number, sentAt: number): string | null
  /** From now on, versions above this one are undone, as by a restore. */
  undoAbove(version: number): void
}

type Mark = { at: number; version: number }

export function openVersions(): Versions {
  let acknowledged: Mark[] = []
  let seen: Mark[] = []
  let undone: { at: number; above: number; upTo: number } | null = null
  let last = 0
  let acknowledgements = 0
  const note = (marks: Mark[], version: number) => {
    if (version > (marks.at(-1)?.version ?? 0)) marks.push({ at: performance.now(), version })
  }
  const newestAt = (marks: Mark[], at: number) => marks.findLast(mark => mark.at < at)?.version ?? 0
  const isUndone = (version: number) => undone !== null && version > undone.above && version <= undone.upTo

  return {
    next: () => ++last,
    acknowledge(version) {
      acknowledgements++
      note(acknowledged, version)
    },
    acknowledgements: () => acknowledgements,
    acknowledged: () => acknowledged.at(-1)?.version ?? 0,
    see(version) {
      if (!isUndone(version)) note(seen, version)
    },
    judge(version, sentAt) {
      if (undone && isUndone(version)) {
        const late = Math.round(sentAt - undone.at)
        return late > lateMs ? `v${version} was still shown ${late} ms after it was undone` : null
      }
      const promised = newestAt(acknowledged, sentAt)
      if (version < promised) return `v${version}, though v${promised} was acknowledged before`
      const shown = newestAt(seen, sentAt - lateMs)
      return version < shown ? `v${version}, though v${shown} was seen ${lateMs} ms before` : null
    },
    undoAbove(version) {
      undone = { at: performance.now(), above: version, upTo: last }
      acknowledged = acknowledged.filter(mark => mark.version <= version)
      seen = seen.filter(mark => mark.version <= version)
    },
  }
}
