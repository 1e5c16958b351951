import { readFileSync } from 'node:fs'
import type { Cluster, Redis, Result } from 'ioredis'
import type { BanRule, Charge } from './charge.ts'
import type { Counts } from './decision.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    decideCharges(keyCount: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
  }
}

/** What is asked of limiter.lua, in its words. */
export type Spelled = { keys: string[]; values: string[] }

const lua = readFileSync(new URL('./limiter.lua', import.meta.url), 'utf8')
const noBan: BanRule = { key: '', refusalsPerMinute: -1, seconds: 0, maxSeconds: 0 }

export function defineScript(redis: Redis | Cluster): void {
  redis.defineCommand('decideCharges', { lua })
}

/** The braces put all that one charge touches on one node of a cluster. */
export const keyOf = (subject: string) => `animal-store:{${subject}}`

export function spell({ subject, points, windows, ban = noBan }: Charge, act: 'charge' | 'peek'): Spelled {
  const key = keyOf(subject)
  // One text, which limiter.lua reads once for all charges that have it.
  let rule = `${act === 'charge' ? 1 : 0} ${ban.refusalsPerMinute} ${ban.seconds * 1000} ${ban.maxSeconds * 1000}`
  for (const { name, limit, points: own = points, seconds } of windows) {
    rule += ` ${name} ${limit} ${own} ${seconds * 1000}`
  }
  return { keys: [key, `${key}:refusals:${ban.key}`], values: [`ban:${ban.key}`, rule] }
}

export function spellRenewal(subject: string): Spelled {
  const key = keyOf(subject)
  return { keys: [key, key], values: ['', 'renew'] }
}

/** What limiter.lua answers to one charge; a dash stands for no version. */
export function readCounts(now: string | undefined, text: string | undefined): Counts {
  const [outcome, banEndsAt, banBegins, version, ...states] = text?.split(' ') ?? []
  return {
    now: Number(now),
    outcome: Number(outcome),
    banEndsAt: Number(banEndsAt),
    banBegins: banBegins === '1',
    version: version === undefined || version === '-' ? null : version,
    states: states.map(Number),
  }
}
