import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Attack } from './attack.ts'
import { cpuSecondsOf, megabytesOf } from './costs.ts'
import type { Ground } from './ground.ts'
import type { Counts } from './place.ts'
import type { Seen, Victim } from './victim.ts'

export type Outcome = Pick<Seen, 'wrong' | 'longestLivezMs' | 'livezFaults'> & {
  p50: number
  p99: number
  answers: number
  /** Seconds of CPU that the three processes used. */
  cpuSeconds: number
  /** Memory of the three processes: before, at the end, and after they had time to release it. */
  megabytes: [before: number, end: number, later: number]
  attacker: Counts
}
/** The victim's latencies without an attack. */
export type Quiet = Pick<Outcome, 'p50' | 'p99'>
/** A play of an attack, and the quiet seconds before it. */
export type Play = { outcome: Outcome; quiet: Quiet }

/** Memory up to this much higher than before counts as released, because heaps also grow by themselves. */
const slackMegabytes = 100
/** The victim counts as recovered after this long without trouble. */
const wellMs = 500
const longestStallMs = 60_000

/**
 * Measures the victim without an attack before each play. Pools the last measurements: the speed of a machine drifts, but
 * one of its pauses must not decide a p99.
 */
export function openQuiet(ground: Ground, victim: Victim, ms: number, pooled: number) {
  const last: number[][] = []
  return {
    async measure(): Promise<Quiet> {
      const { times } = await measureQuiet(ground, victim, ms)
      last.push(times)
      if (last.length > pooled) last.shift()
      const all = last.flat().sort((a, b) => a - b)
      return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) }
    },
  }
}

/** Measures the victim without an attack once. */
export async function measureQuiet(ground: Ground, victim: Victim, ms: number): Promise<Measured> {
  return measure(ground, victim, 0, async () => {
    await pause(ms)
    return {}
  })
}

/** Plays one attack beside the victim. Waits up to `returnMs` for the memory to be released. */
export async function play(
  attack: Attack,
  ground: Ground,
  victim: Victim,
  ms: number,
  returnMs = 60_000,
): Promise<Outcome> {
  const workerData = { name: attack.name, place: await ground.makePlace() }
  const thread = new Worker(new URL('attacker.ts', import.meta.url), { workerData })
  const failed = once(thread, 'error').then(([error]) => {
    throw error
  })
  await Promise.race([once(thread, 'message'), failed])
  const { times: _, ...outcome } = await measure(ground, victim, returnMs, async () => {
    thread.postMessage('begin')
    await Promise.race([pause(ms), failed])
    thread.postMessage('end')
    const [counts] = await Promise.race([once(thread, 'message'), failed])
    failed.catch(() => {})
    return counts as Counts
  })
  return outcome
}

type Measured = Outcome & { times: number[] }

async function measure(
  ground: Ground,
  victim: Victim,
  returnMs: number,
  happen: () => Promise<Counts>,
): Promise<Measured> {
  const { processes } = ground
  const [before, cpuBefore] = [megabytesOf(processes), cpuSecondsOf(processes)]
  victim.take()
  const attacker = await happen()
  const { times, ...seen } = victim.take()
  const cpuSeconds = cpuSecondsOf(processes) - cpuBefore
  const end = megabytesOf(processes)
  const after = await untilWell(victim)
  let later = megabytesOf(processes)
  for (const since = performance.now(); later > before + slackMegabytes; later = megabytesOf(processes)) {
    if (performance.now() - since > returnMs) break
    await pause(1_000)
  }
  return {
    ...{
      ...seen,
      longestLivezMs: Math.max(seen.longestLivezMs, after),
      attacker,
      cpuSeconds,
      answers: times.length,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      times,
    },
    megabytes: [before, end, later],
  }
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Waits for work that the attack has left behind, and returns the longest time of /livez until then. */
async function untilWell(victim: Victim): Promise<number> {
  let longest = 0
  for (const since = performance.now(); performance.now() - since < longestStallMs; ) {
    await pause(wellMs)
    const { longestLivezMs, livezFaults, wrong } = victim.take()
    longest = Math.max(longest, longestLivezMs)
    if (longestLivezMs < wellMs && livezFaults === 0 && wrong.length === 0) break
  }
  return longest
}

/** Combines the plays of one attack: the median p99, and the worst of everything that must never happen. */
export function combine(plays: Play[]): Play {
  const excess = ({ outcome, quiet }: Play) => outcome.p99 / mostMs(quiet)
  const median = plays.toSorted((a, b) => excess(a) - excess(b))[Math.floor(plays.length / 2)]
  if (!median) throw new Error('There is no play to combine.')
  const outcomes = plays.map(({ outcome }) => outcome)
  const megabytes = outcomes.map(outcome => outcome.megabytes).sort((a, b) => heldOf(b) - heldOf(a))[0]
  return {
    quiet: median.quiet,
    outcome: {
      ...median.outcome,
      wrong: outcomes.flatMap(({ wrong }) => wrong),
      longestLivezMs: Math.max(...outcomes.map(({ longestLivezMs }) => longestLivezMs)),
      livezFaults: Math.max(...outcomes.map(({ livezFaults }) => livezFaults)),
      megabytes: megabytes ?? median.outcome.megabytes,
    },
  }
}

/** The p99 that the victim may have under an attack. */
const mostMs = (quiet: Quiet) => 2 * quiet.p99 + 20

const heldOf = ([before, , later]: Outcome['megabytes']) => later - before

/** Returns the names of the broken promises, among those that hold during every attack. */
export function brokenPromises({ outcome, quiet }: Play): string[] {
  const [before, , later] = outcome.megabytes
  return [
    outcome.p99 > mostMs(quiet) ? 'p99' : '',
    outcome.longestLivezMs > 250 || outcome.livezFaults > 0 ? '/livez' : '',
    outcome.wrong.length > 0 ? 'answers' : '',
    later > before + slackMegabytes ? 'memory' : '',
  ].filter(Boolean)
}
