import { runPieceInTurn } from '../../database/pieces.ts'
import type { Statements } from '../../database/statements.ts'
import type { Places } from '../../limiter/places.ts'
import { StoreError } from '../errors.ts'
import type { Caller } from '../keys/caller.ts'
import { projectStreamsOf, streamsOf } from '../projects/plans.ts'
import type { Events } from './events.ts'
import { type EventFilter, type EventsQuery, type EventsRead, findNewestEvent, readEvents } from './log.ts'
import { type EventPosition, eventId, logStart } from './position.ts'
import { wantedBy } from './wanted-events.ts'

export type StreamTools = { database: Statements; events: Events; places: Places }

/** The conditions under which a stream stays open. REST and GraphQL provide them for each stream. */
export type StreamTerms = {
  /** Aborted when the client is gone. */
  gone: AbortSignal
  /**
   * Returns false if the process shuts down, or if the key or the requested host is no longer valid. The stream must
   * then end.
   */
  mayGoOn(): Promise<boolean>
  /**
   * Charges for another page, as each page of the list of events is charged. Otherwise one request would pay for
   * reading the whole log.
   */
  paysForMore(): Promise<boolean>
}

/** `from` is the position at which the stream begins. After 15 s without an event, `pages` yields an empty page. */
export type EventStream = { from: EventPosition; pages: AsyncGenerator<EventsRead, void> }

const readAtOnce = 100
const tickMs = 1_000
export const quietMs = 15_000
const longestMs = 60 * 60_000
/**
 * The most milliseconds of writing a page that count as work of the stream. While other projects are at work, the
 * stream rests in proportion to its work. If a write takes longer, the remaining time does not count, because in the
 * remaining time the stream only waits for a slow client.
 */
const longestWritingMs = 10

/**
 * Opens a stream of a project's events, which begins after `after` or now. It ends after an hour, or as soon as
 * its terms no longer hold. The client then connects again with its last event's id and misses nothing.
 */
export async function openEventStream(
  { database, events, places }: StreamTools,
  caller: Caller,
  query: Omit<EventsQuery, 'limit'>,
  terms: StreamTerms,
): Promise<EventStream> {
  const { gone } = terms
  const { project } = caller
  const isWanted = wantedBy(query)
  const giveBack = await takePlaces(places, caller)
  // Listen before the first read. Otherwise an event just after that read would only be sent with the next event.
  let isRung = false
  let ring = () => {}
  const wake = () => {
    isRung = true
    ring()
  }
  const unfollow = events.follow(project.id, wake)
  const end = () => {
    unfollow()
    giveBack()
    wake()
  }
  gone.addEventListener('abort', end, { once: true })
  try {
    const from = query.after ?? (await findNewestEvent(database, project, query.kind)) ?? logStart
    const first = await readAfter(from)
    if (gone.aborted) end()
    return { from, pages: follow(from, first) }
  } catch (error) {
    end()
    throw error
  }

  async function* follow(from: EventPosition, first: EventsRead): EventStream['pages'] {
    const endsAt = performance.now() + longestMs
    const mayGoOn = async () => !gone.aborted && performance.now() < endsAt && (await terms.mayGoOn())
    let quietUntil = performance.now() + quietMs
    let position = from
    let page = first
    let writingMs = 0
    try {
      while (await mayGoOn()) {
        position = page.reached ?? position
        if (page.events.length > 0) {
          const beganAt = performance.now()
          quietUntil = beganAt + quietMs
          yield page
          writingMs = Math.min(performance.now() - beganAt, longestWritingMs)
        }
        if (page.hasMore && !(await terms.paysForMore())) return
        if (!page.hasMore) {
          while (!isRung && (await mayGoOn())) {
            await untilRung()
            if (isRung || performance.now() < quietUntil) continue
            quietUntil = performance.now() + quietMs
            yield { events: [], hasMore: false, reached: position }
          }
          isRung = false
        }
        if (!(await mayGoOn())) return
        page = await (page.hasMore ? readInTurn(position, writingMs) : readNew(position))
      }
    } finally {
      end()
    }
  }

  /**
   * Reads new events for a stream that has read all earlier events. All such streams of a project are at the same
   * position, so they share one read without a filter, and each stream filters the result.
   */
  async function readNew(after: EventPosition): Promise<EventsRead> {
    const page = await readAfter(after, { kind: query.kind ?? null, types: null, subject: null })
    if (!isWanted) return page
    // The stream pays only for pages of its filter, so it must not read on in pages of all events.
    if (page.hasMore) return readInTurn(after)
    return { ...page, events: page.events.filter(isWanted) }
  }

  /**
   * If the project has many new events, each of its streams has many pages to read. Therefore the streams of a project
   * take turns: only one of these streams reads a further page at a time.
   */
  function readInTurn(after: EventPosition, writingMs = 0): Promise<EventsRead> {
    return runPieceInTurn(project.id, () => readAfter(after), writingMs)
  }

  function readAfter(after: EventPosition, filter: EventFilter = query): Promise<EventsRead> {
    const name = JSON.stringify({ ...filter, after: eventId(after) })
    return events.share(project.id, name, () =>
      readEvents(database, project, { ...filter, after, limit: readAtOnce }),
    )
  }

  async function untilRung(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(done => {
      ring = done
      timer = setTimeout(done, tickMs)
    })
    clearTimeout(timer)
  }
}

/** Takes a place of the key's and one of the project's. Returns the function that gives both back. */
async function takePlaces(places: Places, { project, key }: Caller): Promise<() => void> {
  const ofKey = streamsOf(project.planName)
  const giveBackOfKey = await places.take(`key:${key.id}`, ofKey)
  if (!giveBackOfKey) throw tooMany('API key', ofKey)
  const ofProject = projectStreamsOf(project.planName)
  const giveBackOfProject = await places.take(`project:${project.id}`, ofProject)
  if (!giveBackOfProject) {
    giveBackOfKey()
    throw tooMany('project', ofProject)
  }
  return () => {
    giveBackOfKey()
    giveBackOfProject()
  }
}

const tooMany = (owner: string, most: number) =>
  new StoreError('rate_limited', `This ${owner} has ${most} streams open already; close one first.`, {
    retryAfterSeconds: 10,
  })
