import type { WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { OutgoingAnswer } from '../../tools/outgoing.ts'
import {
  asideMs,
  disabledAfterMs,
  longestAsideMs,
  pauseAside,
  pauseInPlace,
  pauseOfRest,
  requestedPause,
  restsAfter,
  withJitter,
} from './retry-schedule.ts'

type Progress = Pick<
  WebhookEndpoint,
  | 'delivered'
  | 'attempts'
  | 'setAsideInRow'
  | 'rests'
  | 'failingSince'
  | 'nextTryAt'
  | 'disabledAt'
  | 'disabledWhy'
>

/** The consequences of an attempt: the endpoint's new progress, and whether the event is set aside. */
export type DeliveryOutcome = { progress: Partial<Progress>; isSetAside: boolean; goesOn: boolean }

export const isSuccess = ({ status }: Pick<OutgoingAnswer, 'status'>) =>
  status !== null && status >= 200 && status < 300

/** True if several events in a row were set aside. The endpoint is then tried with only one event from time to time. */
export const isResting = ({ setAsideInRow }: Pick<Progress, 'setAsideInRow'>) => setAsideInRow >= restsAfter

/** Decides what follows from an attempt at the endpoint's next event. */
export function outcomeOf(
  endpoint: Progress,
  number: bigint,
  answer: OutgoingAnswer,
  now: number,
): DeliveryOutcome {
  if (isSuccess(answer))
    return { progress: { ...wellAgain, delivered: number }, isSetAside: false, goesOn: true }
  const failingSince = endpoint.failingSince ?? new Date(now)
  const disabled = disabledBy(answer, failingSince, now)
  if (disabled) return stop({ failingSince, ...disabled })
  const requested = requestedPause(answer.retryAfter, now) ?? 0
  if (isResting(endpoint)) return stop({ failingSince, ...restOn(endpoint, requested, now) })

  const attempts = endpoint.attempts + 1
  const pause = pauseInPlace(attempts)
  if (pause !== null) return stop({ failingSince, attempts, nextTryAt: later(now, pause, requested) })
  const progress = {
    delivered: number,
    attempts: 0,
    setAsideInRow: endpoint.setAsideInRow + 1,
    failingSince,
    nextTryAt: requested > 0 ? later(now, 0, requested) : null,
  }
  return { progress, isSetAside: true, goesOn: requested === 0 }
}

/** Decides what follows for the endpoint from an attempt at an event that was set aside. */
export function asideOutcomeOf(endpoint: Progress, answer: OutgoingAnswer, now: number): DeliveryOutcome {
  if (isSuccess(answer)) return { progress: wellAgain, isSetAside: false, goesOn: true }
  const failingSince = endpoint.failingSince ?? new Date(now)
  const disabled = disabledBy(answer, failingSince, now)
  if (disabled) return stop({ failingSince, ...disabled })
  const requested = requestedPause(answer.retryAfter, now) ?? 0
  if (isResting(endpoint)) return stop({ failingSince, ...restOn(endpoint, requested, now) })
  if (requested > 0) return stop({ failingSince, nextTryAt: later(now, 0, requested) })
  return { progress: { failingSince }, isSetAside: false, goesOn: true }
}

/**
 * Returns the pause before the next attempt at a set-aside event, after `attempts` failed attempts. Returns null if the
 * event has had all its attempts and is given up. Returns `longestAsideMs` instead of null if the endpoint is disabled,
 * or if the endpoint has had no success for at least `asideMs`.
 */
export function pauseOfAside(
  attempts: number,
  { disabledAt, failingSince }: Partial<Progress>,
  now: number,
): number | null {
  const allFail = failingSince ? now - failingSince.getTime() >= asideMs : false
  return pauseAside(attempts) ?? (disabledAt || allFail ? longestAsideMs : null)
}

const stop = (progress: Partial<Progress>): DeliveryOutcome => ({
  progress,
  isSetAside: false,
  goesOn: false,
})

const later = (now: number, pause: number, requested: number) =>
  new Date(now + Math.max(withJitter(pause), requested))

const restOn = ({ rests }: Progress, requested: number, now: number) => ({
  rests: rests + 1,
  nextTryAt: later(now, pauseOfRest(rests), requested),
})

/** An endpoint that answers 410 wants no more events. */
function disabledBy({ status }: OutgoingAnswer, failingSince: Date, now: number) {
  const disabledWhy = status === 410 ? 'gone' : isFailingForLong(failingSince, now) ? 'failing' : null
  return disabledWhy && { disabledAt: new Date(now), disabledWhy, nextTryAt: null }
}

const isFailingForLong = (since: Date, now: number) => now - since.getTime() >= disabledAfterMs

const wellAgain = { attempts: 0, setAsideInRow: 0, rests: 0, failingSince: null, nextTryAt: null } as const
