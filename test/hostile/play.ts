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

/** Memory up to this much higher than before counts as released, because heaps also grow by themselves. */
const slackMegabytes = 100
/** The victim counts as recovered after this long without trouble. */
const wellMs = 500
const longestStallMs = 60_000

/** Measures the victim without an attack. */
export async function measureQuiet(ground: Ground, victim: Victim, ms: number): Promise<Outcome> {
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
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    ...{
      ...seen,
      longestLivezMs: Math.max(seen.longestLivezMs, after),
      attacker,
      cpuSeconds,
      answers: times.length,
      p50: at(0.5),
      p99: at(0.99),
    },
    megabytes: [before, end, later],
  }
}

/** Waits for work that the attack has left behind, and returns the longest /livez until then. */
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

/** Combines three plays of an attack: the median p99, and the worst of everything that must never happen. */
export function combine(plays: Outcome[]): Outcome {
  const byP99 = plays.toSorted((a, b) => a.p99 - b.p99)
  const byMemory = plays.toSorted((a, b) => heldOf(a) - heldOf(b))
  const [median, mostHeld] = [byP99[Math.floor(plays.length / 2)], byMemory.at(-1)]
  if (!median || !mostHeld) throw new Error('There is no play to combine.')
  return {
    ...median,
    wrong: plays.flatMap(({ wrong }) => wrong),
    longestLivezMs: Math.max(...plays.map(play => play.longestLivezMs)),
    livezFaults: Math.max(...plays.map(play => play.livezFaults)),
    megabytes: mostHeld.megabytes,
  }
}

const heldOf = ({ megabytes: [before, , later] }: Outcome) => later - before

/** Returns the promises that were broken, of those that hold during every attack. */
export function brokenPromises(outcome: Outcome, quiet: Outcome): string[] {
  const [before, , later] = outcome.megabytes
  return [
    outcome.p99 > 2 * quiet.p99 + 20 ? 'p99' : '',
    outcome.longestLivezMs > 250 || outcome.livezFaults > 0 ? '/livez' : '',
    outcome.wrong.length > 0 ? 'answers' : '',
    later > before + slackMegabytes ? 'memory' : '',
  ].filter(Boolean)
}
