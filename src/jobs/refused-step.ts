import { inTurns, noTurn, turnAfter } from '../core/certificates/authority-turns.ts'
import { type CertificateProblem, noOrder } from '../core/certificates/certificates.ts'
import type { CertificateAuthority } from '../hosting/certificate-authority.ts'
import type { Lease } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { nextTryAfter } from './renewal-time.ts'

type Refused = {
  authority: CertificateAuthority
  problem: CertificateProblem
  /** When the authority wants to be asked again. */
  retryAt: Date | null
  /** When the authority was asked. */
  since: Date
}

/**
 * Ends a step that the authority refused or did not answer. If refusals outlast the authority's turn, the next
 * authority is asked. A pause within a turn never lasts longer than the turn. After the turn of the last authority
 * there is a pause too, so that a failure of all authorities causes no more requests than a failure of one.
 */
export async function endRefusedStep(tools: CertificateTools, lease: Lease, refused: Refused): Promise<void> {
  const { authority, problem, retryAt, since } = refused
  const { clock, log } = tools
  const row = await lease.read()
  const now = new Date(clock.now())
  const turns = inTurns(tools.authorities, row.issuedBy)
  const index = turns.indexOf(authority)
  const [first] = turns
  const next = turns[index + 1] ?? first
  const { isOver, endsAt, ...turn } = turnAfter(row, { directoryUrl: authority.directoryUrl, since, now })
  const attempts = row.attempts + 1
  if (next === authority) {
    const nextStepAt = nextTryAfter(clock, row, retryAt)
    return lease.finish({ ...turn, directoryUrl: authority.directoryUrl, problem, attempts, nextStepAt })
  }
  if (!isOver) {
    const message = `${problem.message} If the refusals continue, the certificate is ordered from ${next.host} at ${endsAt.toISOString()} at the latest.`
    const usual = nextTryAfter(clock, row, retryAt)
    return lease.finish({
      ...{ ...turn, directoryUrl: authority.directoryUrl, attempts, problem: { ...problem, message } },
      nextStepAt: usual < endsAt ? usual : endsAt,
    })
  }
  const nextStepAt = next === first ? nextTryAfter(clock, row, null) : now
  const message = `${problem.message} ${next.host} is asked next.`
  log.warn(
    {
      name: lease.name,
      authority: authority.host,
      next: next.host,
      refusedSince: turn.refusedSince,
      nextStepAt,
    },
    'the next certificate authority is asked',
  )
  await lease.finish({
    ...{ ...noOrder, ...noTurn, directoryUrl: next.directoryUrl },
    ...{ attempts, nextStepAt, problem: { ...problem, message } },
  })
}
