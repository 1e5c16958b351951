import { type Fault, invalidInput } from '../core/errors.ts'
import { isMisspelled, misspelled } from './misspelling.ts'

/**
 * The most unknown names that one finder compares with the known names. No ordinary body has so many unknown names. The
 * number is limited because each comparison costs microseconds of CPU.
 */
const mostCompared = 200

/**
 * Finds misspelled members: ignoring `stauts` would drop a value that the client meant to send. Ignores other unknown
 * members. One finder serves all lines of an import, so that each name is compared once.
 */
export function openMisspellings(known: readonly string[]): (input: object) => Fault[] {
  const meantBy = new Map<string, string | undefined>()

  function findMeant(name: string): string | undefined {
    if (meantBy.has(name) || meantBy.size === mostCompared) return meantBy.get(name)
    const meant = known.find(each => isMisspelled(name, each))
    meantBy.set(name, meant)
    return meant
  }

  return input => {
    const faults: Fault[] = []
    for (const name of Object.keys(input)) {
      const meant = known.includes(name) ? undefined : findMeant(name)
      if (meant !== undefined) faults.push(misspelled(meant, name))
    }
    return faults.slice(0, mostFaults)
  }
}

export const mostFaults = 10

export function requireNoMisspelling(input: object, known: readonly string[]): void {
  const faults = openMisspellings(known)(input)
  if (faults.length > 0) throw invalidInput(faults)
}
