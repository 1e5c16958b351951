import { once } from 'node:events'
import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import type { StreamTerms } from '../core/events/streams.ts'
import { type Caller, holdsScope, scopeFor } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'
import { projectCharge } from '../core/projects/limits.ts'
import type { Door } from '../core/usage/counts.ts'
import { acceptedOrRefused } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { bearerOf } from './authenticate.ts'
import { countUse } from './count-use.ts'
import type { Drain } from './drain.ts'
import { addHeader, sendHead } from './headers.ts'

/** The part of `Drain` that tells a stream when to end. */
export type Ending = Pick<Drain, 'isEnding' | 'listenerClosed'>

export type StreamCall = { request: Request; response: Response; caller: Caller; door: Door }

/**
 * A stream of events ends when the process shuts down or the client disconnects, and within a second after its key or
 * its host is no longer valid.
 */
export function streamTermsOf(
  tools: Tools,
  drain: Ending,
  { request, response, caller, door }: StreamCall,
  scope: Scope = scopeFor.listEvents,
): StreamTerms {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  response.on('close', () => gone.abort())
  return {
    gone: gone.signal,
    async mayGoOn() {
      if (drain.isEnding() || drain.listenerClosed() !== null) return false
      const now = await tools.callers.find(bearerOf(request) ?? '')
      // A request to a removed domain is refused at once, so a stream ends too.
      const { host } = response.locals
      if (host && (await tools.hosting.hosts.find(host.name))?.projectId !== host.projectId) return false
      return (
        now !== null &&
        now.project.id === caller.project.id &&
        !now.project.suspended &&
        holdsScope(now, scope)
      )
    },
    // Charges for a further page of events. If the charge is refused, the stream ends. No event is lost, because the
    // client can connect again later and continue after the client's last event.
    async paysForMore() {
      const charge = projectCharge(caller, tools.config.ban, { store: 1, management: 0 })
      const decision = await acceptedOrRefused(tools.limiter.consume(charge.subject, charge.points, charge))
      const isAccepted = decision.outcome === 'accepted'
      tools.limitNotices.note(caller.project, decision, charge.points)
      tools.usageCounter.countRequest(caller, door, isAccepted ? 'served' : 'refused')
      return isAccepted
    },
  }
}

/** True if Accept names this media type. A wildcard is not enough: most clients that send one expect no stream. */
export const namesEventStream = ({ headers }: Request): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '')

/** Sends the head of a stream, and counts its use now, because the stream may last an hour. */
export function beginStream(tools: Tools, response: Response, type: string): void {
  const { locals } = response
  addHeader(response, 'Content-Type', type)
  addHeader(response, 'Cache-Control', 'no-store')
  // Tells nginx to pass each event on at once.
  addHeader(response, 'X-Accel-Buffering', 'no')
  locals.streamsSince = performance.now()
  sendHead(response, 200)
  countUse(tools, response, locals.streamsSince - locals.startedAt)
}

/** Waits for a slow client. If it reads nothing for 30 s, the server cuts the connection. */
export async function writeToStream(response: Response, text: string): Promise<void> {
  if (text === '' || response.closed || response.write(text)) return
  const over = new AbortController()
  const { signal } = over
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    // One of the two events, `drain` or `close`, has happened or the wait has failed. Remove the listener of the event
    // that has not happened.
    over.abort()
  }
}

/**
 * Logs why a stream broke off. The client connects again, to another process or after an outage, and continues after
 * its last event.
 */
export function noteBrokenStream({ database, log }: Tools, error: unknown): void {
  if (!database.outage.note(error) && !(error instanceof StoreError))
    log.error({ error }, 'a stream of events ended')
}
