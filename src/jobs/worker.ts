import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { Logger } from '../tools/log.ts'

export type Worker = {
  /** Looks for due jobs now instead of at the next turn. */
  wake(): void
  close(): Promise<void>
}

export type Work<Job> = {
  everyMs: number
  mostAtOnce: number
  /** Takes due jobs, so that no other process takes them as well. */
  claim(most: number): Promise<Job[]>
  /** Stops half-way when the signal says so; what it left is claimed again by whoever comes next. */
  run(job: Job, signal: AbortSignal): Promise<void>
  /** After the last job of this process. */
  end?(): Promise<unknown>
}

/** Does the due jobs of a table, a few at a time, for as long as the process runs. */
export function startWorker<Job>(
  { log, database }: { log: Logger; database: Pick<Database, 'outage'> },
  { everyMs, mostAtOnce, claim, run, end }: Work<Job>,
): Worker {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let pause = new AbortController()

  async function turn(): Promise<void> {
    const room = mostAtOnce - running.size
    if (room <= 0) return
    const jobs = await claim(room)
    // Where there was no room for more, more may be waiting; else the next turn is soon enough.
    const wasFull = jobs.length === room
    for (const job of jobs) {
      const done = run(job, closing.signal)
        .catch(error => {
          if (!closing.signal.aborted && !database.outage.note(error)) log.error({ error }, 'a job failed')
        })
        .finally(() => {
          running.delete(done)
          if (wasFull) pause.abort()
        })
      running.add(done)
    }
  }

  const turning = (async () => {
    while (!closing.signal.aborted) {
      pause = new AbortController()
      await turn().catch(
        error => database.outage.note(error) || log.error({ error }, 'due jobs cannot be read'),
      )
      const signal = AbortSignal.any([pause.signal, closing.signal])
      await wait(everyMs, undefined, { signal }).catch(() => {})
    }
  })()

  return {
    wake: () => pause.abort(),
    async close() {
      closing.abort()
      await turning
      await Promise.all(running)
      await end?.().catch(error => database.outage.note(error))
    },
  }
}
