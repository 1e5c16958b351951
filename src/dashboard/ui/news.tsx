import { useEffect, useState } from 'react'
import { type StreamedEvent, useEvents } from '../app/event-stream.ts'
import { isOwnChange, onOwnChange } from '../app/own-changes.ts'
import { number } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { Button } from './button.tsx'

type Props = {
  types: readonly string[]
  /** True if the list would show this pet or order. */
  isListed(data: Record<string, unknown>): boolean
  /** Ids of the listed rows. A change of a listed row is counted even if the row then leaves the list. */
  shown: readonly string[]
  show(): void
}

/** Counts the changes that others make to an open list, from the stream of events. A click shows them. */
export function News({ types, isListed, shown, show }: Props) {
  const [events, setEvents] = useState<readonly StreamedEvent[]>([])
  // The event of an own change may arrive before the answer to the mutation.
  useEffect(() => onOwnChange(() => setEvents(before => before.filter(isByOther))), [])
  useEvents('events_read', `type=${types}`, {
    // Drop the counted changes, because the list is read again when the tab becomes visible.
    onVisible: () => setEvents([]),
    onEvent: event => {
      if (isByOther(event)) setEvents(before => [...before, event])
    },
  })
  const others = events.filter(
    ({ subject, data }) => subject === undefined || shown.includes(subject) || isListed(data),
  )
  const single = new Set(others.flatMap(({ subject }) => subject ?? [])).size
  const many = others.reduce((sum, { subject, data }) => sum + (subject ? 0 : Number(data.count ?? 1)), 0)
  const count = single + many
  const act = () => {
    setEvents([])
    show()
  }
  return (
    <div role="status">
      {count > 0 && (
        <Button className="news" onClick={act}>
          {t.ui.countChangedByOthersShow(number(count))}
        </Button>
      )}
    </div>
  )
}

const isByOther = ({ subject }: StreamedEvent) => subject === undefined || !isOwnChange(subject)
