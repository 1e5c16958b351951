import type { KeyRowFragment } from '../../generated/pages/graphql.ts'

/** Polls while a rotated key is still active, because the owner waits until no client uses the old key. */
export const pollEveryMs = (keys: readonly KeyRowFragment[]): number | null =>
  keys.some(({ state }) => state === 'overlapping') ? 10_000 : null
