import type { DomainVerdictCode } from '../../../generated/contract.ts'
import type { DomainRowFragment, FoundFragment } from '../../generated/pages/graphql.ts'
import { Notice } from '../../ui/notice.tsx'
import { Ago, date, Until } from '../../ui/time.tsx'

export const verdictTitles: Record<DomainVerdictCode, string> = {
  verified: 'The record is right',
  record_missing: 'No record found yet',
  record_differs: 'The record shows another value',
  address_record_conflict: 'Another record blocks the CNAME',
  apex_differs: 'The apex leads elsewhere',
  dns_unreachable: 'DNS lookup failed',
  loop: 'The records form a loop',
  several_cnames: 'More than one CNAME',
  proxied: 'A proxy hides the record',
  ownership_required: 'Prove that the name is yours',
  claimed_elsewhere: 'Another project holds this name',
  spreading: 'The record is spreading',
}

/** Shows found and expected records. Shows nothing for a live domain with the right record. */
export function Verdict({ domain }: { domain: DomainRowFragment }) {
  const { verdict, host } = domain
  if (!verdict) {
    return <p className="small soft">Not looked at yet. Create the record, then choose Verify.</p>
  }
  if (verdict.code === 'verified' && (host === 'live' || host === 'paused')) return null
  const isWaiting = ['dns_unreachable', 'record_missing', 'spreading'].includes(verdict.code)
  const tone = verdict.code === 'verified' ? 'good' : isWaiting ? 'wait' : 'bad'
  return (
    <Notice tone={tone} title={verdictTitles[verdict.code]}>
      <p>{verdict.message}</p>
      {verdict.code !== 'verified' && (
        <dl className="facts">
          <dt>Found</dt>
          <dd>{verdict.found.length === 0 ? 'nothing' : <Records records={verdict.found} />}</dd>
          <dt>Expected</dt>
          <dd className="mono">{verdict.expected.join(', ') || domain.record.value}</dd>
          {verdict.recordInTheWay && (
            <>
              <dt>In the way</dt>
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
        <span>
          Last checked <Ago at={verdict.lookedAt} />
        </span>
        {verdict.nextLookAt && (
          <span>
            Next check in <Until at={verdict.nextLookAt} />
          </span>
        )}
        {host === 'stale' && <span>Paused until you verify again</span>}
        {domain.servedUntil && host !== 'paused' && <span>Served until {date(domain.servedUntil)}</span>}
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
