const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

/** Parses a time in RFC 3339. Null if it is invalid, or outside the years 1 to 9999 in UTC, as PostgreSQL has no year 0. */
export function parseTime(text: string): Date | null {
  const day = rfc3339.exec(text)?.[1]
  if (day === undefined || !isDay(day)) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time : null
}

/** True if the day exists: JavaScript parses the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  const begin = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(day)
}

export const timeRule = 'must be a date and time in RFC 3339, such as 2026-11-01T00:00:00Z'
