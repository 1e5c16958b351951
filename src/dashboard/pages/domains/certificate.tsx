import type { DomainCertificateProblemCode } from '../../../generated/contract.ts'
import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { Notice } from '../../ui/notice.tsx'
import { date, Until } from '../../ui/time.tsx'
import { Records } from './verdict.tsx'

/** State of the certificate, and its problem. */
export function Certificate({ domain }: { domain: DomainRowFragment }) {
  const { certificate, certificateDetails: details } = domain
  const problem = details?.problem
  return (
    <>
      {certificate === 'issuing' && !problem && (
        <p className="small soft">The certificate is being issued, usually within a couple of minutes.</p>
      )}
      {problem && (
        <Notice tone={certificate === 'failed' ? 'bad' : 'wait'} title={certificateTitles[problem.code]}>
          <p>{problem.message}</p>
          {problem.recordInTheWay && <Records records={[problem.recordInTheWay]} />}
          {details.nextAttemptAt && (
            <p className="small soft">
              Tries again in <Until at={details.nextAttemptAt} />. Re-verify starts a new attempt at once.
            </p>
          )}
        </Notice>
      )}
      {details?.notAfter && (
        <p className="small soft times">
          {details.issuer && <span>Issued by {details.issuer}</span>}
          <span>Valid until {date(details.notAfter)}</span>
          {details.renewsAt && <span>Renews on {date(details.renewsAt)}</span>}
        </p>
      )}
    </>
  )
}

export const certificateTitles: Record<DomainCertificateProblemCode, string> = {
  dns_unreachable: 'DNS lookup failed',
  caa_blocks: 'A CAA record blocks the certificate',
  validation_failed: 'The certificate authority could not validate the name',
  ca_rate_limited: 'The certificate authority asks to wait',
  ca_unreachable: 'The certificate authority cannot be reached',
  ca_refused: 'The certificate authority refused',
  too_many_orders: 'The project has ordered as many certificates as it may for now',
  key_unreadable: 'The key of the certificate cannot be opened',
  overdue: 'The certificate is overdue',
}
