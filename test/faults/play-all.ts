import { type Fault, hasFailed, type Outcome } from './fault.ts'
import { type Ground, type GroundPlan, layGround, nothing } from './ground.ts'
import { play } from './play.ts'

/** One fault after the other; those on one ground share it, unless one has spoiled it. */
export async function playAll(faults: readonly Fault[], print: (line: string) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const laid: { plan: GroundPlan; ground: Ground }[] = []
  const clear = async () => {
    for (const { ground } of laid.splice(0)) await ground.stop()
  }
  for (const fault of faults) {
    print(`\n${fault.name}: ${fault.what}`)
    const obstacle = fault.obstacle?.() ?? null
    if (obstacle) {
      print(`  not tried: it ${obstacle}`)
      continue
    }
    if (laid[0]?.plan !== fault.ground) await clear()
    const outcome = await tryOut(fault, async () => {
      laid[0] ??= { plan: fault.ground, ground: await layGround(fault.ground) }
      return laid[0].ground
    })
    for (const { kept, seen } of outcome.checks) print(`  ${kept ? 'kept  ' : 'BROKEN'} ${seen}`)
    outcomes.push(outcome)
    if (fault.spoils || hasFailed(outcome)) await clear()
  }
  await clear()
  return outcomes
}

/** A row that cannot be played to its end has failed, and ends none of the others. */
async function tryOut(fault: Fault, lay: () => Promise<Ground>): Promise<Outcome> {
  try {
    const ground = fault.ground === nothing ? null : await lay()
    if ('measure' in fault) return { fault, checks: await fault.measure(ground) }
    if (!ground) throw new Error('There is nothing to break.')
    return { fault, checks: await play(fault, ground) }
  } catch (error) {
    return { fault, checks: [{ kept: false, seen: `broke off: ${error}` }] }
  }
}
