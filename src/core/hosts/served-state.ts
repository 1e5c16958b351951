import { type Domain, type HostState, Prisma } from '../../generated/prisma/client.ts'
import type { Project } from '../project.ts'
import { includesDomains, plansWithoutDomains } from '../projects/plans.ts'
import { driftForgivenMs } from './dns-check-schedule.ts'
import { graceIsOver, isGraceOver } from './grace-period.ts'

/** The state of a host. 'paused': the domain is in order, but its project is not served. */
export type ServedState = HostState | 'paused'

export function servedStateOf(
  domain: Domain,
  project: Project,
  graceEndsAt: Date | null,
  now: number,
): ServedState {
  const isPaused = project.suspended || isGraceOver(project.planName, graceEndsAt, now)
  return isPaused && domain.ownedName !== null ? 'paused' : domain.state
}

/** `servedStateOf` in SQL, for a domain `d` and its project `p`. */
export const servedState = (now: Date) => Prisma.sql`
  CASE WHEN d.owned_name IS NOT NULL AND (p.suspended_at IS NOT NULL OR ${graceIsOver(now)}) THEN 'paused'
    ELSE d.state::text END`

/**
 * Returns when the service of the domain ends; null if no end is known. A domain whose DNS record no longer leads to
 * the service is served for seven more days. If its name servers do not answer then, it is served until a check shows
 * again that the record is wrong, so the end is unknown. If the project's plan includes no domains, the service also
 * ends with the grace period. The earlier end counts.
 */
export function servedUntilOf(
  domain: Domain,
  project: Project,
  graceEndsAt: Date | null,
  now: number,
): Date | null {
  if (domain.ownedName === null) return null
  const driftEnd = domain.driftedAt ? domain.driftedAt.getTime() + driftForgivenMs : 0
  const ends = [
    ...(driftEnd > now ? [driftEnd] : []),
    ...(graceEndsAt && !includesDomains(project.planName) ? [graceEndsAt.getTime()] : []),
  ]
  return ends.length > 0 ? new Date(Math.min(...ends)) : null
}

/** `servedUntilOf` in SQL, for a domain `d` and its project `p`. LEAST ignores null. */
export const servedUntil = (now: Date) => Prisma.sql`
  CASE WHEN d.owned_name IS NOT NULL THEN LEAST(
    CASE WHEN d.drifted_at > ${new Date(now.getTime() - driftForgivenMs)}::timestamptz
      THEN d.drifted_at + ${driftForgivenMs} * interval '1 millisecond' END,
    CASE WHEN p.plan IN (${Prisma.join(plansWithoutDomains)}) THEN p.domains_grace_ends_at END) END`
