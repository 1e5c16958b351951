import { useId, useState } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link, useRouter } from '../../app/router.tsx'
import type { ActivityRowFragment } from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { firstPage } from '../../ui/filter.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { MoreRow } from '../../ui/more-row.tsx'
import { Ago } from '../../ui/time.tsx'
import { actWords } from './acts.ts'
import { changesOf, nameOf, placeOf } from './entry.ts'

type Props = { entry: ActivityRowFragment; isOfAll: boolean }

/**
 * One entry of the audit log. A click unfolds the entry and shows the changed fields and the request that made the
 * change.
 */
export function EntryRow({ entry, isOfAll }: Props) {
  const { type, at, actor, projectSlug } = entry
  const [isUnfolded, setIsUnfolded] = useState(false)
  const details = useId()
  return (
    <>
      <tr className={isUnfolded ? 'with-more' : ''}>
        <th scope="row" className="break">
          <button
            type="button"
            className="fold title"
            aria-expanded={isUnfolded}
            aria-controls={isUnfolded ? details : undefined}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            <ChevronIcon />
            <span>
              {actWords(type)} {nameOf(entry)}
            </span>
          </button>
          {isOfAll && projectSlug && <span className="small soft under">{projectSlug}</span>}
          <span className="small soft under narrow">
            {actor.name}, <Ago at={at} />
          </span>
        </th>
        <td className="wide break">
          <Actor actor={actor} />
        </td>
        <td className="small wide" title={dateAndTime(at)}>
          <Ago at={at} />
        </td>
      </tr>
      {isUnfolded && (
        <MoreRow id={details} columns={3} columnsOnNarrow={1}>
          <Details entry={entry} />
        </MoreRow>
      )}
    </>
  )
}

const kinds: Record<string, string> = {
  api_key: t.activity.apiKey,
  person: t.activity.person,
  operator: t.activity.operator,
  system: t.activity.service,
  anonymous: t.activity.anonymous,
  database: t.activity.database,
}

/** The actor's name. A click filters the list by this actor. */
function Actor({ actor: { type, id, name } }: Pick<ActivityRowFragment, 'actor'>) {
  const { ask } = useRouter()
  return (
    <>
      <button
        type="button"
        className="fold"
        aria-label={t.activity.onlyByName(name)}
        onClick={() => ask({ actor: `${type}:${id ?? name}`, ...firstPage })}
      >
        {name}
      </button>
      <span className="small soft under">{kinds[type] ?? type}</span>
    </>
  )
}

const doors: Record<string, string> = { rest: 'REST', graphql: 'GraphQL', mcp: 'MCP' }

function Details({ entry }: { entry: ActivityRowFragment }) {
  const { type, at, actor, door, address, requestId, subject, projectSlug, data } = entry
  const chosen = useProjectSlug() ?? null
  const { ask } = useRouter()
  const place = placeOf(entry, chosen)
  const changes = changesOf(entry)
  return (
    <div className="stack-tight">
      {changes.length > 0 && (
        <ul aria-label={t.activity.changes}>
          {changes.map(({ field, before, after }) => (
            <li key={field} className="break">
              {t.activity.change(<span className="mono small">{field}</span>, before, after)}
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <dt>{t.activity.time}</dt>
        <dd>{dateAndTime(at)}</dd>
        <dt>{t.activity.by}</dt>
        <dd>
          {actor.name} ({kinds[actor.type] ?? actor.type})
        </dd>
        <dt>{t.activity.type}</dt>
        <dd className="mono">{type}</dd>
        {projectSlug && (
          <>
            <dt>{t.activity.project}</dt>
            <dd>{projectSlug}</dd>
          </>
        )}
        {door && (
          <>
            <dt>{t.activity.over}</dt>
            <dd>{doors[door] ?? door}</dd>
          </>
        )}
        {address && (
          <>
            <dt>{t.activity.address}</dt>
            <dd className="mono">{address}</dd>
          </>
        )}
        {requestId && (
          <>
            <dt>{t.activity.request}</dt>
            <dd className="mono">{requestId}</dd>
          </>
        )}
      </dl>
      <div className="row">
        {place && <Link to={place}>{t.activity.pageOfEntry(nameOf(entry))}</Link>}
        {subject && (
          <Button kind="quiet" onClick={() => ask({ subject, ...firstPage })}>
            {t.activity.itsHistory}
          </Button>
        )}
      </div>
      <details>
        <summary>JSON</summary>
        <div className="code">
          <pre>
            <code>{JSON.stringify(data, null, 2)}</code>
          </pre>
        </div>
      </details>
    </div>
  )
}
