import type { DomainCertificateState, DomainHostState } from '../../../generated/contract.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { AllDomainsDocument } from '../../generated/pages/graphql.ts'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { GlobeIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { certificateStates, hostStates } from '../domains/states.ts'
import { AllDomainsTable } from './all-domains-table.tsx'

type Option<State> = { value: State | ''; label: string }

const hosts: Option<DomainHostState>[] = [{ value: '', label: 'All host states' }, ...optionsOf(hostStates)]
const certificates: Option<DomainCertificateState>[] = [
  { value: '', label: 'Every certificate' },
  ...optionsOf(certificateStates),
]

export default function AllDomains() {
  const { query } = useRouter()
  const paging = usePaging()
  const name = query.get('search')
  const host = useFilter('host', valuesOf(hosts))
  const certificate = useFilter('certificate', valuesOf(certificates))
  const variables = {
    first: 50,
    after: paging.after,
    name,
    host: host || null,
    certificate: certificate || null,
  }
  const [{ data, error }, ask] = useLiveQuery({ query: AllDomainsDocument, variables, context })
  const again = () => ask({ requestPolicy: 'network-only' })
  const domains = data?.domains.nodes
  const isFiltered = Boolean(name) || host !== '' || certificate !== ''
  return (
    <>
      <PageHead title="Domains">
        The custom domains of all projects. Each links to its project’s page.
      </PageHead>
      <div className="stack">
        <search className="filters">
          <Search label="Search by name" />
          <Filter label="Host" name="host" options={hosts} />
          <Filter label="Certificate" name="certificate" options={certificates} />
        </search>
        {error && !domains ? (
          <Failed error={error} retry={again} what="The domains could not be loaded" />
        ) : !domains ? (
          <Loading lines={6} />
        ) : domains.length === 0 ? (
          <div className="card">
            <Empty
              icon={<GlobeIcon size={34} />}
              title={isFiltered ? 'No domains match your search' : 'No domain yet'}
            >
              <p>
                {isFiltered
                  ? 'Change the search or a filter to see others.'
                  : 'Here are the domains that projects add.'}
              </p>
            </Empty>
          </div>
        ) : (
          <>
            <Outdated error={error} retry={again} />
            <AllDomainsTable domains={domains} />
            <Pager paging={paging} info={data.domains.pageInfo} />
          </>
        )}
      </div>
    </>
  )
}

function optionsOf<State extends string>(states: Record<State, { label: string }>): Option<State>[] {
  return (Object.keys(states) as State[]).map(value => ({ value, label: states[value].label }))
}

function valuesOf<State extends string>(options: readonly Option<State>[]) {
  return options.map(({ value }) => value)
}

const context = { additionalTypenames: ['Domain'] }
