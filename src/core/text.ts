import type { Fault } from './errors.ts'

/**
 * Trims and validates a text from a person: 1 to `longest` characters. Control characters are refused, because a
 * terminal would obey control characters. A note may contain line breaks and tabs. A filter by reference may contain
 * every control character except NUL, so that it also finds references that were stored before control characters were
 * refused.
 */
export function validateText(
  field: string,
  value: unknown,
  longest: number,
  mayContain: keyof typeof refused = 'no controls',
): { text: string; fault: Fault | null } {
  const text = typeof value === 'string' ? value.trim() : ''
  const message = !isFromOneTo(longest, text)
    ? `must be a string of 1 to ${longest} characters`
    : refused[mayContain].test(text) || !isStorable(text)
      ? 'must not contain control characters or a lone surrogate'
      : null
  return { text, fault: message ? { field, message } : null }
}

/** Unicode's category Cc is C0, DEL and C1. PostgreSQL takes no NUL. */
const refused = { 'no controls': /\p{Cc}/u, lines: /(?![\t\n\r])\p{Cc}/u, controls: /\0/ }

/** Counts code points, as JSON Schema does: an emoji is one character. */
export function isFromOneTo(longest: number, text: string): boolean {
  if (text.length <= longest) return text.length > 0
  return text.length <= 2 * longest && [...text].length <= longest
}

const longestSearch = 100

/**
 * Validates the text of a search that reads one row after the other. An empty text finds every row. Text that cannot be
 * stored is no fault: such a search finds nothing.
 */
export function faultsOfSearch(search: string | null | undefined): Fault[] {
  if (!search || isFromOneTo(longestSearch, search)) return []
  return [{ field: 'search', message: `must have at most ${longestSearch} characters` }]
}

/** True if PostgreSQL and UTF-8 can store the text: no NUL and no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * Replaces each NUL and each lone surrogate by U+FFFD, because PostgreSQL cannot store NULs and UTF-8 cannot encode
 * lone surrogates.
 */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Databases differ in how they convert letters to lower case, so use this collation, which is the same everywhere. */
export const foldCase = (text: string) => `lower(${text} COLLATE "und-x-icu")`

/**
 * Like `foldCase`, but a final sigma equals every other sigma. `lower` turns Σ into ς at the end of a word only, so without
 * this, a search for a part that ends in Σ would not find the part inside a word.
 */
export const foldForSearch = (text: string) => `replace(${foldCase(text)}, 'ς', 'σ')`
