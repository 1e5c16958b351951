import { useActFromAddress } from '../../app/act-from-address.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { type DomainRowFragment, DomainsDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { GlobeIcon, PlusIcon } from '../../ui/icons.tsx'
import { SettingsHead } from '../../ui/settings-head.tsx'
import { useSorted } from '../../ui/sort.ts'
import { SortBy } from '../../ui/sort-by.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { AddDomain } from './add-domain.tsx'
import { DomainCard } from './domain-card.tsx'
import { Preconditions, usePreconditions } from './preconditions.tsx'
import { RemoveDomain } from './remove-domain.tsx'
import { certificateStates, hostStates, pollEveryMs } from './states.ts'

type Doing =
  | { act: 'add'; partner?: { name: string; of: string } }
  | { act: 'remove'; domain: DomainRowFragment }

const orders = [
  { value: 'name', label: t.domains.byName },
  { value: 'newest', label: t.domains.newestFirst },
  { value: 'trouble', label: t.domains.troubleFirst },
] as const
const urgency = { bad: 0, wait: 1, still: 2, good: 3 }
const sorts = {
  newest: ({ addedAt }: DomainRowFragment) => -Date.parse(addedAt),
  trouble: ({ host, certificate }: DomainRowFragment) =>
    Math.min(urgency[hostStates[host].tone], urgency[certificateStates[certificate].tone]),
}

export default function Domains() {
  const missing = useMissing('project_write')
  const [doing, setDoing, close] = useDialog<Doing>()
  const project = useProjectSlug() ?? null
  const preconditions = usePreconditions()
  const [{ data, error }, ask] = useLiveQuery(
    { query: DomainsDocument, variables: { project }, context: additional },
    ({ project: { domains } }) => pollEveryMs(domains.nodes),
  )
  const ready = preconditions.data?.project.domainPreconditions.met ?? false
  const domains = data?.project.domains.nodes
  const sorted = useSorted(domains ?? [], sorts)
  useActFromAddress('add', () => setDoing({ act: 'add' }))
  const add = (
    <Button
      kind="primary"
      missing={missing}
      aria-disabled={!ready || undefined}
      onClick={() => setDoing({ act: 'add' })}
    >
      <PlusIcon /> {t.domains.addDomain}
    </Button>
  )
  const unfolded = useUnfolded(domains?.length ?? 0)
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <>
      <SettingsHead part="settings/domains" />
      <section className="stack loose" aria-labelledby="domains-title">
        <div className="head">
          <div>
            <h2 id="domains-title">{t.domains.domains}</h2>
            <p className="soft small">{t.domains.publishProjectAtYourOwn}</p>
          </div>
          {add}
        </div>
        <Preconditions {...preconditions} hasDomains={(domains?.length ?? 0) > 0} />
        {error && !domains ? (
          <Failed error={error} retry={again} what={t.domains.domainsCouldNotBeLoaded} />
        ) : !domains ? (
          <Loading lines={6} />
        ) : domains.length === 0 ? (
          <div className="card">
            <Empty icon={<GlobeIcon size={36} />} title={t.domains.noDomainYet}>
              <p>{t.domains.chooseAddDomainCreateDns}</p>
            </Empty>
          </div>
        ) : (
          <>
            <Outdated error={error} retry={again} />
            {domains.length > 1 && (
              <search className="filters">
                <SortBy options={orders} />
              </search>
            )}
            <div className="card flush menus domains">
              {sorted.map(domain => (
                <DomainCard
                  key={domain.id}
                  domain={domain}
                  open={unfolded.isOpen(domain.name)}
                  onToggle={() => unfolded.toggle(domain.name)}
                  missing={missing}
                  onRemove={() => setDoing({ act: 'remove', domain })}
                  onAddPartner={name => setDoing({ act: 'add', partner: { name, of: domain.name } })}
                />
              ))}
            </div>
          </>
        )}
      </section>
      {doing?.act === 'add' && <AddDomain known={domains ?? []} partner={doing.partner} onClose={close} />}
      {doing?.act === 'remove' && <RemoveDomain domain={doing.domain} onClose={close} />}
    </>
  )
}

/** Reads from the URL which domains are expanded. A single domain is expanded unless the reader collapses it. */
function useUnfolded(domains: number) {
  const { query, ask } = useRouter()
  const open = query.getAll('open')
  const isAlone = domains === 1
  const isOpen = (name: string) => (isAlone ? !query.has('folded') : open.includes(name))
  return {
    isOpen,
    toggle(name: string) {
      if (isAlone) return ask({ folded: isOpen(name) ? 'yes' : null }, 'replace')
      ask({ open: isOpen(name) ? open.filter(other => other !== name) : [...open, name] }, 'replace')
    },
  }
}

// urql loads a list again after a mutation if the list's answer and the mutation's answer contain a common type. The
// answer of an empty list contains no type, so name the list's types here.
const additional = { additionalTypenames: ['Domain', 'Deploy'] }
