import type { Fault } from '../core/errors.ts'

/** Longer names are no misspellings of a known name. */
const longest = 40
/** Only the first parts of a name with brackets are compared, because a name of 64 KiB can have thousands of parts. */
const mostParts = 5
const longestShown = 24

/** Makes the fault for a misspelled name; `field` is the known name that it resembles. */
export function misspelled(field: string, name: string): Fault {
  return { field, message: `must be spelled "${field}", not ${show(name)}` }
}

export const show = (name: string) => JSON.stringify(name.slice(0, longestShown).toWellFormed())

/** True for `LIMIT`, `statsu`, `limits`, `limit[]` and `filter[status]`. */
export function isMisspelled(name: string, known: string): boolean {
  return name
    .split(/[[\]]/, mostParts)
    .some(part => part.length <= longest && isTypo(plain(part), plain(known)))
}

/** Lower case, without separators. */
export const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, '')

/**
 * One wrong letter is a typo; in a long name, two wrong letters are a typo too. `list` is a different word from
 * `limit`.
 */
function isTypo(name: string, known: string): boolean {
  if (name.length < 4 || Math.abs(name.length - known.length) > 2) return name === known
  const isPlural = name === `${known}es`
  return isPlural || distance(name, known) <= (Math.min(name.length, known.length) < 5 ? 1 : 2)
}

/** The Damerau-Levenshtein distance: letters to add, drop, replace or swap with their neighbour. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const at = (line: number[], index: number) => line[index] ?? 0
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Infinity,
      )
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}
