import type { Charge, WindowRule } from '../../limiter/charge.ts'
import type { Decision } from '../../limiter/decision.ts'
import { StoreError } from '../errors.ts'
import type { Caller } from '../keys/caller.ts'
import type { Project } from '../project.ts'

const day = 24 * 60 * 60

/** When to ban a key that keeps sending after refusals. The numbers are configured. */
export type BanPolicy = { refusalsFactor: number; seconds: number; maxSeconds: number }

const anonymousWindows: WindowRule[] = [{ name: 'minute', seconds: 60, limit: 60 }]
const operatorWindows: WindowRule[] = [{ name: 'management', seconds: 60, limit: 600 }]

/** The charge for requests of an IP address without a valid key. */
export function anonymousCharge(address: string): Charge {
  return { subject: `address:${address}`, points: 1, windows: anonymousWindows }
}

/**
 * All operator keys share one budget. Each person has a separate budget, so that no person can use up the budget of the
 * keys.
 */
export function operatorCharge(points: number, personId?: string): Charge {
  const subject = personId === undefined ? 'operator' : `operator:${personId}`
  return { subject, points, windows: operatorWindows }
}

/** The charge to the project's budget for pets and orders, shared by all its keys. */
export function storeCharge(caller: Caller, bans: BanPolicy, points: number): Charge {
  const { project, key } = caller
  return {
    subject: String(project.id),
    points,
    windows: storeWindows(project),
    ban: {
      key: key.id,
      refusalsPerMinute: bans.refusalsFactor * project.limits.perMinute,
      seconds: bans.seconds,
      maxSeconds: bans.maxSeconds,
    },
  }
}

function storeWindows(project: Project): WindowRule[] {
  return [
    { name: 'minute', seconds: 60, limit: project.limits.perMinute },
    { name: 'day', seconds: day, limit: project.limits.perDay },
  ]
}

/**
 * A request that is priced by its size costs at least one request. It costs at most what the plan allows in a minute or
 * a day, because a larger price could never be paid.
 */
export function priceOf(project: Project, requests: number): number {
  return Math.max(1, Math.min(Math.ceil(requests), mostPayable(project)))
}

/** The most requests that the plan can pay at once. */
export const mostPayable = ({ limits }: Project) => Math.min(limits.perMinute, limits.perDay)

/**
 * Managing a project has its own budget, so that an owner can still act when the budget for pets and orders is used up.
 */
export const managementPerMinute = 300

const personPerMinute = 300

/**
 * A person's calls are charged to the person's own budget, so that people can still look at a project whose budget is
 * used up.
 */
const personWindows: WindowRule[] = [{ name: 'minute', seconds: 60, limit: personPerMinute }]

/** A call costs a person at most the budget of a whole minute, because a larger cost could never be paid. */
export function personCharge(personId: string, points: number): Charge {
  return { subject: `person:${personId}`, points: Math.min(points, personPerMinute), windows: personWindows }
}

/**
 * Limits how many wrong terminal codes a person may type (RFC 8628, 5.1). A code has eight letters from an alphabet of
 * 20, so five tries have practically no chance.
 */
const codeTryWindows: WindowRule[] = [{ name: 'codes', seconds: 600, limit: 5 }]

export function codeTryCharge(personId: string): Charge {
  return { subject: `codes:${personId}`, points: 1, windows: codeTryWindows }
}

/**
 * Charges a person's call to the person's own budget. Charges a call with a key to the project's budget for pets and
 * orders, to the project's management budget, or to both of these budgets. If a call needs both budgets and one of them
 * is used up, charges neither budget.
 */
export function projectCharge(
  caller: Caller,
  bans: BanPolicy,
  points: { store: number; management: number },
): Charge {
  if (caller.person) return personCharge(caller.person.id, points.store + points.management)
  const store = storeCharge(caller, bans, points.store)
  if (points.management === 0) return store
  const management = managementWindow(points.management)
  return points.store === 0
    ? { ...store, points: points.management, windows: [management] }
    : { ...store, windows: [...store.windows, management] }
}

/**
 * Reading the budget is free up to this rate; further reads are charged to the management budget. A banned key may also
 * read the budget.
 */
const freeReadWindows: WindowRule[] = [{ name: 'minute', seconds: 60, limit: 60 }]

export function freeReadCharge({ project, person }: Caller): Charge {
  const owner = person ? `person:${person.id}` : project.id
  return { subject: `free-reads:${owner}`, points: 1, windows: freeReadWindows }
}

/**
 * Requests whose statement PostgreSQL stopped are refunded up to this rate only. Otherwise statements that are slow on
 * purpose would cost nothing.
 */
const stoppedWindows: WindowRule[] = [{ name: 'minute', seconds: 60, limit: 10 }]

export const stoppedCharge = (subject: string): Charge => ({
  ...{ subject: `stopped:${subject}`, points: 1, windows: stoppedWindows },
})

/** A deploy is limited more than other acts, because the project and the audit log each store its configuration. */
const deployWindows: WindowRule[] = [{ name: 'deploys', seconds: 60 * 60, limit: 60 }]

export const deployCharge = ({ id }: Project): Charge => ({
  ...{ subject: `deploys:${id}`, points: 1, windows: deployWindows },
})

export const deployRefusal = (decision: Decision): StoreError =>
  refusalOf(decision, 1, 'A project can be deployed 60 times an hour')

/** Reads all windows of a project, and the ban of the calling key, without charging anything. */
export function wholeBudget(project: Project, caller: Caller | null, bans: BanPolicy): Charge {
  const windows = allWindows(project)
  return caller && !caller.person
    ? { ...storeCharge(caller, bans, 0), windows }
    : { subject: String(project.id), points: 0, windows }
}

/** All windows of a project, for peeks and resets, which charge nothing. */
export const allWindows = (project: Project): WindowRule[] => [...storeWindows(project), managementWindow(0)]

const managementWindow = (points: number): WindowRule => ({
  name: 'management',
  seconds: 60,
  limit: managementPerMinute,
  points,
})

/** Returns the error for a refused charge. */
export function refusalOf(
  { outcome, retryAt, decidedAt }: Decision,
  points = 1,
  why = whyLimited(points),
): StoreError {
  const seconds = Math.max(1, Math.ceil(((retryAt ?? decidedAt) - decidedAt) / 1000))
  const unit = seconds === 1 ? 'second' : 'seconds'
  return outcome === 'banned'
    ? new StoreError(
        'key_banned',
        `This API key is banned for ${seconds} more ${unit}: it kept sending after refusals, or the operator banned it.`,
        { retryAfterSeconds: seconds },
      )
    : new StoreError('rate_limited', `${why}; try again in ${seconds} ${unit}.`, {
        retryAfterSeconds: seconds,
      })
}

const whyLimited = (points: number) =>
  points <= 1 ? 'The rate limit is used up' : `This costs ${points} requests, but fewer are left`
