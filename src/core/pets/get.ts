import type { Clock } from '../../tools/clock.ts'
import { type Caller, requireScope, scopeFor } from '../keys/caller.ts'
import { getPetDeprecation, refuseAfterSunset } from '../keys/deprecations.ts'
import type { UsageCounter } from '../usage/counter.ts'
import { readPetId } from './rules.ts'

/**
 * Parses the id for `getPet`, and records this call of a deprecated operation. Refuses the call after the removal date.
 */
export function parseGetPet(
  { clock, usageCounter }: { clock: Clock; usageCounter: UsageCounter },
  caller: Caller,
  petId: string,
): bigint {
  requireScope(caller, scopeFor.getPet)
  usageCounter.countDeprecated(caller, getPetDeprecation.field)
  refuseAfterSunset(clock.now())
  return readPetId(petId)
}
