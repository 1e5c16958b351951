import { StoreError } from './errors.ts'
import type { Project } from './project.ts'

/** The most exports that one project may run at a time in each process. */
const mostOfProject = 4
/** A new export beyond `mostOfProject` ends an older export of the project whose client took nothing for this long. */
const stalledMs = 1_000

export type ExportPlace = {
  /** Call when the next page waits for the client. */
  wait(): void
  /** Call when the client has taken the page. */
  goOn(): void
  free(): void
}

type Open = { waitsSince: number | null; cut: () => void }

/** Limits the concurrent exports of a project, so that its exports cannot slow down all other requests. */
export function openExportPlaces(now = () => performance.now()) {
  const openOf = new Map<number, Set<Open>>()

  function makeRoom(open: Set<Open>): void {
    const waiting = [...open].filter(
      ({ waitsSince }) => waitsSince !== null && now() - waitsSince > stalledMs,
    )
    const [slowest] = waiting.toSorted((a, b) => Number(a.waitsSince) - Number(b.waitsSince))
    if (!slowest) {
      // A 503 would refund the charge, so the project could ask again and again at no cost.
      const message = 'Too many exports of this project are under way; try again in a moment.'
      throw new StoreError('rate_limited', message, { retryAfterSeconds: 1 })
    }
    open.delete(slowest)
    slowest.cut()
  }

  return ({ id }: Project, cut: () => void): ExportPlace => {
    const open = openOf.get(id) ?? new Set()
    if (open.size >= mostOfProject) makeRoom(open)
    const mine: Open = { waitsSince: null, cut }
    openOf.set(id, open.add(mine))
    return {
      wait() {
        mine.waitsSince = now()
      },
      goOn() {
        mine.waitsSince = null
      },
      free() {
        open.delete(mine)
        if (open.size === 0 && openOf.get(id) === open) openOf.delete(id)
      },
    }
  }
}
