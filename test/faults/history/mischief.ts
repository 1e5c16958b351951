import { randomOf } from '../../support/random.ts'
import type { Fault, UnderLoad } from '../fault.ts'
import { faultsByPart } from '../faults.ts'
import { type Ground, type GroundPlan, plain, wired } from '../ground.ts'
import type { Load } from '../load.ts'
import { untilForgotten } from '../play.ts'

type Played = Fault & UnderLoad
type Mischief = { part: string; fault: Played }

/**
 * This plan has a replica, which is promoted at the end of the run. It excludes the fault postgres-disk-full, which
 * would need a small disk on both servers.
 */
export const promoted: GroundPlan = { wired: true, postgres: 'replicated' }

/** Parts of the harness whose faults lose no counts of limits. */
const keepsCounts = ['PostgreSQL', 'Restores and edits by hand']

/** The harness' faults for these services that this machine can cause. */
function mischiefFor(plan: GroundPlan): Mischief[] {
  const isPossible = (fault: Fault): fault is Played =>
    'happen' in fault &&
    !fault.spoils &&
    !fault.obstacle?.() &&
    (fault.ground === plain || fault.ground === wired)
  return Object.entries(faultsByPart).flatMap(([part, faults]) =>
    faults
      .filter(isPossible)
      .filter(({ name }) => plan !== promoted || name !== 'postgres-disk-full')
      .map(fault => ({ part, fault })),
  )
}

/** Yields faults without end. Has its own random numbers, so that a seed causes the same faults whatever clients do. */
export function* chooseMischief(
  seed: number,
  plan: GroundPlan,
  only: readonly string[] | null = null,
): Generator<Mischief[], never> {
  const all = mischiefFor(plan).filter(({ fault }) => only?.includes(fault.name) ?? true)
  if (all.length === 0) throw new Error('None of these faults can be caused here.')
  const others = all.filter(({ part }) => part === 'Redis')
  const random = randomOf(seed)
  for (;;) {
    const one = random.oneOf(all)
    const isDouble = one.part === 'PostgreSQL' && others.length > 0 && random.below(4) === 0
    yield isDouble ? [one, random.oneOf(others)] : [one]
  }
}

/**
 * Causes random faults until the time is over. Sometimes causes a fault of PostgreSQL and one of Redis at the same
 * time.
 */
export async function causeFaults(
  ground: Ground,
  load: Load,
  {
    seed,
    plan,
    ms,
    only,
    uncounted,
    print,
  }: {
    seed: number
    plan: GroundPlan
    ms: number
    only: readonly string[] | null
    uncounted: number[]
    print: (line: string) => void
  },
): Promise<string[]> {
  const endsAt = performance.now() + ms
  const caused: string[] = []
  for (const chosen of chooseMischief(seed, plan, only)) {
    if (performance.now() >= endsAt) break
    // Prints the time of the history's clock, so that a violation can be traced to its fault.
    print(
      `  ${(performance.now() / 1000).toFixed(1)} s: ${chosen.map(({ fault }) => fault.name).join(' and ')}`,
    )
    caused.push(...chosen.map(({ fault }) => fault.name))
    const isCounted = chosen.every(({ part }) => keepsCounts.includes(part))
    if (!isCounted) uncounted.push(performance.now())
    await Promise.all(chosen.map(({ fault }) => fault.happen(ground, load)))
    if (!isCounted) uncounted.push(performance.now())
    await untilForgotten(ground)
  }
  return caused
}

export function promotion(): Played {
  const found = faultsByPart.PostgreSQL?.find(({ name }) => name === 'postgres-promoted')
  if (!found || !('happen' in found)) throw new Error('The fault postgres-promoted is gone.')
  return found
}
