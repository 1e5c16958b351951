import { setTimeout as pause } from 'node:timers/promises'
import { type Check, expectedOf, type Fault, hasFailed, type Outcome } from './fault.ts'
import { type Ground, type GroundPlan, layGround, nothing } from './ground.ts'
import { play } from './play.ts'

/** Longer than most faults take on a busy machine. A fault that takes longer has failed and does not block the next one. */
const usualMinutes = 20

/** Tries the faults in order. Faults with the same plan share their services, until one fails or spoils them. */
export async function playAll(faults: readonly Fault[], print: (line: string) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const laid: { plan: GroundPlan; ground: Ground }[] = []
  const clear = async () => {
    for (const { ground } of laid.splice(0)) {
      await ground.stop().catch(error => print(`  something goes on running: ${error}`))
    }
  }
  for (const fault of faults) {
    print(`\n${fault.name}: ${fault.what}\n  expected: ${expectedOf(fault)}`)
    const obstacle = fault.obstacle?.() ?? null
    if (obstacle) {
      print(`  not tried: it ${obstacle}`)
      continue
    }
    if (laid[0]?.plan !== fault.ground) await clear()
    const beganAt = performance.now()
    const checks = await tryOut(fault, async () => {
      laid[0] ??= { plan: fault.ground, ground: await layGround(fault.ground) }
      return laid[0].ground
    })
    const seconds = Math.round((performance.now() - beganAt) / 1000)
    for (const { holds, seen } of checks) print(`  ${holds ? 'kept  ' : 'BROKEN'} ${seen}`)
    print(`  in ${seconds} s`)
    outcomes.push({ fault, checks, seconds })
    if (fault.spoils || hasFailed({ checks })) await clear()
  }
  await clear()
  return outcomes
}

/** Tries one fault. An exception or timeout is a failed check, so that the other faults still run. */
async function tryOut(fault: Fault, lay: () => Promise<Ground>): Promise<Check[]> {
  const patience = new AbortController()
  const { mostMinutes = usualMinutes } = fault
  const tooLong = pause(mostMinutes * 60_000, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`it was not over after ${mostMinutes} minutes`)
  })
  try {
    return await Promise.race([goThrough(fault, lay), tooLong])
  } catch (error) {
    return [{ holds: false, seen: `broke off: ${error}` }]
  } finally {
    patience.abort()
    await tooLong.catch(() => {})
  }
}

async function goThrough(fault: Fault, lay: () => Promise<Ground>): Promise<Check[]> {
  const ground = fault.ground === nothing ? null : await lay()
  const checks = 'measure' in fault ? await fault.measure(ground) : ground && (await play(fault, ground))
  if (!checks?.length) throw new Error('There was nothing to break.')
  return checks
}
