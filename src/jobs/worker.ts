import { actAsSystem } from '../core/acts.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../tools/log.ts'

export type Worker = {
  /** Claims due jobs now, without waiting for the next interval. */
  wake(): void
  close(): Promise<void>
}

export type Work<Job> = {
  /** The log shows it with a failure. */
  name?: string
  everyMs: number
  mostAtOnce: number
  /** Leases due jobs, so that no other process takes them too. */
  claim(most: number): Promise<Job[]>
  /** Runs one job. Stops early if the signal aborts; any process can do the rest later. */
  run(job: Job, signal: AbortSignal): Promise<void>
  /** Called after this process' last job has ended. */
  end?(): Promise<unknown>
}

/**
 * Makes work that every process repeats at an interval. A wake-up is ignored if less than half of the interval has
 * passed since the last run began.
 */
export function atIntervals(everyMs: number, run: (signal: AbortSignal) => Promise<void>): Work<null> {
  let dueAt = 0
  return {
    everyMs,
    mostAtOnce: 1,
    async claim() {
      if (performance.now() < dueAt) return []
      dueAt = performance.now() + everyMs / 2
      return [null]
    },
    run: (_job, signal) => run(signal),
  }
}

/** Gives the work a name, which the audit log shows as the actor of its changes. */
export const named = <Job>(name: string, work: Work<Job>): Work<Job> => ({
  ...work,
  name,
  run: (job, signal) => actAsSystem(name, () => work.run(job, signal)),
})

/** Claims and runs due jobs until `close` is called, at most `mostAtOnce` at a time. */
export function startWorker<Job>(
  { log, database }: { log: Logger; database: Pick<Database, 'outage'> },
  { name, everyMs, mostAtOnce, claim, run, end }: Work<Job>,
): Worker {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let pause = Promise.withResolvers<void>()

  async function turn(): Promise<void> {
    const room = mostAtOnce - running.size
    if (room <= 0) return
    const jobs = await claim(room)
    // If the jobs fill all places, more may be due: claim again as soon as one of them ends.
    const wasFull = jobs.length === room
    for (const job of jobs) {
      const done = run(job, closing.signal)
        .catch(error => {
          if (!closing.signal.aborted && !database.outage.note(error))
            log.error({ error, job: name }, 'a job failed')
        })
        .finally(() => {
          running.delete(done)
          if (wasFull) pause.resolve()
        })
      running.add(done)
    }
  }

  const turning = (async () => {
    while (!closing.signal.aborted) {
      pause = Promise.withResolvers()
      await turn().catch(
        error => database.outage.note(error) || log.error({ error, job: name }, 'due jobs cannot be read'),
      )
      const timer = setTimeout(pause.resolve, everyMs)
      await pause.promise
      clearTimeout(timer)
    }
  })()

  return {
    wake: () => pause.resolve(),
    async close() {
      closing.abort()
      pause.resolve()
      await turning
      await Promise.all(running)
      await end?.().catch(error => database.outage.note(error))
    },
  }
}
