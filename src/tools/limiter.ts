import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Cluster, Redis, Result } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { Circuit } from './circuit.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'
import { MemoryCounts } from './memory-counts.ts'

/** A fixed window that begins with its first use. `points` is what the order takes of this window, if not the order's. */
export type WindowRule = { name: string; seconds: number; limit: number; points?: number }
/** A key with more refusals in a minute is banned; every ban within a day of another lasts twice as long as the one before. */
export type BanRule = { key: string; refusalsPerMinute: number; seconds: number; maxSeconds: number }
/** Windows of several budgets may stand in one order: it takes its points of all of them, or of none. */
export type Order = { subject: string; points: number; windows: readonly WindowRule[]; ban?: BanRule }
/** `resetAt` is in epoch milliseconds, as every instant here. */
export type WindowState = { name: string; limit: number; remaining: number; resetAt: number; seconds: number }
export type Verdict = {
  outcome: 'accepted' | 'limited' | 'banned'
  windows: WindowState[]
  banEndsAt: number | null
  banBegins: boolean
  /** When to try again after a refusal: the end of the ban, or of the last window that is too full. */
  retryAt: number | null
  petsVersion: string | null
}
export type Limiter = {
  charge(order: Order): Promise<Verdict>
  /** What charge would answer; costs nothing and counts nothing. */
  look(order: Order): Promise<Verdict>
  /** To be awaited between the commit of a change to a subject's pets and the answer to it. Never fails. */
  renewPetsVersion(subject: string): Promise<void>
  /** False while this process counts alone though there should be a Redis. */
  isExact(): boolean
  close(): void
}
export type Store = 'redis' | 'memory'
type Options = { redis: Redis | Cluster | null; clock: Clock; log: Logger; count?: (store: Store) => void }

/** Without Redis one process counts for itself, exactly; with it, memory is the insurance for an outage. */
export function openLimiter({ redis, clock, log, count = () => {} }: Options): Limiter {
  const memory = new MemoryLimiter(clock, count, redis !== null)
  return redis ? new RedisLimiter(redis, memory, clock, log, count) : memory
}

/** Outcome, end of the ban, whether it begins now, pets version, then used and end of each window. */
export type Reply = [number, number, number, string | null, ...number[]]
const outcomes = ['accepted', 'limited', 'banned'] as const

function readVerdict(order: Order, reply: Reply): Verdict {
  const outcome = outcomes[reply[0]] ?? 'limited'
  const banEndsAt = reply[1] || null
  let fullUntil = 0
  const windows = order.windows.map(({ name, seconds, limit, points = order.points }, index) => {
    const used = Number(reply[4 + 2 * index])
    const resetAt = Number(reply[5 + 2 * index])
    if (points > 0 && used + points > limit) fullUntil = Math.max(fullUntil, resetAt)
    return { name, limit, remaining: Math.max(0, limit - used), resetAt, seconds }
  })
  const retryAt = outcome === 'accepted' ? null : (banEndsAt ?? fullUntil)
  return { outcome, windows, banEndsAt, banBegins: reply[2] === 1, retryAt, petsVersion: reply[3] }
}

/**
 * Why no page is ever old. A page is kept under the pets version that its reader's own charge brought, and was read from
 * the database after that; a writer drops the version between commit and answer. A writer that cannot reach Redis cannot
 * drop it, so a version lives LEASE_MS at most, and that writer answers only when every version from before its commit
 * has ended. A Redis that comes back with old data brings back only versions that ended while it was away.
 */
const LEASE_MS = 50
const LEASE_MARGIN_MS = 10

declare module 'ioredis' {
  interface RedisCommander<Context> {
    chargeStore(...keysAndArguments: (string | number)[]): Result<Reply, Context>
  }
}

/** What the library's limiters share among themselves and its types leave out. */
type Insides = {
  _isRedisReady(key: string, isReadonly: boolean): boolean
  _operation<T>(name: string, parameters: unknown[]): Promise<T>
}
const InsuredLimiter = RateLimiterRedis as unknown as new (
  options: ConstructorParameters<typeof RateLimiterRedis>[0],
) => RateLimiterRedis & Insides

const script = readFileSync(new URL('./limiter.lua', import.meta.url), 'utf8')
const outOfReach = new Error('Redis is out of reach.')
const noBan: BanRule = { key: '', refusalsPerMinute: -1, seconds: 0, maxSeconds: 0 }

