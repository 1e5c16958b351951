import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing, useSession } from '../../app/session.ts'
import { ActivityDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { SettingsHead } from '../../ui/settings-head.tsx'
import { Failed, Loading, Outdated } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { EntryRow } from './entry-row.tsx'
import { ExportActivity } from './export-activity.tsx'
import { ActivityFilters, useActivityFilters } from './filters.tsx'

const pageSize = 50
const everyMs = 30_000
const columns = [[t.activity.what], [t.activity.who, 'col-l wide'], [t.activity.when, 'col-m wide']] as const

/** The audit log of a project or, for an operator without a project, of all projects. */
export default function Activity() {
  const missing = useMissing('project_read')
  const { operator } = useSession()
  const slug = useProjectSlug()
  const isOfAll = operator && slug === undefined
  return (
    <>
      {isOfAll ? (
        <PageHead title={t.activity.activity}>{t.activity.everythingThatChangedManagementOf}</PageHead>
      ) : (
        <SettingsHead part="settings/activity" />
      )}
      {missing === null ? (
        <Log isOfAll={isOfAll} />
      ) : (
        <MissingScope scope={missing} what={t.activity.activityInSentence} />
      )}
    </>
  )
}

function Log({ isOfAll }: { isOfAll: boolean }) {
  const slug = useProjectSlug() ?? null
  const filters = useActivityFilters()
  const { query } = useRouter()
  const paging = usePaging()
  const variables = { slug, first: pageSize, after: paging.after, ...filters }
  const isNewest = paging.page === 1
  const { since, until } = filters
  const isReversed = since !== null && until !== null && since >= until
  const [{ data, error, isEarlier }, ask] = useLiveQuery(
    { query: ActivityDocument, variables, pause: isReversed },
    () => (isNewest ? everyMs : null),
  )
  const again = () => ask({ requestPolicy: 'network-only' })
  const page = data?.auditLog
  const isFiltered = Object.values(filters).some(value => value !== null)
  const actor = query.get('actor')
  const named = page?.nodes.find(
    entry => `${entry.actor.type}:${entry.actor.id ?? entry.actor.name}` === actor,
  )
  return (
    <div className="stack">
      <div className="head">
        <p className="soft">{t.activity.everyChangeWithItsMaker}</p>
        {!isReversed && <ExportActivity filters={{ slug, ...filters }} />}
      </div>
      <ActivityFilters actorName={named?.actor.name ?? null} />
      {isReversed ? (
        <p className="card soft">{t.activity.fromIsAfterToChange}</p>
      ) : error && !page ? (
        <Failed error={error} retry={again} what={t.activity.activityCouldNotBeLoaded} />
      ) : !page ? (
        <Loading lines={7} />
      ) : (
        <>
          <Outdated error={error} retry={again} />
          {page.nodes.length === 0 && !page.pageInfo.hasNextPage ? (
            <p className="card soft">
              {isFiltered ? t.activity.noEntriesMatchTheseFilters : t.activity.nothingHasChangedSinceLog}
            </p>
          ) : (
            <Table columns={columns}>
              {page.nodes.map(entry => (
                <EntryRow key={entry.id} entry={entry} isOfAll={isOfAll} />
              ))}
            </Table>
          )}
          <Pager paging={paging} info={page.pageInfo} isEarlier={isEarlier} count={page.nodes.length} />
        </>
      )}
    </div>
  )
}
