import type { DomainVerdictCode } from '../../../generated/contract.ts'
import type { DomainRowFragment, FoundFragment } from '../../generated/pages/graphql.ts'
import { date } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Notice } from '../../ui/notice.tsx'
import { Ago, Until } from '../../ui/time.tsx'

export const verdictTitles: Record<DomainVerdictCode, string> = {
  verified: t.domains.recordIsRight,
  record_missing: t.domains.noRecordFoundYet,
  record_differs: t.domains.recordShowsAnotherValue,
  address_record_conflict: t.domains.anotherRecordBlocksCname,
  apex_differs: t.domains.apexLeadsElsewhere,
  dns_unreachable: t.domains.dnsLookupFailed,
  loop: t.domains.recordsFormLoop,
  several_cnames: t.domains.moreThanOneCname,
  proxied: t.domains.proxyHidesRecord,
  ownership_required: t.domains.proveThatNameIsYours,
  claimed_elsewhere: t.domains.anotherProjectHoldsThisName,
  spreading: t.domains.recordIsSpreading,
}

/** Shows found and expected records. Shows nothing for a live or paused domain with the right record. */
export function Verdict({ domain }: { domain: DomainRowFragment }) {
  const { verdict, host } = domain
  if (!verdict) {
    return <p className="small soft">{t.domains.notCheckedYetCreate}</p>
  }
  if (verdict.code === 'verified' && (host === 'live' || host === 'paused')) return null
  const isWaiting = ['dns_unreachable', 'record_missing', 'spreading'].includes(verdict.code)
  const tone = verdict.code === 'verified' ? 'good' : isWaiting ? 'wait' : 'bad'
  return (
    <Notice tone={tone} title={verdictTitles[verdict.code]}>
      <p>{verdict.message}</p>
      {verdict.code !== 'verified' && (
        <dl className="facts">
          <dt>{t.domains.found}</dt>
          <dd>{verdict.found.length === 0 ? t.domains.nothing : <Records records={verdict.found} />}</dd>
          <dt>{t.domains.expected}</dt>
          <dd className="mono">{verdict.expected.join(', ') || domain.record.value}</dd>
          {verdict.recordInTheWay && (
            <>
              <dt>{t.domains.inWay}</dt>
              <dd>
                <strong>
                  <Records records={[verdict.recordInTheWay]} />
                </strong>
              </dd>
            </>
          )}
        </dl>
      )}
      <p className="small soft times">
        <span>{t.domains.lastCheckedWhen(<Ago at={verdict.lookedAt} />)}</span>
        {verdict.nextLookAt && <span>{t.domains.nextCheckInLeft(<Until at={verdict.nextLookAt} />)}</span>}
        {host === 'stale' && <span>{t.domains.pausedUntilYouVerifyAgain}</span>}
        {domain.servedUntil && host !== 'paused' && (
          <span>{t.domains.servedUntilWhen(date(domain.servedUntil))}</span>
        )}
      </p>
    </Notice>
  )
}

export const Records = ({ records }: { records: readonly FoundFragment[] }) =>
  records.map(({ type, name, value }) => (
    <span key={`${type} ${name} ${value}`} className="mono record-line">
      {name} {type} {value}
    </span>
  ))
