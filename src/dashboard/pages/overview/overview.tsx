import { useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useSession } from '../../app/session.ts'
import { OverviewDocument } from '../../generated/graphql.ts'
import { t } from '../../texts/index.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { part } from '../../ui/part.tsx'
import { Failed } from '../../ui/states.tsx'
import { endsSoonBefore } from '../keys/warned-before.ts'
import { DeprecatedCalls } from './deprecated-calls.tsx'
import { LimitsOfProject, OwnLimits } from './limits.tsx'
import { TryIt } from './try-it.tsx'
import { UsageCard } from './usage-card.tsx'

// Load the code on demand: the first page load must stay small, and there is seldom anything to show.
const Attention = part(async () => ({ default: (await import('./attention.tsx')).Attention }))
const DomainsInTrouble = part(() => import('./domains-in-trouble.tsx'))

export function Overview() {
  const { operator } = useSession()
  const slug = useProjectSlug() ?? null
  const [endsBefore] = useState(endsSoonBefore)
  const [{ data, error }] = useLiveQuery({
    query: OverviewDocument,
    variables: { project: slug, endsBefore },
  })
  const project = data?.project
  return (
    <>
      <PageHead
        title={t.overview.overview}
        actions={project && <Badge tone="plain">{t.overview.namePlan(project.plan.name)}</Badge>}
      >
        {project ? t.overview.nameAtGlance(project.name) : ' '}
      </PageHead>
      <div className="stack loose">
        {error && !data && <Failed error={error} what={t.overview.projectCouldNotBeLoaded} />}
        {project?.suspended && (
          <Notice tone="bad" title={t.overview.thisProjectIsSuspended}>
            <p>{t.overview.itsApiKeysAreRefused}</p>
          </Notice>
        )}
        {project && project.domainWarnings.length > 0 && (
          <DomainsInTrouble warnings={project.domainWarnings} />
        )}
        <Attention />
        {operator ? <LimitsOfProject news={project} /> : <OwnLimits news={project} />}
        <UsageCard />
        {project && <DeprecatedCalls news={project} />}
        {project && !operator && <TryIt baseUrl={project.baseUrl} />}
      </div>
    </>
  )
}
