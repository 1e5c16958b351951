import { useRouter } from '../../app/router.tsx'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { firstPage } from '../../ui/filter.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { actGroups, groups, typesOf } from './acts.ts'

const actors = [
  ['', t.activity.byAnybody],
  ['person', t.activity.byPeople],
  ['api_key', t.activity.byApiKeys],
  ['operator', t.activity.byOperators],
  ['system', t.activity.byService],
  ['database', t.activity.inDatabase],
  ['anonymous', t.activity.byAnonymousReports],
] as const

/** The filters in the address, as variables of the query. Days are those of the reader's time zone. */
export function useActivityFilters() {
  const { query } = useRouter()
  const [from, to] = [query.get('from'), query.get('to')]
  return {
    actor: query.get('actor'),
    types: typesOf(query.get('type')),
    subject: query.get('subject'),
    since: startOf(from, 0),
    until: startOf(to, 1),
  }
}

function startOf(day: string | null, later: number): string | null {
  if (!day || !/^\d{4}-\d\d-\d\d$/.test(day)) return null
  const start = new Date(`${day}T00:00:00`)
  if (Number.isNaN(start.getTime())) return null
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

/** `actorName`: the name of the chosen actor. The URL holds only the actor's id. */
export function ActivityFilters({ actorName }: { actorName: string | null }) {
  const { query, ask } = useRouter()
  const actor = query.get('actor') ?? ''
  const subject = query.get('subject')
  const isOne = actor.includes(':')
  const change = (name: string) => (event: { target: { value: string } }) =>
    ask({ [name]: event.target.value || null, ...firstPage })
  return (
    <search className="filters">
      <select className="input filter" aria-label={t.activity.actor} value={actor} onChange={change('actor')}>
        {actors.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {isOne && <option value={actor}>{t.activity.byActorName(actorName ?? actor)}</option>}
      </select>
      <select
        className="input filter"
        aria-label={t.activity.type}
        value={query.get('type') ?? ''}
        onChange={change('type')}
      >
        <option value="">{t.activity.allTypes}</option>
        {groups.map(group => (
          <optgroup key={group} label={actGroups[group].title}>
            <option value={group}>{t.activity.titleAll(actGroups[group].title)}</option>
            {Object.keys(actGroups[group].acts).map(type => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <label className="dated">
        <span className="small soft">{t.activity.fromDay}</span>
        <input
          className="input filter"
          type="date"
          value={query.get('from') ?? ''}
          onChange={change('from')}
        />
      </label>
      <label className="dated">
        <span className="small soft">{t.activity.toDay}</span>
        <input className="input filter" type="date" value={query.get('to') ?? ''} onChange={change('to')} />
      </label>
      {subject && (
        <Button
          onClick={() => ask({ subject: null, ...firstPage })}
          aria-label={t.activity.stopFilteringBySubject(subject)}
        >
          <span className="mono small clip">{subject}</span> <CloseIcon />
        </Button>
      )}
    </search>
  )
}
