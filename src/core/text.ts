import type { Fault } from './errors.ts'

/** Validates a text that a person entered: trimmed, 1 to `longest` characters, no NUL and no lone surrogate. */
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

/** Counts code points, as JSON Schema does: an emoji is one character. */
export function isFromOneTo(longest: number, text: string): boolean {
  if (text.length <= longest) return text.length > 0
  return text.length <= 2 * longest && [...text].length <= longest
}

/** PostgreSQL stores no NUL, and UTF-8 has no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Replaces what cannot be stored and describes it. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
