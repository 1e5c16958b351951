import type { Certificate } from '../../generated/prisma/client.ts'

const firstTurnMs = 15 * 60_000
const mostRefusals = 3

/** Column values of a certificate for which no authority has been chosen yet. */
export const noTurn = { directoryUrl: null, refusedSince: null, refusals: 0 }

/**
 * Returns the authorities in the order in which they are asked: the one that issued the certificate first, then in the
 * order of the configuration.
 */
export function inTurns<A extends { directoryUrl: string }>(
  authorities: readonly [A, ...A[]],
  issuedBy: string | null,
): readonly [A, ...A[]] {
  const issuer = authorities.find(({ directoryUrl }) => directoryUrl === issuedBy)
  return issuer ? [issuer, ...authorities.filter(one => one !== issuer)] : authorities
}

/**
 * Returns the end of the turn of an authority that refused for the first time at `since`. The turn ends after a third
 * of the certificate's remaining life, or after 15 minutes if there is no valid certificate.
 */
export function turnEndOf(since: Date, notAfter: Date | null): Date {
  const leftMs = notAfter ? notAfter.getTime() - since.getTime() : 0
  return new Date(since.getTime() + (leftMs > 0 ? leftMs / 3 : firstTurnMs))
}

type Refusal = { directoryUrl: string; since: Date; now: Date }
export type Turn = { refusedSince: Date; refusals: number; endsAt: Date; isOver: boolean }

/**
 * Counts one more refusal of an authority, and returns the authority's turn: when the turn ends, and whether the turn
 * is over. `since` is the time at which the service asked the authority.
 */
export function turnAfter(
  row: Pick<Certificate, 'directoryUrl' | 'refusedSince' | 'refusals' | 'notAfter'>,
  { directoryUrl, since, now }: Refusal,
): Turn {
  const known = row.directoryUrl === directoryUrl ? row : noTurn
  const refusedSince = known.refusedSince && known.refusedSince < since ? known.refusedSince : since
  const refusals = known.refusals + 1
  const endsAt = turnEndOf(refusedSince, row.notAfter)
  const isFirst = !row.notAfter || row.notAfter <= refusedSince
  return { refusedSince, refusals, endsAt, isOver: endsAt <= now || (isFirst && refusals >= mostRefusals) }
}
