import type { Fault } from './errors.ts'

/** A text a person gave: trimmed, 1 to `longest` characters, storable (no NUL, no half of a surrogate pair). */
export function judgeText(
  field: string,
  value: unknown,
  longest: number,
): { text: string; fault: Fault | null } {
  const text = typeof value === 'string' ? value.trim() : ''
  const message = !isFromOneTo(longest, text)
    ? `must be a string of 1 to ${longest} characters`
    : !isStorable(text)
      ? 'must not hold a NUL character or a lone surrogate'
      : null
  return { text, fault: message ? { field, message } : null }
}

/** Characters are code points, as JSON Schema counts them: an emoji is one. */
export function isFromOneTo(longest: number, text: string): boolean {
  if (text.length <= longest) return text.length > 0
  return text.length <= 2 * longest && [...text].length <= longest
}

/** PostgreSQL takes no NUL, and UTF-8 no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** A text fit to be stored beside what is wrong with it. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
