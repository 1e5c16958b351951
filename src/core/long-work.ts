import { setTimeout as pause } from 'node:timers/promises'
import { othersAreAtWork } from '../database/pieces.ts'
import type { Places } from '../limiter/places.ts'
import type { Project } from './project.ts'

const askAgainMs = 25
/**
 * While other projects are at work, a process takes a place before the process runs long work of a project, so that
 * only one process at a time runs the work. After this many milliseconds without a free place, the work begins
 * without a place, because the process that holds the place may have been killed.
 */
const longestWaitMs = 5_000
/**
 * A process holds a place while the process runs long work of a project. After this time, a place that is not renewed
 * is free again. The time is short, so that the place of a killed process delays only one piece of the project's work.
 */
export const longWorkLeaseMs = 6_000

export type LongWork = {
  /**
   * Runs long work of a project. While other projects are at work too, only one process at a time runs this work,
   * because each of several processes would keep a core busy. While no other project is at work, all processes may run
   * it.
   */
  inOneProcess<Result>(
    kind: 'changes' | 'imports',
    project: Pick<Project, 'id'>,
    run: () => Promise<Result>,
  ): Promise<Result>
  /** Lets all waiting work begin, because the process ends soon. */
  endWaiting(): void
  close(): void
}

export function openLongWork(places: Pick<Places, 'take' | 'close'>): LongWork {
  let mayWait = true

  async function takePlace(subject: string, owner: number) {
    const endsAt = performance.now() + longestWaitMs
    while (mayWait && othersAreAtWork(owner) && performance.now() < endsAt) {
      const giveBack = await places.take(subject, 1)
      if (giveBack) return giveBack
      await pause(askAgainMs)
    }
    return null
  }

  return {
    async inOneProcess(kind, { id }, run) {
      const giveBack = await takePlace(`${kind}:${id}`, id)
      try {
        return await run()
      } finally {
        giveBack?.()
      }
    },
    endWaiting() {
      mayWait = false
    },
    close: () => places.close(),
  }
}
