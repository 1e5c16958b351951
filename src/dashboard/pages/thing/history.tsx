import { useLiveQuery } from '../../app/live.ts'
import { useMissing } from '../../app/session.ts'
import { HistoryOfDocument, type HistoryOfQuery } from '../../generated/pages/graphql.ts'
import { partsOf } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Ago } from '../../ui/time.tsx'
import { useChanges } from './follow-changes.ts'

type Event = NonNullable<HistoryOfQuery['events']>['nodes'][number]

/** Query the events again after each change of a pet or an order. */
const context = { additionalTypenames: ['Pet', 'Order'] }

/** The newest events of a pet or an order, newest first. */
export function History({ subject }: { subject: string }) {
  const pause = useMissing('events_read') !== null
  const [{ data }] = useLiveQuery({ query: HistoryOfDocument, variables: { subject }, context, pause })
  useChanges('events_read', `subject=${subject}`)
  const events = data?.events.nodes ?? []
  // On an error show nothing: the page is complete without the history.
  if (events.length === 0) return null
  return (
    <section className="card stack-tight" aria-labelledby="history-title">
      <h2 id="history-title">{t.thing.history}</h2>
      <ol className="history">
        {events.toReversed().map(event => (
          <li key={event.id}>
            <span className="soft small">
              <Ago at={event.timestamp} />
            </span>
            <span className="break">{sentenceOf(event)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** "Updated: status from available to sold" */
function sentenceOf({ type, data, previous }: Event): string {
  const [, act = ''] = type.split('.')
  const said = t.thing.acts[act as keyof typeof t.thing.acts] ?? act
  const now = data as Record<string, unknown>
  const changes = Object.entries((previous ?? {}) as Record<string, unknown>)
    .filter(([field]) => act === 'updated' || field !== 'status')
    .filter(([field]) => !field.endsWith(t.thing.at))
    .map(([field, before]) =>
      t.thing.change(
        t.thing.fields[field as keyof typeof t.thing.fields] ?? field,
        inWords(field, before),
        inWords(field, now[field]),
      ),
    )
  return changes.length === 0 ? said : t.thing.actAndChanges(said, partsOf(changes))
}

const statuses: Record<string, string> = { ...t.pets.statuses, ...t.orders.statuses }

function inWords(field: string, value: unknown): string {
  const text = String(value ?? t.thing.notSetInSentence)
  return field === 'status' ? (statuses[text] ?? text) : text
}
