import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { eventJson, type StoreEvent } from '../core/events/event.ts'
import { findNewestEvent, readEvents } from '../core/events/log.ts'
import { eventId } from '../core/events/position.ts'
import { parseEventsRequest } from '../core/events/rules.ts'
import { type Caller, holdsScope, scopeFor } from '../core/keys/caller.ts'
import { bearerOf } from '../http/authenticate.ts'
import type { Drain } from '../http/drain.ts'
import { addHeader, sendHead } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
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

/** True if the client asks for a stream of events instead of a page. */
export const asksForStream = ({ headers }: Request): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '')

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
    const used = open.get(key.id) ?? 0
    if (used >= (mostStreams[project.planName] ?? 5)) throw tooMany(used)
    open.set(key.id, used + 1)
    response.on('close', () => {
      const left = (open.get(key.id) ?? 1) - 1
      if (left > 0) open.set(key.id, left)
      else open.delete(key.id)
    })

    let position = asked.after ?? (await findNewestEvent(database, project))
    // Listen before the first read, or an event between the two would wait for the next one.
    let bell = Promise.withResolvers<void>()
    const unfollow = events.follow(project.id, () => bell.resolve())
    response.on('close', unfollow)
    let next = await readEvents(database, project, { ...asked, after: position })
    beginStream(response)
    const endsAt = performance.now() + longestMs
    let commentAt = performance.now() + commentMs
    const mayGoOn = async () =>
      !response.closed && performance.now() < endsAt && !isClosing() && (await isStillValid(request, caller))

    try {
      while (await mayGoOn()) {
        position = next.reached ?? position
        await write(response, next.events.map(frameOf).join(''))
        if (next.events.length > 0) commentAt = performance.now() + commentMs
        if (!next.hasMore) {
          while (
            (await Promise.race([bell.promise.then(() => 'rung'), wait(tickMs)])) !== 'rung' &&
            (await mayGoOn())
          ) {
            if (performance.now() < commentAt) continue
            commentAt = performance.now() + commentMs
            await write(response, ':\n\n')
          }
          bell = Promise.withResolvers()
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

  function isClosing(): boolean {
    return drain.isEnding() || drain.doorShut() !== null
  }

  async function isStillValid(request: Request, { project }: Caller): Promise<boolean> {
    const now = await callers.find(bearerOf(request) ?? '')
    return (
      now !== null &&
      now.project.id === project.id &&
      !now.project.suspended &&
      holdsScope(now, scopeFor.listEvents)
    )
  }
}

function readAsked(request: Request) {
  const { type, after, subject } = readParameters(request.query, ['after', 'type', 'subject'])
  const last = request.headers['last-event-id']
  return parseEventsRequest(
    { limit: 'limit', type: 'type' },
    {
      limit: readAtOnce,
      types: type === null ? null : type.split(','),
      // A client that connects again repeats its first query; its last event is the newer place.
      after: typeof last === 'string' && last !== '' ? last : after,
      subject,
    },
  )
}

function beginStream(response: Response): void {
  addHeader(response, 'Content-Type', 'text/event-stream; charset=utf-8')
  addHeader(response, 'Cache-Control', 'no-store')
  // Tells nginx to pass each event on at once.
  addHeader(response, 'X-Accel-Buffering', 'no')
  response.locals.streamsSince = performance.now()
  sendHead(response, 200)
  response.write(`retry: ${retryMs}\n\n`)
}

const frameOf = (event: StoreEvent) =>
  `id: ${eventId(event)}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`

/** Waits for a slow client. If it reads nothing for 30 s, the server cuts the connection. */
async function write(response: Response, text: string): Promise<void> {
  if (text === '' || response.closed || response.write(text)) return
  await Promise.race([once(response, 'drain'), once(response, 'close')])
}

const tooMany = (most: number) =>
  new StoreError('rate_limited', `This API key has ${most} streams open already; close one first.`, {
    retryAfterSeconds: 10,
  })
