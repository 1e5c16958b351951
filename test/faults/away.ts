import type { Promises } from './fault.ts'

/** Promises for faults that make the database unavailable. */
export const databaseAway = {
  refuses: true,
  mostLines: 2,
  about: /database/,
  says: /The database cannot serve: /,
  readiness: /^503 /,
} satisfies Partial<Promises>

/** Promises for faults in which the database is reachable but refuses statements. */
export const databaseRefuses = {
  ...databaseAway,
  readiness: /^(200|503) (its?|statements) /,
} satisfies Partial<Promises>

/** Promises for faults that make Redis unavailable. */
export const redisAway = {
  limits: 'alone',
  mostLines: 4,
  about: /Redis/,
  says: /each process counts alone|out of reach/,
  readiness: /200 counts alone/,
} satisfies Partial<Promises>
