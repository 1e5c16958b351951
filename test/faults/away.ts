import type { Promises } from './fault.ts'

/** Shared by all faults that make the database unavailable. */
export const databaseAway = {
  refuses: true,
  mostLines: 2,
  about: /database/,
  says: /The database cannot serve: /,
  readiness: /^503 /,
} satisfies Partial<Promises>

/** And of every way in which it is there and refuses something. */
export const databaseRefuses = {
  ...databaseAway,
  readiness: /^(200|503) (its?|statements) /,
} satisfies Partial<Promises>

/** And of Redis. */
export const redisAway = {
  limits: 'alone',
  mostLines: 4,
  about: /Redis/,
  says: /counts the limits alone|out of reach/,
  readiness: /200 counts alone/,
} satisfies Partial<Promises>
