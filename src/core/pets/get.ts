import type { Clock } from '../../tools/clock.ts'
import { type Caller, requireScope, scopeFor } from '../keys/caller.ts'
import { getPetDeprecation, refuseAfterSunset } from '../keys/deprecations.ts'
import type { UsageCounter } from '../usage/counter.ts'
import { readPetId } from './rules.ts'

/**
 * Admits a call of `getPet`, records this call of a deprecated operation, and returns the id. Refuses the call after the
 * removal date.
 */
export function admitGetPet(
  { clock, usageCounter }: { clock: Clock; usageCounter: UsageCounter },
  caller: Caller,
  petId: string,
): bigint {
  requireScope(caller, scopeFor.getPet)
  usageCounter.countDeprecated(caller, getPetDeprecation.field)
  refuseAfterSunset(clock.now())
  return readPetId(petId)
}
