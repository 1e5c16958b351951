import { useEffect, useState } from 'react'
import { askRest } from '../../app/rest.ts'
import { useMissing, useSession } from '../../app/session.ts'
import { Ago } from '../../ui/time.tsx'

type Event = {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  previous?: Record<string, unknown>
}

/** The events of a pet or an order, newest first. */
export function History({ subject }: { subject: string }) {
  const { key } = useSession()
  const isMissing = useMissing('events_read') !== null
  const [events, setEvents] = useState<Event[] | null>(null)
  useEffect(() => {
    if (isMissing) return
    const leave = new AbortController()
    const query = new URLSearchParams({ subject, limit: '100' })
    void askRest(key, `/v1/events?${query}`, { signal: leave.signal })
      .then(answer => answer.json())
      .then(
        (found: Event[]) => setEvents(found),
        // The page is complete without its history, so an error shows none.
        () => setEvents([]),
      )
    return () => leave.abort()
  }, [key, subject, isMissing])
  if (!events || events.length === 0) return null
  return (
    <section className="card stack-tight" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
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
function sentenceOf({ type, data, previous = {} }: Event): string {
  const [, act = ''] = type.split('.')
  const said = act.charAt(0).toUpperCase() + act.slice(1)
  const changes = Object.entries(previous)
    .filter(([field]) => act === 'updated' || field !== 'status')
    .filter(([field]) => !field.endsWith('At'))
    .map(([field, before]) => `${field} from ${before ?? 'not set'} to ${data[field] ?? 'not set'}`)
  return changes.length === 0 ? said : `${said}: ${changes.join(', ')}`
}
