import { StoreError } from '../errors.ts'

/** The deprecated operation, the date of its removal and its replacement. */
export const getPetDeprecation = {
  field: 'getPet',
  since: new Date('2026-11-01T00:00:00Z'),
  sunset: new Date('2030-12-05T00:00:00Z'),
  reason: 'getPet is removed on 5 December 2030. List pets with the status filter instead.',
}

export function refuseAfterSunset(now: number): void {
  if (now >= getPetDeprecation.sunset.getTime())
    throw new StoreError(
      'gone',
      'getPet was removed on 5 December 2030. List pets with the status filter instead.',
    )
}
