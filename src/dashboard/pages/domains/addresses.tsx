import { useState } from 'react'
import { useDraft } from '../../app/draft.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useMutation, useQuery } from '../../app/operations.ts'
import { useProjectId, useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import {
  CurrentConfigurationDocument,
  DeployDocument,
  type DomainRowFragment,
  DomainsDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { GlobeIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Restored } from '../../ui/restored.tsx'
import { SettingsHead } from '../../ui/settings-head.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { DeployLog } from '../deploys/deploy-log.tsx'
import { useLatestConfiguration } from '../deploys/latest-configuration.ts'
import { type Draft, draftOf, without } from './address-draft.ts'

type Edit = {
  draft: Draft | null
  /**
   * The published addresses when the reader began to edit; null before the first edit. If somebody else has published
   * other addresses since, the next attempt to publish stops, and `seen` becomes these newer addresses.
   */
  seen: Draft | null
  /** Domains that were chosen to redirect, but may not have a target yet. */
  opened: readonly string[]
}
const statuses = [301, 302, 307, 308]

/** Edits a draft of the primary domain and the redirects. A deploy publishes it. */
export default function AddressesPage() {
  const missing = useMissing('project_write')
  const project = useProjectSlug() ?? null
  const [{ data, error }] = useLiveQuery({ query: DomainsDocument, variables: { project } })
  const domains = data?.project.domains.nodes
  return (
    <>
      <SettingsHead part="settings/addresses" />
      {error && !domains ? (
        <Failed error={error} what={t.domains.domainsCouldNotBeLoaded} />
      ) : !domains ? (
        <Loading lines={5} />
      ) : domains.length === 0 ? (
        <div className="card">
          <Empty icon={<GlobeIcon size={36} />} title={t.domains.noDomainYet}>
            <p>{t.domains.onceProjectHasDomainsOne}</p>
            <Link to={{ page: 'settings/domains', project }}>{t.domains.goToDomains}</Link>
          </Empty>
        </div>
      ) : (
        <Addresses domains={domains} missing={missing} />
      )}
    </>
  )
}

function Addresses({ domains, missing }: { domains: DomainRowFragment[]; missing: string | null }) {
  const project = useProjectSlug() ?? null
  const projectId = useProjectId()
  const [{ data, error }] = useQuery({ query: CurrentConfigurationDocument, variables: { project } })
  const [{ fetching, error: refused, data: published }, deploy] = useMutation(DeployDocument)
  const announce = useAnnounce()
  const { readLatest, isReading, unread } = useLatestConfiguration()
  const [edit, setEdit, editState, latestEdit] = useDraft<Edit>('addresses', () => ({
    ...{ draft: null, seen: null, opened: [] },
  }))
  const { draft, seen, opened } = edit
  const [isReplaced, setIsReplaced] = useState(false)
  if (error && !data) return <Failed error={error} what={t.domains.configurationCouldNotBeLoaded} />
  if (!data) return <Loading />

  const current = data.project.currentDeploy?.configuration
  const live = draftOf(current?.domains)
  const shown = draft ?? live
  const names = domains.map(domain => domain.name)
  const others = names.filter(name => name !== shown.primary)
  const isOpen = (name: string) => name in shown.redirects || name in live.redirects || opened.includes(name)
  const busy = fetching || isReading
  const changed = draft !== null && JSON.stringify(draft) !== JSON.stringify(live)

  const change = (changes: Partial<Draft>) => {
    setEdit({ ...edit, seen: seen ?? live, draft: { ...shown, ...changes } })
  }
  const startOver = () => {
    editState.startOver()
    setIsReplaced(false)
  }
  const choosePrimary = (primary: string) => change({ primary, redirects: without(shown.redirects, primary) })
  const redirect = (from: string, to: string, status: number) =>
    change({
      redirects: to === '' ? without(shown.redirects, from) : { ...shown.redirects, [from]: { to, status } },
    })

  const publish = async () => {
    if (busy || !changed) return
    const read = await readLatest()
    if (!read) return
    const latest = read.configuration
    const latestDomains = draftOf(latest?.domains)
    const isOutdated = JSON.stringify(latestDomains) !== JSON.stringify(seen ?? live)
    setIsReplaced(isOutdated)
    if (isOutdated) return setEdit({ ...latestEdit(), seen: latestDomains })
    const redirects = Object.entries(shown.redirects).map(([from, target]) => ({ from, ...target }))
    const input = {
      projectId,
      title: latest?.title ?? null,
      description: latest?.description ?? null,
      domains: { primary: shown.primary || null, redirects, httpsRedirectStatus: shown.httpsRedirectStatus },
    }
    const { data: answer } = await deploy({ input }, { additionalTypenames: ['Deploy', 'Domain', 'Project'] })
    if (answer?.deployCreate.deploy.state !== 'succeeded') return
    const latestChoices = latestEdit()
    // Keep the choices that the reader made while these were being published.
    if (JSON.stringify(latestChoices) === JSON.stringify(edit)) startOver()
    else setEdit({ ...latestChoices, seen: draftOf(answer.deployCreate.deploy.configuration.domains) })
    announce(t.domains.publishedAddressesAreInService)
  }
  return (
    <section className="card stack" aria-labelledby="addresses-title">
      <div>
        <h2 id="addresses-title">{t.domains.primaryAndRedirects}</h2>
        <p className="small soft">{t.domains.deployPublishesThemWithinSecond}</p>
      </div>
      <Restored {...editState} startOver={startOver} />
      <Choice
        label={t.domains.primaryDomain}
        value={shown.primary}
        onChange={event => choosePrimary(event.target.value)}
        aria-disabled={missing !== null}
      >
        <option value="">{t.domains.automaticFirstLiveDomain}</option>
        {names.map(name => (
          <option key={name}>{name}</option>
        ))}
      </Choice>
      {others.filter(isOpen).map(name => {
        const { to = '', status = 301 } = shown.redirects[name] ?? {}
        const targets = names.filter(target => target !== name && !(target in shown.redirects))
        return (
          <div className="redirect" key={name}>
            <Choice label={name} value={to} onChange={event => redirect(name, event.target.value, status)}>
              <option value="">{t.domains.servesThisProjectNoRedirect}</option>
              {[...new Set([...targets, ...(to ? [to] : [])])].map(target => (
                <option key={target} value={target}>
                  {t.domains.redirectsToTarget(target)}
                </option>
              ))}
            </Choice>
            <Choice
              label={t.domains.redirectType}
              aria-label={t.domains.redirectTypeOfName(name)}
              value={status}
              disabled={to === ''}
              onChange={event => redirect(name, to, Number(event.target.value))}
            >
              {statuses.map(code => (
                <option key={code}>{code}</option>
              ))}
            </Choice>
          </div>
        )
      })}
      {!others.every(isOpen) && (
        <Choice
          label={t.domains.redirectAnotherDomain}
          value=""
          onChange={({ target }) => setEdit({ ...edit, opened: [...opened, target.value] })}
          hint={t.domains.domainsWithoutRedirectServeThis}
        >
          <option value="">{t.domains.chooseDomain}</option>
          {others
            .filter(name => !isOpen(name))
            .map(name => (
              <option key={name}>{name}</option>
            ))}
        </Choice>
      )}
      <Choice
        label={t.domains.statusOfRedirectsFromHttp}
        value={shown.httpsRedirectStatus}
        onChange={event => change({ httpsRedirectStatus: Number(event.target.value) })}
        aria-disabled={missing !== null}
      >
        {statuses.map(code => (
          <option key={code}>{code}</option>
        ))}
      </Choice>
      {isReplaced && (
        <Notice tone="wait" title={t.domains.someoneElsePublished} alert>
          <p>{t.domains.publishAgainOrDiscard}</p>
        </Notice>
      )}
      {unread && <Failed error={unread} what={t.domains.configurationCouldNotBeLoaded} />}
      {refused && <Failed error={refused} what={t.domains.deployWasRefused} />}
      {published?.deployCreate.deploy.state === 'failed' && (
        <Notice tone="bad" title={t.domains.deployFailedAndChangedNothing} alert>
          <DeployLog lines={published.deployCreate.deploy.log} />
        </Notice>
      )}
      <div className="row">
        <Button
          kind="primary"
          missing={missing}
          busy={busy}
          aria-disabled={!changed || undefined}
          onClick={publish}
        >
          {busy ? t.domains.publishing : t.domains.publish}
        </Button>
        {changed ? (
          <Button onClick={startOver}>{t.domains.discard}</Button>
        ) : (
          <span className="small soft">{t.domains.nothingToPublish}</span>
        )}
      </div>
    </section>
  )
}
