import { Link } from '../../app/router.tsx'
import type { AllDomainsQuery } from '../../generated/pages/graphql.ts'
import { date } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Table } from '../../ui/table.tsx'
import { certificateTitles } from '../domains/certificate.tsx'
import { DomainName } from '../domains/lookalike.tsx'
import { certificateStates, hostStates } from '../domains/states.ts'
import { verdictTitles } from '../domains/verdict.tsx'

type Domain = NonNullable<AllDomainsQuery['domains']>['nodes'][number]

const hostAndCertificate = (
  <>
    {t.allDomains.host}
    <span className="narrow">{t.allDomains.certificate}</span>
  </>
)
const columns = [
  [t.allDomains.domain],
  [t.allDomains.project, 'col-l wide'],
  [hostAndCertificate, 'col-l'],
  [t.allDomains.certificate, 'col-m wide'],
  [t.allDomains.validUntil, 'col-l wide'],
] as const

export function AllDomainsTable({ domains }: { domains: Domain[] }) {
  return (
    <Table columns={columns}>
      {domains.map(domain => (
        <Row key={domain.id} domain={domain} />
      ))}
    </Table>
  )
}

function Row({ domain }: { domain: Domain }) {
  const { projectSlug, name, host, certificate, certificateDetails } = domain
  const problem = problemOf(domain)
  const { tone, label } = certificateStates[certificate]
  const certified = <Badge tone={tone}>{label}</Badge>
  return (
    <tr>
      <th scope="row" className="break">
        <Link to={{ page: 'settings/domains', project: projectSlug, query: { open: name } }}>
          <DomainName domain={domain} />
        </Link>
        {problem && <span className="small soft under">{problem}</span>}
        <span className="mono small soft under narrow">{projectSlug}</span>
      </th>
      <td className="break wide">
        <Link to={{ page: 'overview', project: projectSlug }}>{projectSlug}</Link>
      </td>
      <td>
        <Badge tone={hostStates[host].tone}>{hostStates[host].label}</Badge>
        <span className="narrow">{certified}</span>
      </td>
      <td className="wide">{certified}</td>
      <td className="wide">{certificateDetails?.notAfter ? date(certificateDetails.notAfter) : '–'}</td>
    </tr>
  )
}

/** Returns the domain's problem: that of its DNS record, or else that of its certificate. */
function problemOf({ verdict, certificateDetails }: Domain): string | null {
  if (verdict && verdict.code !== 'verified') return verdictTitles[verdict.code]
  const code = certificateDetails?.problem?.code
  return code ? certificateTitles[code] : null
}
