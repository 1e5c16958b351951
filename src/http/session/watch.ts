import { setTimeout as pause } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import { StoreError } from '../../core/errors.ts'
import type { Tools } from '../../tools.ts'
import { findCaller } from '../authenticate.ts'
import { beginStream, type Ending, noteBrokenStream, writeToStream } from '../streams.ts'
import { ownOrigin } from './origin.ts'
import { requirePerson } from './step.ts'

/**
 * In milliseconds, between two lookups of the token. A lookup costs little, because the process caches the token until
 * the database's log of changes reports a change of the token or of the token's project.
 */
const tickMs = 250
/** Proxies close a connection on which nothing is sent. */
const quietMs = 15_000
/** The most streams open at once in one session. The tabs of a browser share a session. */
const mostWatches = 20

/**
 * Answers a page with an empty stream that ends when the page's bearer token ends: with the session, with the
 * membership, or after ten minutes. The page of a removed member learns of the removal within a second, without
 * polling.
 */
export function watchToken(tools: Tools, drain: Ending): RequestHandler {
  return async (request, response) => {
    response.locals.route = '/session/watch'
    ownOrigin(tools.config, request)
    const { sessionId } = await requirePerson(tools, { request, response })
    const giveBack = await tools.places.take(`watch:${sessionId}`, mostWatches)
    if (!giveBack)
      throw new StoreError('rate_limited', `This session has ${mostWatches} watches open already.`, {
        retryAfterSeconds: 60,
      })
    beginStream(tools, response, 'text/event-stream; charset=utf-8')
    try {
      await untilEnd(tools, drain, request, response)
    } catch (error) {
      noteBrokenStream(tools, error)
    } finally {
      giveBack()
      response.end()
    }
  }
}

async function untilEnd(tools: Tools, drain: Ending, request: Request, response: Response): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  let quietUntil = 0
  while (!response.closed && !drain.isEnding() && drain.listenerClosed() === null) {
    if (!(await findCaller(tools, request))) return
    if (performance.now() >= quietUntil) {
      await writeToStream(response, ':\n\n')
      quietUntil = performance.now() + quietMs
    }
    await pause(tickMs, undefined, { signal: gone.signal }).catch(() => {})
  }
}
