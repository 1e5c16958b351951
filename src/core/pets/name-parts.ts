import { foldForSearch } from '../text.ts'

/**
 * A part of a name with fewer characters is only searched at the beginning of names, because an index of parts would
 * not narrow the search.
 */
const leastInside = 3

const isBeginning = (part: string) => [...part].length < leastInside

/** True if the index finds names that do not contain the part: its pattern has a wildcard in place of each sigma. */
export const hasSigma = (part: string): boolean => /[Σσς]/.test(part)

/** Returns the LIKE pattern of a part, with the wildcards of LIKE escaped, for the index of parts. */
export function patternOf(part: string): string {
  const literal = part.replace(/[\\%_]/g, '\\$&')
  return isBeginning(part) ? `${literal}%` : `%${literal}%`
}

/** The last place of a text at which the part may begin. Every text that is searched is shorter than 1,000 characters. */
export const lastPlaceOf = (part: string): number => (isBeginning(part) ? 1 : 1_000)

/**
 * The SQL condition that a column contains the part, which `foldForSearch` has folded. The time of LIKE and of regular
 * expressions depends on the part: for a name of 255 letters, a part such as "aaaa…ab" makes LIKE take up to 22 µs of
 * PostgreSQL's CPU time, and a regular expression 26 µs, but strpos at most 6 µs. For 255 characters of four bytes, LIKE
 * takes 87 µs and strpos 26 µs. For usual names, strpos is as fast as LIKE.
 */
export const containsPart = (column: string, part: string, lastPlace: string) =>
  `strpos(${foldForSearch(column)}, ${part}) BETWEEN 1 AND ${lastPlace}`

/**
 * True if the index narrows a search for this part of a name. The index, which is made by pg_trgm, helps if the part
 * has three letters or digits in a row, or contains the beginning or the end of a word. In a database with the locale
 * C, only ASCII letters count as letters.
 */
export function hasTrigram(part: string, allLetters: boolean): boolean {
  const letters = allLetters ? '\\p{L}\\p{N}' : 'a-zA-Z0-9'
  const [letter, other] = [`(?![Σσς])[${letters}]`, `(?![Σσς])[^${letters}]`].map(one => `(?:${one})`)
  const word = `${letter}{3}|${other}${letter}|${letter}{2}${other}`
  return new RegExp(isBeginning(part) ? `^${letter}|${word}` : word, 'u').test(part)
}
