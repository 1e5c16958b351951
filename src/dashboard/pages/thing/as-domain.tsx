import type { ReactNode } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { PageHead } from '../../ui/page.tsx'
import { RecordsToCreate } from '../domains/records-to-create.tsx'
import { Facts } from './facts.tsx'
import { Managed } from './managed.tsx'

export function AsDomain({ domain, list }: { domain: DomainRowFragment; list: ReactNode }) {
  const { displayName, host, certificate, primary, verdict, addedAt, verifiedAt, redirect } = domain
  const project = useProjectSlug() ?? null
  const { issuer, notAfter, problem } = domain.certificateDetails ?? {}
  return (
    <>
      <PageHead title={displayName}>{list}</PageHead>
      <Facts
        title={t.thing.domainFacts}
        facts={[
          [t.thing.host, t.domains.hosts[host]],
          [t.thing.certificate, t.domains.certificates[certificate]],
          [t.thing.issuedBy, issuer],
          [t.thing.validUntil, notAfter && dateAndTime(notAfter)],
          [t.thing.problem, problem?.message],
          ['DNS', verdict?.message],
          [t.thing.primary, primary ? t.thing.yes : t.thing.no],
          [t.thing.redirectsTo, redirect && `${redirect.to} (${redirect.status})`],
          [t.thing.added, dateAndTime(addedAt)],
          [t.thing.verified, verifiedAt && dateAndTime(verifiedAt)],
        ]}
      />
      <section className="card stack-tight" aria-labelledby="records-title">
        <h2 id="records-title">{t.thing.dnsRecords}</h2>
        <RecordsToCreate domain={domain} />
        <p className="small">
          <Link to={{ page: 'settings/domains', project }}>{t.thing.verifyOrRemoveItUnder}</Link>
        </p>
      </section>
      <Managed subject={`domain:${domain.name}`} />
    </>
  )
}
