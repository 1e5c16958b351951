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
/** The record of an attack: its plays combined, and the quiet half-minute before it. */
export type Play = { outcome: Outcome; quiet: Quiet }

/** Memory up to this much higher than before counts as released, because heaps also grow by themselves. */
const slackMegabytes = 100
/** The victim counts as recovered after this many milliseconds without a slow or wrong answer. */
const wellMs = 500
const longestStallMs = 60_000

/** Measures the victim without an attack once. */
export function measureQuiet(ground: Ground, victim: Victim, ms: number): Promise<Outcome> {
  return measure(ground, victim, 0, async () => {
    await pause(ms)
    return {}
  })
}

/**
 * Returns the medians of these measurements without an attack. The median is used because one slow measurement must not
 * raise the limit of the attacks after it.
 */
export function quietOf(measured: readonly Outcome[]): Quiet {
  const middle = (latency: 'p50' | 'p99') =>
    measured.map(outcome => outcome[latency]).sort((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 0
  return { p50: middle('p50'), p99: middle('p99') }
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
  return measure(ground, victim, returnMs, async () => {
    thread.postMessage('begin')
    await Promise.race([pause(ms), failed])
    thread.postMessage('end')
    const [counts] = await Promise.race([once(thread, 'message'), failed])
    failed.catch(() => {})
    return counts as Counts
  })
}

async function measure(
  ground: Ground,
  victim: Victim,
  returnMs: number,
  happen: () => Promise<Counts>,
): Promise<Outcome> {
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
      wrong: [...seen.wrong, ...after.wrong],
      longestLivezMs: Math.max(seen.longestLivezMs, after.longestLivezMs),
      livezFaults: seen.livezFaults + after.livezFaults,
      attacker,
      cpuSeconds,
      answers: times.length,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    },
    megabytes: [before, end, later],
  }
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Waits until the victim has recovered from work that the attack left behind. Returns the faults seen in this time. */
async function untilWell(victim: Victim): Promise<Pick<Seen, 'wrong' | 'longestLivezMs' | 'livezFaults'>> {
  const all = { wrong: [] as string[], longestLivezMs: 0, livezFaults: 0 }
  for (const since = performance.now(); performance.now() - since < longestStallMs; ) {
    await pause(wellMs)
    const { longestLivezMs, livezFaults, wrong } = victim.take()
    all.wrong.push(...wrong)
    all.longestLivezMs = Math.max(all.longestLivezMs, longestLivezMs)
    all.livezFaults += livezFaults
    if (longestLivezMs < wellMs && livezFaults === 0 && wrong.length === 0) break
  }
  return all
}

/**
 * Combines the plays of one attack. The wrong answers of all plays are listed. The figures of /livez and of the memory
 * are the worst of all plays. All other figures come from the play with the median p99.
 */
export function combine(plays: readonly Outcome[]): Outcome {
  const median = plays.toSorted((a, b) => a.p99 - b.p99)[Math.floor(plays.length / 2)]
  if (!median) throw new Error('There is no play to combine.')
  const mostHeld = plays.reduce((most, play) => (heldOf(play) > heldOf(most) ? play : most))
  return {
    ...median,
    wrong: plays.flatMap(({ wrong }) => wrong),
    longestLivezMs: Math.max(...plays.map(({ longestLivezMs }) => longestLivezMs)),
    livezFaults: Math.max(...plays.map(({ livezFaults }) => livezFaults)),
    megabytes: mostHeld.megabytes,
  }
}

/** The p99 that the victim may have under an attack. */
const mostMs = (quiet: Quiet) => 2 * quiet.p99 + 20

const heldOf = ({ megabytes: [before, , later] }: Outcome) => later - before

/** Returns the names of the limits that the attack broke. Every attack must keep these limits. */
export function brokenPromises({ outcome, quiet }: Play): string[] {
  const [before, , later] = outcome.megabytes
  return [
    outcome.p99 > mostMs(quiet) ? 'p99' : '',
    outcome.longestLivezMs > 250 || outcome.livezFaults > 0 ? '/livez' : '',
    outcome.wrong.length > 0 ? 'answers' : '',
    later > before + slackMegabytes ? 'memory' : '',
  ].filter(Boolean)
}
