import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../support/programs.ts'
import { attacks } from './attacks.ts'
import { type Ground, layGround } from './ground.ts'
import { measureQuiet, type Outcome, play } from './play.ts'
import { startVictim, type Victim } from './victim.ts'

const canRun = ['postgres', 'redis-server'].every(findProgram)
const attackMs = 1_500
/**
 * Times depend on the machine here, so compare CPU time: during an attack an answer may cost at most this many times
 * its usual CPU time.
 */
const mostTimesQuiet = 15
/** An attack may leave at most this much more memory in use. Heaps also grow without an attack. */
const mostMegabytesMore = 200
const countOf = ({ attacker }: Outcome) => Object.values(attacker).reduce((sum, count) => sum + count, 0)
const cpuOfAnswer = (outcome: Outcome) => outcome.cpuSeconds / (outcome.answers + countOf(outcome))

describe.skipIf(!canRun)('a neighbour of the attacker gets its own answers at low cost', () => {
  let ground: Ground
  let victim: Victim
  let quiet: Outcome
  beforeAll(async () => {
    ground = await layGround()
    victim = startVictim(ground)
    await measureQuiet(ground, victim, 1_000)
    quiet = await measureQuiet(ground, victim, attackMs)
  }, 120_000)
  afterAll(async () => {
    await victim?.stop()
    await ground?.stop()
  })

  it.each(attacks.filter(({ short }) => short).map(attack => [attack.what, attack] as const))(
    'during an attack, a project that is not the attacker gets its own answers at low cost: %s',
    async (_what, attack) => {
      const outcome = await play(attack, ground, victim, attackMs, 0)

      expect(outcome.wrong).toEqual([])
      expect(outcome.livezFaults).toBe(0)
      expect(outcome.answers).toBeGreaterThan(0)
      const [before, end] = outcome.megabytes
      expect(end - before).toBeLessThan(mostMegabytesMore)
      // Answers that the attacker does not read cannot be counted.
      if (attack.name === 'slow-readers') return
      expect(countOf(outcome)).toBeGreaterThan(0)
      expect(cpuOfAnswer(outcome) / cpuOfAnswer(quiet)).toBeLessThan(mostTimesQuiet)
    },
    120_000,
  )
})
