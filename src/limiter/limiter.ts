import type { Cluster, Redis } from 'ioredis'
import { RateLimiterCompatibleAbstract } from 'rate-limiter-flexible'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import type { Act, Addition, Charge, Rules, WindowRule } from './charge.ts'
import { RedisOutage } from './circuit.ts'
import { type CountStore, type Decision, makeDecision } from './decision.ts'
import { openMemoryCounts } from './memory-counts.ts'
import { RedisCounts } from './redis-counts.ts'

export type Store = 'redis' | 'memory'
type Options = {
  redis: Redis | Cluster | null
  clock: Clock
  log: Logger
  /** Called with the store that decided a charge. */
  count?: (store: Store) => void
  /** Called with the seconds that Redis took for a batch of charges. */
  time?: (seconds: number) => void
  /** In milliseconds. Charges that Redis has not answered within this time are counted in memory. */
  timeoutMs?: number
}
/** With `resetAt`, a window is changed only if it ends at that time. */
type Changed = { windows: readonly (WindowRule & { resetAt?: number })[] }

/**
 * The limiter behind every 429. It is a custom limiter, built as the README of rate-limiter-flexible describes, because
 * the library's own limiters compare one count with one limit. A plan has a ban and two windows, which are charged
 * together or not at all. The counts are in Redis for all processes. Without Redis, or during an outage, each process
 * counts in memory.
 */
export class Limiter extends RateLimiterCompatibleAbstract {
  override readonly keyPrefix = 'animal-store'
  /** 0, because each charge has its own ban rule. */
  override blockDuration = 0
  override execEvenly = false
  readonly #shared: RedisCounts | null
  readonly #memory: CountStore
  readonly #count: (store: Store) => void

  constructor({ redis, clock, log, count = () => {}, time = () => {}, timeoutMs = 150 }: Options) {
    super()
    this.#shared = redis && new RedisCounts({ redis, clock, log, time, timeoutMs })
    this.#memory = openMemoryCounts(clock)
    this.#count = count
  }

  /**
   * Resolves if the charge is accepted. Rejects with a Decision if it is limited or banned. Any other rejection is a
   * bug.
   */
  override async consume(subject: string, points: number, { windows, ban }: Rules): Promise<Decision> {
    const decision = await this.#decide('charge', { subject, points, windows, ban })
    if (decision.outcome !== 'accepted') throw decision
    return decision
  }

  /** Returns the decision that `consume` would make. Charges nothing and counts no refusal. */
  override get(
    subject: string,
    { points = 0, windows, ban }: Rules & { points?: number },
  ): Promise<Decision> {
    return this.#decide('peek', { subject, points, windows, ban })
  }

  /** Gives points back, for example if the request was answered with 503. */
  override reward(subject: string, points: number, changed: Changed): Promise<Decision> {
    return this.#add(subject, -1, points, changed)
  }

  /** Takes points even if they exceed the limit. */
  override penalty(subject: string, points: number, changed: Changed): Promise<Decision> {
    return this.#add(subject, 1, points, changed)
  }

  /**
   * Starts the windows again with these points used. They end after `seconds`, or after their own length if it is
   * shorter.
   */
  override async set(
    subject: string,
    points: number,
    seconds: number,
    { windows }: Rules,
  ): Promise<Decision> {
    const begun = windows.map(({ name, seconds: length }) => ({
      name,
      points,
      seconds: Math.min(length, seconds),
    }))
    // Send the reset and the addition in one batch, which Redis executes as one step.
    await this.#exactly(store => Promise.all([store.reset(subject, windows), store.add(subject, begun)]))
    return this.get(subject, { windows })
  }

  /** Bans one of the subject's keys from now on. */
  override async block(subject: string, seconds: number, { key }: { key: string }): Promise<Decision> {
    await this.#exactly(store => store.ban(subject, key, seconds))
    const ban = { key, refusalsPerMinute: 0, seconds, maxSeconds: seconds }
    return this.get(subject, { windows: [], ban })
  }

  /**
   * Lifts the ban of one of the subject's keys, or resets windows. Returns false if there was nothing to lift or reset.
   */
  override delete(
    subject: string,
    what: { key: string } | { windows: readonly WindowRule[] },
  ): Promise<boolean> {
    return this.#exactly(store =>
      'key' in what ? store.liftBan(subject, what.key) : store.reset(subject, what.windows),
    )
  }

  /**
   * Gives the subject a new version. Returns false if Redis is unavailable: other processes may use the old version.
   */
  async renewVersion(subject: string): Promise<boolean> {
    if (!this.#shared) return true
    if (!this.#shared.isReady()) return false
    return this.#shared.renewVersion(subject).then(() => true, requireOutage)
  }

  /** True if all processes share the counts. False without Redis. */
  get isShared(): boolean {
    return this.#shared !== null
  }

  /** False while this process counts alone although Redis is configured. */
  isExact(): boolean {
    return this.#shared?.isReady() ?? true
  }

  close(): void {
    this.#shared?.close()
  }

  async #decide(act: Act, charge: Charge): Promise<Decision> {
    if (this.#shared?.isReady()) {
      try {
        const decision = makeDecision(charge, await this.#shared.decide(act, charge))
        this.#count('redis')
        return decision
      } catch (error) {
        requireOutage(error)
      }
    }
    const decision = makeDecision(charge, await this.#memory.decide(act, charge))
    this.#count('memory')
    return decision
  }

  async #add(subject: string, sign: 1 | -1, points: number, { windows }: Changed): Promise<Decision> {
    const additions: Addition[] = windows.map(({ name, seconds, points: own = points, resetAt }) => ({
      ...{ name, seconds, points: sign * own },
      ...(resetAt !== undefined && { resetAt }),
    }))
    const store = this.#shared?.isReady() ? this.#shared : this.#memory
    try {
      await store.add(subject, additions)
    } catch (error) {
      requireOutage(error)
    }
    return this.get(subject, { windows: windows.map(window => ({ ...window, points: 0 })) })
  }

  /** Runs an operator's change in Redis only: other processes would not see a change in this one's memory. */
  async #exactly<T>(change: (store: CountStore) => T | Promise<T>): Promise<T> {
    if (this.#shared && !this.#shared.isReady())
      throw new RedisOutage('Redis is unavailable; each process counts alone.')
    return change(this.#shared ?? this.#memory)
  }
}

/** Throws errors that are bugs, so that they do not look like an outage. */
function requireOutage(error: unknown): false {
  if (error instanceof RedisOutage) return false
  throw error
}
