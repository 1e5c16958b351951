import cluster from 'node:cluster'
import { once } from 'node:events'
import { StartRefused } from '../tools/start-refused.ts'
import type { Command, Notice, Question, Report } from './messages.ts'

/** A process, as its parent sees it. */
export type Child = {
  pid: number
  /**
   * Resolves when the process serves. Rejects if the process ends before it serves, with StartRefused if it refused to
   * start.
   */
  up: Promise<void>
  /** Resolves with the signal or the exit code. */
  ended: Promise<string>
  isEnded(): boolean
  /** Milliseconds for which the process has served. */
  servedMs(): number
  give(command: Command): void
  /** Returns an empty report if the process does not answer in time. */
  ask(question: Question): Promise<Report>
  /** The metrics of the last successful reading. */
  lastMetrics(): string
  kill(): void
}

/** A process whose event loop stands still must not hold up the report of the others. */
const answerWithinMs = 2_000

export function startChild(onReplaceMe: () => void): Child {
  const worker = cluster.fork()
  const up = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const obeys = Promise.withResolvers<void>()
  const questions = new Map<number, (report: Report) => void>()
  let refusal: string | null = null
  let upSince: number | null = null
  let endedAt: number | null = null
  let lastId = 0
  let metrics = ''
  // Ignore the rejection if nothing waits for `up`: the start and a roll-over wait for it, a restart does not.
  up.promise.catch(() => {})

  function end(how: string): void {
    endedAt = performance.now()
    up.reject(refusal === null ? new Error(`The new process ended: ${how}.`) : new StartRefused(refusal))
    ended.resolve(how)
    for (const answer of questions.values()) answer({})
  }
  worker.process.once('error', error => end(error.message))
  // The last messages of a process may arrive after its exit, but not after the end of its channel.
  Promise.all([once(worker, 'exit'), once(worker, 'disconnect')]).then(([[code, signal]]) =>
    end(signal ?? `exit code ${code}`),
  )
  worker.on('message', (notice: Notice) => {
    if (notice.act === 'obeys') obeys.resolve()
    if (notice.act === 'refused') refusal = notice.refusal
    if (notice.act === 'replace me') onReplaceMe()
    if (notice.act === 'last metrics') metrics = notice.metrics
    if (notice.act === 'report') questions.get(notice.id)?.(notice.report)
    if (notice.act === 'up') {
      upSince = performance.now()
      up.resolve()
    }
  })

  // Drop the command if the process has ended or is ending. The caller learns this from `ended`.
  const send = (command: Command) => worker.isConnected() && worker.send(command, () => {})

  return {
    pid: worker.process.pid ?? 0,
    up: up.promise,
    ended: ended.promise,
    isEnded: () => endedAt !== null,
    servedMs: () => (upSince === null ? 0 : (endedAt ?? performance.now()) - upSince),
    give: command => void obeys.promise.then(() => send(command)),
    async ask(question) {
      if (endedAt !== null) return {}
      const id = ++lastId
      const answer = Promise.withResolvers<Report>()
      questions.set(id, answer.resolve)
      const timer = setTimeout(() => answer.resolve({}), answerWithinMs)
      obeys.promise.then(() => send({ act: 'report', id, question }))
      const report = await answer.promise
      clearTimeout(timer)
      questions.delete(id)
      if (report.metrics !== undefined) metrics = report.metrics
      return report
    },
    lastMetrics: () => metrics,
    kill: () => worker.process.kill('SIGKILL'),
  }
}