/** The library asks one window a round trip and counts refused calls; here one script weighs all windows and the ban. */
class RedisLimiter extends InsuredLimiter implements Limiter {
  readonly #redis: Redis | Cluster
  readonly #circuit: Circuit
  readonly #clock: Clock
  readonly #count: (store: Store) => void
  readonly #freshPrefix = `${randomBytes(9).toString('base64url')}.`
  #fresh = 0
  #lastSubject = ''

  constructor(
    redis: Redis | Cluster,
    memory: MemoryLimiter,
    clock: Clock,
    log: Logger,
    count: (store: Store) => void,
  ) {
    // The library wants points and a duration; ours come with every order.
    super({
      storeClient: redis,
      insuranceLimiter: memory,
      rejectIfRedisNotReady: true,
      points: 1,
      duration: 1,
    })
    redis.defineCommand('chargeStore', { numberOfKeys: 2, lua: script })
    this.#redis = redis
    this.#clock = clock
    this.#count = count
    // The probe asks for the last subject, which in a cluster is the node that had not answered.
    this.#circuit = new Circuit(() => redis.exists(keyOf(this.#lastSubject)), log)
  }

  charge(order: Order): Promise<Verdict> {
    return this._operation('_charge', [order])
  }

  look(order: Order): Promise<Verdict> {
    return this._operation('_look', [order])
  }

  renewPetsVersion(subject: string): Promise<void> {
    return new Promise(resolve => {
      const leasesEnd = setTimeout(resolve, LEASE_MS + LEASE_MARGIN_MS)
      if (!this.isExact()) return
      this.#circuit.run(this.#redis.hdel(keyOf(subject), 'version')).then(
        () => {
          clearTimeout(leasesEnd)
          resolve()
        },
        () => {},
      )
    })
  }

  isExact(): boolean {
    return this._isRedisReady('', false) && !this.#circuit.isOpen
  }

  close(): void {
    this.#circuit.close()
  }

  /** Called by the library's `_operation`, which on failure asks the insurance for `charge`. */
  _charge(order: Order): Promise<Verdict> {
    return this.#ask(order, this.#freshPrefix + this.#fresh++)
  }

  _look(order: Order): Promise<Verdict> {
    return this.#ask(order, '')
  }

  async #ask(order: Order, freshVersion: string): Promise<Verdict> {
    if (!this.isExact()) throw outOfReach
    this.#lastSubject = order.subject
    const { subject, points, windows, ban = noBan } = order
    const key = keyOf(subject)
    const question = [
      key,
      `${key}:refusals:${ban.key}`,
      freshVersion,
      LEASE_MS,
      this.#clock.aheadMs(),
      ban.refusalsPerMinute,
      ban.seconds * 1000,
      ban.maxSeconds * 1000,
      `ban:${ban.key}`,
    ]
    for (const { name } of windows) question.push(name, `${name}Ends`)
    for (const rule of windows) question.push(rule.limit, rule.points ?? points, rule.seconds * 1000)
    const reply = await this.#circuit.run(this.#redis.chargeStore(...question))
    this.#count('redis')
    return readVerdict(order, reply)
  }
}

/**
 * The insurance, which counts only what passes while Redis is away, or the sole limiter of a process without Redis.
 * As insurance it brings no pets version, since it cannot know what other processes write.
 */
class MemoryLimiter extends RateLimiterMemory implements Limiter {
  readonly #counts = new MemoryCounts()
  readonly #clock: Clock
  readonly #count: (store: Store) => void
  readonly #isInsurance: boolean

  constructor(clock: Clock, count: (store: Store) => void, isInsurance: boolean) {
    super({ points: 1, duration: 1 })
    this.#clock = clock
    this.#count = count
    this.#isInsurance = isInsurance
  }

  charge(order: Order): Promise<Verdict> {
    return this.#ask('charge', order)
  }

  look(order: Order): Promise<Verdict> {
    return this.#ask('look', order)
  }

  async renewPetsVersion(subject: string): Promise<void> {
    this.#counts.renewPetsVersion(subject)
  }

  isExact(): boolean {
    return !this.#isInsurance
  }

  close(): void {}

  async #ask(act: 'charge' | 'look', order: Order): Promise<Verdict> {
    this.#count('memory')
    const verdict = readVerdict(order, this.#counts.weigh(order, act, this.#clock.now()))
    return this.#isInsurance ? { ...verdict, petsVersion: null } : verdict
  }
}

/** The braces put all that one charge touches on one node of a cluster. */
const keyOf = (subject: string) => `animal-store:{${subject}}`
