import { LRUCache } from 'lru-cache'
import type { Charge, Decision, WindowRule } from '../limiter/limiter.ts'
import type { Caller } from './callers.ts'
import { StoreError } from './errors.ts'
import type { Project } from './projects.ts'

const day = 24 * 60 * 60

/** When a key that keeps hammering is banned: numbers of the configuration. */
export type BanPolicy = { refusalsFactor: number; seconds: number; maxSeconds: number }

/** Keyless and wrong-key requests of one address. */
const anonymousPerMinute = 60

/** The project's budget for the store's goods, whichever key and door it is spent through. */
export function storeCharge(caller: Caller, bans: BanPolicy, points: number): Charge {
  const last = lastCharges.get(caller)
  if (last?.points === points) return last
  const { project, key } = caller
  const charge = {
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
  lastCharges.set(caller, charge)
  return charge
}

/** Most charges of a caller are alike; and a caller is made anew whenever anything about it changes. */
const lastCharges = new WeakMap<Caller, Charge>()

function storeWindows(project: Project): WindowRule[] {
  return [
    { name: 'minute', seconds: 60, limit: project.limits.perMinute },
    { name: 'day', seconds: day, limit: project.limits.perDay },
  ]
}

/** Looking after a project has a budget of its own, so that an owner can act while the store's is used up. */
export const managementPerMinute = 300
const operatorPerMinute = 600

/** What an operation takes of both budgets, which it pays together or not at all; no ban keeps an owner from managing. */
export function projectCharge(
  caller: Caller,
  bans: BanPolicy,
  points: { store: number; management: number },
): Charge {
  const store = storeCharge(caller, bans, points.store)
  if (points.management === 0) return store
  const management = managementWindow(points.management)
  if (points.store === 0) return { subject: store.subject, points: points.management, windows: [management] }
  return { ...store, windows: [...store.windows, management] }
}

/** For a look at everything that a project may spend. */
export function wholeBudget(caller: Caller, bans: BanPolicy): Charge {
  const store = storeCharge(caller, bans, 0)
  return { ...store, windows: [...store.windows, managementWindow(0)] }
}

const managementWindow = (points: number): WindowRule => ({
  name: 'management',
  seconds: 60,
  limit: managementPerMinute,
  points,
})

export function operatorCharge(points: number): Charge {
  return {
    subject: 'operator',
    points,
    windows: [{ name: 'management', seconds: 60, limit: operatorPerMinute }],
  }
}

export function anonymousCharge(address: string): Charge {
  return { subject: `address ${address}`, points: 1, windows: anonymousWindows }
}

const anonymousWindows: WindowRule[] = [{ name: 'minute', seconds: 60, limit: anonymousPerMinute }]

/** The refusal to show when a charge was not accepted. */
export function refusalOf({ outcome, retryAt }: Decision, now: number): StoreError {
  const seconds = Math.max(1, Math.ceil(((retryAt ?? now) - now) / 1000))
  const told = `${outcome} ${seconds}`
  const known = refusals.get(told)
  if (known) return known
  const refusal = outcome === 'banned' ? banned(seconds) : limited(seconds)
  refusals.set(told, refusal)
  return refusal
}

/** Whoever floods is told the same again and again. */
const refusals = new LRUCache<string, StoreError>({ max: 400 })

const limited = (seconds: number) =>
  new StoreError('rate_limited', `The rate limit is used up; try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  })

const banned = (seconds: number) =>
  new StoreError(
    'key_banned',
    `This API key kept sending after refusals and is banned for ${seconds} more seconds.`,
    { retryAfterSeconds: seconds },
  )

export type { Decision }
