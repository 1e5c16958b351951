import type { Response } from 'express'
import { noProject } from '../database/owner.ts'
import { othersAreAtWork } from '../database/pieces.ts'
import type { Charge } from '../limiter/charge.ts'
import { openQueues } from '../tools/queues.ts'
import { noteDelay } from './delay.ts'

/** A client that sends two requests at once, as pages do, gets both answers at once. */
const leastAtOnce = 2
/**
 * How many requests a second can run if a subject's requests run one at a time: a request takes about 13 ms, and the
 * rest after the request takes about 26 ms.
 */
const perSecondOneByOne = 25
/** A subject may begin this many requests in a row without a rest. A page sends fewer at once. */
const mostWithoutRest = 20
/** The rest after a request is this many times as long as the request took, but not shorter than the least. */
const restsOfARequest = 2
/**
 * In milliseconds. Without this minimum, a burst of short requests would run ten times as fast as a budget of 3,000
 * requests a minute allows.
 */
const leastRestMs = 20
/**
 * In milliseconds. A turn ends after this time even without an answer, because the request probably waits for its
 * client, for DNS or for events.
 */
const longestTurnMs = 50
const longestWaitMs = 1_000

export type Turn = { begins: Promise<void>; end(): void }
export type WorkTurns = {
  /**
   * Waits until the request may begin. Requests of the charge's subject take turns. A request has only one turn, even
   * if `wait` is called again for it. Calls `chargeOf` only if the request needs a turn.
   */
  wait(chargeOf: () => Charge, response: Response): Promise<void> | undefined
  /** Ends the turn of a request before its answer is sent. */
  end(response: Response): void
}

/**
 * While other projects are at work, the requests of one subject (a project, person or address) take turns: at least two
 * of the subject's requests run at once, and the subject's other requests wait. A client may spend the budget of a
 * minute within a second. Without turns, fifty requests of this client would compete with one request of another
 * project. A subject with a large budget gets more turns at once, so that the subject can use its whole budget.
 */
export function openWorkTurns(): WorkTurns {
  const queues = openQueues<string>()

  function takeTurn(charge: Charge, response: Response): Turn {
    const { promise: begins, resolve } = Promise.withResolvers<void>()
    const askedAt = performance.now()
    const begin = () => {
      noteDelay(response, askedAt)
      resolve()
    }
    const turn: Turn = { begins, end: () => {} }
    let timer: NodeJS.Timeout | undefined
    const stopWaiting = queues.ask(charge.subject, turnsAtOnce(charge), () => {
      clearTimeout(timer)
      turn.end = endOnce(response, tookMs => {
        const isLong = queues.begunInARow(charge.subject) > mostWithoutRest
        // Pass the subject as an argument. A function defined here would keep the request in memory during the rest, and
        // the garbage collector would copy hundreds of answered requests.
        if (isLong) setTimeout(queues.end, Math.max(leastRestMs, restsOfARequest * tookMs), charge.subject)
        // If no rest is due, end the turn only in the next round of the event loop, so that waiting requests of other
        // subjects run before the next request of this subject.
        else setImmediate(queues.end, charge.subject)
      })
      begin()
    })
    if (stopWaiting) {
      timer = setTimeout(() => {
        stopWaiting()
        begin()
      }, longestWaitMs)
    }
    return turn
  }

  return {
    wait(chargeOf, response) {
      const { locals } = response
      const owner = locals.caller?.project.id ?? noProject
      if (!locals.turn && othersAreAtWork(owner)) locals.turn = takeTurn(chargeOf(), response)
      return locals.turn?.begins
    },
    end: ({ locals }) => locals.turn?.end(),
  }
}

function turnsAtOnce({ windows }: Charge): number {
  const perSecond = Math.max(...windows.map(({ limit, seconds }) => limit / seconds))
  return Math.max(leastAtOnce, Math.ceil(perSecond / perSecondOneByOne))
}

/** Returns a function that ends the turn. The turn also ends with the answer, and after some time without an answer. */
function endOnce(response: Response, end: (tookMs: number) => void): () => void {
  const beganAt = performance.now()
  let isOver = false
  const endTurn = () => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    end(performance.now() - beganAt)
  }
  const timer = setTimeout(endTurn, longestTurnMs)
  response.once('finish', endTurn)
  return endTurn
}
