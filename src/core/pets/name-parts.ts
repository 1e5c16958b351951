/**
 * A part of a name with fewer characters is only searched at the beginning of names, because an index of parts would
 * not narrow the search.
 */
const leastInside = 3

const isBeginning = (part: string) => [...part].length < leastInside

/** Returns the LIKE pattern of a part, with the wildcards of LIKE escaped. */
export function patternOf(part: string): string {
  const literal = part.replace(/[\\%_]/g, '\\$&')
  return isBeginning(part) ? `${literal}%` : `%${literal}%`
}

/**
 * True if the index narrows a search for this part of a name. The index, which is made by pg_trgm, helps if the part
 * has three letters or digits in a row, or contains the beginning or the end of a word. In a database with the locale
 * C, only ASCII letters count as letters.
 */
export function hasTrigram(part: string, allLetters: boolean): boolean {
  const letter = allLetters ? '[\\p{L}\\p{N}]' : '[a-zA-Z0-9]'
  const other = letter.replace('[', '[^')
  const word = `${letter}{3}|${other}${letter}|${letter}{2}${other}`
  return new RegExp(isBeginning(part) ? `^${letter}|${word}` : word, 'u').test(part)
}
