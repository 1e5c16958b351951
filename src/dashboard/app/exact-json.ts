/**
 * Parses JSON. Returns a number that a double would change, such as the number of a category beyond 2^53, as its text.
 */
export const parseExactly = (text: string) => JSON.parse(text, exact)

/** Browsers without `source` return the rounded number. */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== String(value) ? (context?.source ?? value) : value
}
