import { once } from 'node:events'
import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { eventJson, type StoreEvent } from '../core/events/event.ts'
import { findNewestEvent, readEvents } from '../core/events/log.ts'
import { type EventPosition, eventId } from '../core/events/position.ts'
import { parseEventsRequest } from '../core/events/rules.ts'
import type { Scope } from '../core/keys/api-keys.ts'
import { type Caller, holdsScope, scopeFor } from '../core/keys/caller.ts'
import { projectCharge } from '../core/projects/limits.ts'
import { bearerOf } from '../http/authenticate.ts'
import type { Drain } from '../http/drain.ts'
import { addHeader, sendHead } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import { acceptedOrRefused } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { readParameters } from './parameters.ts'

/** Open streams of one key in one process, by plan. */
const mostStreams: Record<string, number> = { free: 5, pro: 20, business: 100, enterprise: 100 }
const readAtOnce = 100
const tickMs = 1_000
const commentMs = 15_000
const longestMs = 60 * 60_000
/** Clients wait this long before they connect again. */
const retryMs = 2_000

/** The audit log shows who manages the project, so it needs the scope of managing. */
export const scopeOfKind = (kind: unknown): Scope =>
  kind === 'management' ? scopeFor.readAudit : scopeFor.listEvents

/** True if the client asks for a stream of events instead of a page. */
export const asksForStream = ({ method, headers }: Request): boolean =>
  method === 'GET' && /\btext\/event-stream\b/i.test(headers.accept ?? '')

/**
 * Sends events as server-sent events while they happen. A stream ends after an hour, when the process ends, or within a
 * second of its key's end; the client goes on elsewhere with Last-Event-ID and misses nothing.
 */
export function openEventStreams(tools: Tools, drain: Pick<Drain, 'isEnding' | 'doorShut'>) {
  const { database, events, callers } = tools
  const open = new Map<string, number>()

  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    const { project, key } = caller
    const asked = readAsked(request)
    const scope = scopeOfKind(asked.kind)
    if (response.closed) return
    const used = open.get(key.id) ?? 0
    if (used >= (mostStreams[project.planName] ?? 5)) throw tooMany(used)
    open.set(key.id, used + 1)
    response.on('close', () => {
      const left = (open.get(key.id) ?? 1) - 1
      if (left > 0) open.set(key.id, left)
      else open.delete(key.id)
    })

    let position = asked.after ?? (await findNewestEvent(database, project))
    if (response.closed) return
    // Listen before the first read, or an event between the two would wait for the next one.
    let isRung = false
    let ring = () => {}
    const unfollow = events.follow(project.id, () => {
      isRung = true
      ring()
    })
    response.on('close', unfollow)
    let next = await readEvents(database, project, { ...asked, after: position })
    beginStream(response, position)
    const endsAt = performance.now() + longestMs
    let commentAt = performance.now() + commentMs
    const mayGoOn = async () =>
      !response.closed &&
      performance.now() < endsAt &&
      !isClosing() &&
      (await isStillValid(request, caller, scope))

    try {
      while (await mayGoOn()) {
        position = next.reached ?? position
        await write(response, next.events.map(frameOf).join(''))
        if (next.events.length > 0) commentAt = performance.now() + commentMs
        // Otherwise one request would pay for reading the whole log.
        if (next.hasMore && !(await paysForMore(caller))) break
        if (!next.hasMore) {
          while (!isRung && (await mayGoOn())) {
            let timer: NodeJS.Timeout | undefined
            await new Promise<void>(done => {
              ring = done
              timer = setTimeout(done, tickMs)
            })
            clearTimeout(timer)
            if (isRung || performance.now() < commentAt) continue
            commentAt = performance.now() + commentMs
            await write(response, `:\n${markOf(position)}\n`)
          }
          isRung = false
        }
        next = await readEvents(database, project, { ...asked, after: position })
      }
    } catch (error) {
      // The client reads on from its last event: on another process, or when the database serves again.
      if (!database.outage.note(error) && !(error instanceof StoreError))
        tools.log.error({ error }, 'a stream of events ended')
    } finally {
      response.end()
    }
  }

  /** Charges another page, as the list does. A client that cannot pay goes on later from its last event. */
  async function paysForMore(caller: Caller): Promise<boolean> {
    const charge = projectCharge(caller, tools.config.ban, { store: 1, management: 0 })
    const decision = await acceptedOrRefused(tools.limiter.consume(charge.subject, charge.points, charge))
    return decision.outcome === 'accepted'
  }

  function isClosing(): boolean {
    return drain.isEnding() || drain.doorShut() !== null
  }

  async function isStillValid(request: Request, { project }: Caller, scope: Scope): Promise<boolean> {
    const now = await callers.find(bearerOf(request) ?? '')
    return now !== null && now.project.id === project.id && !now.project.suspended && holdsScope(now, scope)
  }
}

function readAsked(request: Request) {
  const parameters = ['after', 'kind', 'type', 'subject'] as const
  const { type, after, kind, subject } = readParameters(request.query, parameters)
  const last = request.headers['last-event-id']
  return parseEventsRequest(
    { limit: 'limit', type: 'type' },
    {
      limit: readAtOnce,
      kind,
      types: type === null ? null : type.split(','),
      // A client that connects again repeats its first query; its last event is the newer place.
      after: typeof last === 'string' && last !== '' ? last : after,
      subject,
    },
  )
}

/** Without data a client only remembers the id: it goes on from there, though no event came. */
const markOf = (position: EventPosition | null) => (position ? `id: ${eventId(position)}\n` : '')

function beginStream(response: Response, position: EventPosition | null): void {
  addHeader(response, 'Content-Type', 'text/event-stream; charset=utf-8')
  addHeader(response, 'Cache-Control', 'no-store')
  // Tells nginx to pass each event on at once.
  addHeader(response, 'X-Accel-Buffering', 'no')
  response.locals.streamsSince = performance.now()
  sendHead(response, 200)
  response.write(`retry: ${retryMs}\n${markOf(position)}\n`)
}

const frameOf = (event: StoreEvent) =>
  `id: ${eventId(event)}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`

/** Waits for a slow client. If it reads nothing for 30 s, the server cuts the connection. */
async function write(response: Response, text: string): Promise<void> {
  if (text === '' || response.closed || response.write(text)) return
  const over = new AbortController()
  const { signal } = over
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    // Removes the listeners of the event that did not happen.
    over.abort()
  }
}

const tooMany = (most: number) =>
  new StoreError('rate_limited', `This API key has ${most} streams open already; close one first.`, {
    retryAfterSeconds: 10,
  })
