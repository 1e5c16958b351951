import type { ReactNode } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { PageHead } from '../../ui/page.tsx'
import { dateAndTime } from '../../ui/time.tsx'
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
        title="Domain"
        facts={[
          ['Host', host.replaceAll('_', ' ')],
          ['Certificate', certificate.replaceAll('_', ' ')],
          ['Issued by', issuer],
          ['Valid until', notAfter && dateAndTime(notAfter)],
          ['Problem', problem?.message],
          ['DNS', verdict?.message],
          ['Primary', primary ? 'Yes' : 'No'],
          ['Redirects to', redirect && `${redirect.to} (${redirect.status})`],
          ['Added', dateAndTime(addedAt)],
          ['Verified', verifiedAt && dateAndTime(verifiedAt)],
        ]}
      />
      <section className="card stack-tight" aria-labelledby="records-title">
        <h2 id="records-title">DNS records</h2>
        <RecordsToCreate domain={domain} />
        <p className="small">
          <Link to={{ page: 'settings/domains', project }}>Verify or remove it under Domains</Link>
        </p>
      </section>
      <Managed subject={`domain:${domain.name}`} />
    </>
  )
}
