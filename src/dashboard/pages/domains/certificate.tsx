import type { DomainCertificateProblemCode } from '../../../generated/contract.ts'
import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { date } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Notice } from '../../ui/notice.tsx'
import { Until } from '../../ui/time.tsx'
import { Records } from './verdict.tsx'

/** State of the certificate, and its problem. */
export function Certificate({ domain }: { domain: DomainRowFragment }) {
  const { certificate, certificateDetails: details } = domain
  const problem = details?.problem
  return (
    <>
      {certificate === 'issuing' && !problem && (
        <p className="small soft">{t.domains.certificateIsBeingIssuedUsually}</p>
      )}
      {problem && (
        <Notice tone={certificate === 'failed' ? 'bad' : 'wait'} title={certificateTitles[problem.code]}>
          <p>{problem.message}</p>
          {problem.recordInTheWay && <Records records={[problem.recordInTheWay]} />}
          {details.nextAttemptAt && (
            <p className="small soft">{t.domains.triesAgainInLeftRe(<Until at={details.nextAttemptAt} />)}</p>
          )}
        </Notice>
      )}
      {details?.notAfter && (
        <p className="small soft times">
          {details.issuer && <span>{t.domains.issuedByIssuer(details.issuer)}</span>}
          <span>{t.domains.validUntilWhen(date(details.notAfter))}</span>
          {details.renewsAt && <span>{t.domains.renewsOnWhen(date(details.renewsAt))}</span>}
        </p>
      )}
    </>
  )
}

export const certificateTitles: Record<DomainCertificateProblemCode, string> = {
  dns_unreachable: t.domains.dnsLookupFailed,
  caa_blocks: t.domains.caaRecordBlocksCertificate,
  validation_failed: t.domains.certificateAuthorityCouldNotValidate,
  ca_rate_limited: t.domains.certificateAuthorityAsksToWait,
  ca_unreachable: t.domains.certificateAuthorityCannotBeReached,
  ca_refused: t.domains.certificateAuthorityRefused,
  too_many_orders: t.domains.projectHasOrderedAsMany,
  key_unreadable: t.domains.keyOfCertificateCannotBe,
  overdue: t.domains.certificateIsOverdue,
}
