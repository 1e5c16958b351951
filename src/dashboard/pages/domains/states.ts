import type { DomainCertificateState, DomainHostState } from '../../../generated/contract.ts'

type Shown = { label: string; tone: 'still' | 'good' | 'wait' | 'bad' }

export const hostStates: Record<DomainHostState, Shown> = {
  pending: { label: 'Pending', tone: 'wait' },
  stale: { label: 'Stale', tone: 'still' },
  live: { label: 'Live', tone: 'good' },
  drifted: { label: 'Drifted', tone: 'bad' },
  paused: { label: 'Paused', tone: 'bad' },
}

export const certificateStates: Record<DomainCertificateState, Shown> = {
  none: { label: 'None', tone: 'still' },
  issuing: { label: 'Issuing', tone: 'wait' },
  issued: { label: 'Issued', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  expiring: { label: 'Expiring', tone: 'wait' },
}
