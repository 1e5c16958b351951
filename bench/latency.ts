// Compares latencies at rates that every contestant could serve. Each rate is a share of the throughput of the
// contestant `by the book`.
import { setTimeout as pause } from 'node:timers/promises'
import type { Request } from './clients.ts'
import { expectedStatus, firstUnused } from './equality.ts'
import type { Ground } from './ground.ts'
import { closedLoop, openLoop } from './open-loop.ts'
import type { Options } from './options.ts'
import type { Running } from './start-contestant.ts'
import type { Work } from './works.ts'

/** Rates in percent of the rate that the contestant `by the book` can serve. */
const shares = [30, 60, 90]
/** A rate in requests per second that no contestant reaches. */
const fastest = 10_000
const settleMs = 1_000

/** In milliseconds. */
export type Tail = { p50: number; p99: number; p999: number; longest: number }
/** `longestDelay` is the longest time in milliseconds by which the load itself sent a request late. */
export type Step = {
  share: number
  perSecond: number
  requests: number
  tails: Map<string, Tail>
  longestDelay: number
}

/**
 * Measures a work at each rate. Contestants alternate after each round. The percentiles are those of all rounds
 * together.
 */
export async function measureLatency(
  work: Work,
  running: Running[],
  ground: Ground,
  { pace }: Options,
): Promise<Step[]> {
  const sent = new Map<string, number>()
  const byTheBook = running.find(({ name }) => name === 'by the book')
  if (!byTheBook) throw new Error(`${work.title}: the rates are shares of by-the-book's, which is missing.`)
  for (const contestant of running) await saturate(contestant, pace.warmUpSeconds)
  const most = (await saturate(byTheBook, pace.seconds)) / pace.seconds
  const steps: Step[] = []
  try {
    for (const share of shares) steps.push(await measureStep(share, (most * share) / 100))
  } finally {
    for (const { pid } of running) process.kill(pid, 'SIGCONT')
  }
  return steps

  async function saturate(contestant: Running, seconds: number): Promise<number> {
    const requests = await nextRequests(contestant, fastest * seconds)
    const statuses = await closedLoop(requests, seconds, target(contestant))
    refuseFailures(contestant, statuses)
    const answered = statuses.values().reduce((sum, count) => sum + count, 0)
    note(contestant, answered)
    return answered
  }

  async function measureStep(share: number, perSecond: number): Promise<Step> {
    const count = Math.ceil(perSecond * pace.seconds)
    const latencies = new Map<string, number[]>(running.map(({ name }) => [name, []]))
    let longestDelay = 0
    for (let round = 0; round < pace.rounds; round++) {
      const turn = round % running.length
      for (const contestant of [...running.slice(turn), ...running.slice(0, turn)]) {
        const requests = await nextRequests(contestant, count)
        await leaveAlone(contestant, running)
        const answers = await openLoop(requests, perSecond, target(contestant))
        refuseFailures(contestant, answers.statuses)
        note(contestant, count)
        longestDelay = Math.max(longestDelay, answers.longestDelay)
        for (const latency of answers.latencies) latencies.get(contestant.name)?.push(latency)
      }
    }
    const tails = new Map([...latencies].map(([name, each]) => [name, tailOf(each)]))
    return { share, perSecond, requests: count * pace.rounds, tails, longestDelay }
  }

  /** Builds requests from questions that the contestant has not been asked yet. */
  async function nextRequests(contestant: Running, count: number): Promise<Request[]> {
    const from = sent.get(contestant.name) ?? firstUnused
    const requests: Request[] = []
    for (let n = from; n < from + count; n++) {
      requests.push(await contestant.dialect(work.ask(n, ground.size), ground.keys))
    }
    return requests
  }

  function note(contestant: Running, count: number): void {
    sent.set(contestant.name, (sent.get(contestant.name) ?? firstUnused) + count)
  }

  function target({ port }: Running) {
    return { port, connections: work.connections ?? pace.connections }
  }

  function refuseFailures({ name }: Running, statuses: Map<number, number>): void {
    const expected = [work.status, expectedStatus(work, { act: 'create', project: 1, name: '' })]
    const others = [...statuses].filter(([status]) => !expected.includes(status))
    if (others.length === 0) return
    const found = others.map(([status, count]) => `${count} times ${status}`).join(', ')
    throw new Error(`${work.title}: ${name} answered ${found}.`)
  }
}

/**
 * Halts all other contestants. Even without requests they collect garbage on the same core, and the contestant would
 * wait for them. Its timers that were due in the meantime run before the measurement.
 */
async function leaveAlone(contestant: Running, running: Running[]): Promise<void> {
  for (const each of running) process.kill(each.pid, each === contestant ? 'SIGCONT' : 'SIGSTOP')
  await pause(settleMs)
}

const tailOf = (latencies: number[]): Tail => ({
  p50: percentile(latencies, 50),
  p99: percentile(latencies, 99),
  p999: percentile(latencies, 99.9),
  longest: percentile(latencies, 100),
})

/** Returns the smallest latency that at least `share` percent of all latencies do not exceed. */
export function percentile(latencies: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(latencies).sort()
  // Multiply before the division. For 99.9 percent of 1,000 latencies, a division first would give a little over 999,
  // and Math.ceil would return 1,000.
  return sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? Number.NaN
}
