import type { Budget, Charge, OneWindowCharge, WindowRule } from '../../limiter/charge.ts'
import type { Decision } from '../../limiter/decision.ts'
import { StoreError } from '../errors.ts'
import type { Caller } from '../keys/caller.ts'
import type { Project } from '../project.ts'

const day = 24 * 60 * 60

/** When a key that keeps hammering is banned: numbers of the configuration. */
export type BanPolicy = { refusalsFactor: number; seconds: number; maxSeconds: number }

/** Keyless and wrong-key requests of one address. */
const addresses: Budget = { name: 'address', window: { name: 'minute', seconds: 60, limit: 60 } }
const operators: Budget = { name: 'operator', window: { name: 'management', seconds: 60, limit: 600 } }

export function anonymousCharge(address: string): OneWindowCharge {
  return { budget: addresses, who: address, points: 1 }
}

export function operatorCharge(points: number): OneWindowCharge {
  return { budget: operators, who: 'operator', points }
}

/** The project's budget for the store's goods, whichever key and door it is spent through. */
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

/** What is paid by what it holds costs one at least, and never more than a whole minute: or it could never be had. */
export function priceOf({ limits }: Project, requests: number): number {
  return Math.max(1, Math.min(Math.ceil(requests), limits.perMinute, limits.perDay))
}

/** Looking after a project has a budget of its own, so that an owner can act while the store's is used up. */
export const managementPerMinute = 300

/** What an operation takes of both budgets, which it pays together or not at all. */
export function projectCharge(
  caller: Caller,
  bans: BanPolicy,
  points: { store: number; management: number },
): Charge {
  const store = storeCharge(caller, bans, points.store)
  if (points.management === 0) return store
  const management = managementWindow(points.management)
  return points.store === 0
    ? { ...store, points: points.management, windows: [management] }
    : { ...store, windows: [...store.windows, management] }
}

/** Looks at the budget that are free; whoever looks more often pays as for managing. No ban keeps a key from them. */
const freeLooks: Budget = { name: 'looks', window: { name: 'minute', seconds: 60, limit: 60 } }

export function freeLookCharge({ project }: Caller): OneWindowCharge {
  return { budget: freeLooks, who: String(project.id), points: 1 }
}

/** To peek at everything that a project may spend, and at the ban of the key that asks, where one does. */
export function wholeBudget(project: Project, caller: Caller | null, bans: BanPolicy): Charge {
  const windows = [...storeWindows(project), managementWindow(0)]
  return caller
    ? { ...storeCharge(caller, bans, 0), windows }
    : { subject: String(project.id), points: 0, windows }
}

const managementWindow = (points: number): WindowRule => ({
  name: 'management',
  seconds: 60,
  limit: managementPerMinute,
  points,
})

/** The refusal to show when a charge of so much was not accepted. */
export function refusalOf({ outcome, retryAt, decidedAt }: Decision, points = 1): StoreError {
  const seconds = Math.max(1, Math.ceil(((retryAt ?? decidedAt) - decidedAt) / 1000))
  return outcome === 'banned'
    ? new StoreError(
        'key_banned',
        `This API key kept sending after refusals and is banned for ${seconds} more seconds.`,
        { retryAfterSeconds: seconds },
      )
    : new StoreError('rate_limited', `${whyLimited(points)}; try again in ${seconds} seconds.`, {
        retryAfterSeconds: seconds,
      })
}

const whyLimited = (points: number) =>
  points <= 1 ? 'The rate limit is used up' : `This costs ${points} requests, and fewer are left`

export type { Decision }
