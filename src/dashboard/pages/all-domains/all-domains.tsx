import type { DomainCertificateState, DomainHostState } from '../../../generated/contract.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { AllDomainsDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { GlobeIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { NoRows, Pager, usePaging } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { certificateStates, hostStates } from '../domains/states.ts'
import { AllDomainsTable } from './all-domains-table.tsx'

type Option<State> = { value: State | ''; label: string }

const hosts: Option<DomainHostState>[] = [
  { value: '', label: t.allDomains.allHostStates },
  ...optionsOf(hostStates),
]
const certificates: Option<DomainCertificateState>[] = [
  { value: '', label: t.allDomains.everyCertificate },
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
  const [{ data, error, isEarlier }, ask] = useLiveQuery({ query: AllDomainsDocument, variables, context })
  const again = () => ask({ requestPolicy: 'network-only' })
  const domains = data?.domains.nodes
  const isFiltered = Boolean(name) || host !== '' || certificate !== ''
  return (
    <>
      <PageHead title={t.allDomains.domains}>{t.allDomains.customDomainsOfAllProjects}</PageHead>
      <div className="stack">
        <search className="filters">
          <Search label={t.allDomains.searchByName} />
          <Filter label={t.allDomains.host} name="host" options={hosts} />
          <Filter label={t.allDomains.certificate} name="certificate" options={certificates} />
        </search>
        {error && !domains ? (
          <Failed error={error} retry={again} what={t.allDomains.domainsCouldNotBeLoaded} />
        ) : !domains ? (
          <Loading lines={6} />
        ) : (
          <>
            <Outdated error={error} retry={again} />
            {domains.length > 0 ? (
              <AllDomainsTable domains={domains} />
            ) : (
              <NoRows isEmptied={paging.page > 1}>
                <Empty
                  icon={<GlobeIcon size={34} />}
                  title={isFiltered ? t.allDomains.noDomainsMatchYourSearch : t.allDomains.noDomainYet}
                >
                  <p>
                    {isFiltered ? t.allDomains.changeSearchOrFilterTo : t.allDomains.domainsThatProjectsAdd}
                  </p>
                </Empty>
              </NoRows>
            )}
            <Pager
              paging={paging}
              info={data.domains.pageInfo}
              isEarlier={isEarlier}
              count={domains.length}
            />
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
