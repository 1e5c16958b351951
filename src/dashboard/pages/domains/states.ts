import type { DomainCertificateState, DomainHostState } from '../../../generated/contract.ts'
import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'

type Shown = { label: string; tone: 'still' | 'good' | 'wait' | 'bad' }

export const hostStates: Record<DomainHostState, Shown> = {
  pending: { label: t.domains.pending, tone: 'wait' },
  stale: { label: t.domains.stale, tone: 'still' },
  live: { label: t.domains.live, tone: 'good' },
  drifted: { label: t.domains.drifted, tone: 'bad' },
  paused: { label: t.domains.paused, tone: 'bad' },
}

export const certificateStates: Record<DomainCertificateState, Shown> = {
  none: { label: t.domains.none, tone: 'still' },
  issuing: { label: t.domains.issuing, tone: 'wait' },
  issued: { label: t.domains.issued, tone: 'good' },
  failed: { label: t.domains.failed, tone: 'bad' },
  expiring: { label: t.domains.expiring, tone: 'wait' },
}

/** Returns how often to poll: a certificate takes seconds, DNS takes longer. */
export function pollEveryMs(domains: DomainRowFragment[]): number | null {
  if (domains.some(domain => domain.certificate === 'issuing')) return 3_000
  return domains.some(domain => domain.host === 'pending') ? 10_000 : null
}
