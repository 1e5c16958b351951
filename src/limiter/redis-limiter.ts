import type { Cluster, Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import { Circuit } from './circuit.ts'
import { readDecision } from './decision.ts'
import type { Charge, Decision, Limiter, Store } from './limiter.ts'
import type { MemoryLimiter } from './memory-limiter.ts'
import { keyOf, RedisCharges, readReply } from './redis-charges.ts'
import { StandingRefusals } from './standing-refusals.ts'

/** So long a writer waits for Redis. */
const RENEWED_WITHIN_MS = 60

/** What the library's limiters share among themselves and its types leave out. */
type Insides = {
  _isRedisReady(key: string, isReadonly: boolean): boolean
  _handleError<T>(
    error: unknown,
    method: string,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
    parameters: unknown[],
  ): void
}
const InsuredLimiter = RateLimiterRedis as unknown as new (
  options: ConstructorParameters<typeof RateLimiterRedis>[0],
) => RateLimiterRedis & Insides

const outOfReach = new Error('Redis is out of reach.')

type Options = {
  redis: Redis | Cluster
  memory: MemoryLimiter
  clock: Clock
  log: Logger
  count: (store: Store) => void
}

/** The library asks one window a round trip and counts refused calls; here one script decides all windows and the ban. */
export class RedisLimiter extends InsuredLimiter implements Limiter {
  readonly #charges: RedisCharges
  readonly #circuit: Circuit
  readonly #count: (store: Store) => void
  #lastSubject = ''
  readonly #clock: Clock
  readonly #refusals: StandingRefusals

  constructor({ redis, memory, clock, log, count }: Options) {
    // The library wants points and a duration; ours come with every charge.
    super({
      storeClient: redis,
      insuranceLimiter: memory,
      rejectIfRedisNotReady: true,
      points: 1,
      duration: 1,
    })
    // The probe asks for the last subject, which in a cluster is the node that had not answered.
    this.#circuit = new Circuit(() => redis.exists(keyOf(this.#lastSubject)), log)
    this.#charges = new RedisCharges(redis, this.#circuit, clock)
    this.#clock = clock
    this.#count = count
    // Those that do not reach Redis are not counted there, like all that passes while it is away.
    this.#refusals = new StandingRefusals((charge, refusals) => {
      this.#charges.noteRefusals(charge, refusals).catch(() => {})
    })
  }

  charge(charge: Charge): Promise<Decision> {
    return this.#ask('charge', charge)
  }

  peek(charge: Charge): Promise<Decision> {
    return this.#ask('peek', charge)
  }

  renewVersion(subject: string): Promise<boolean> {
    if (!this.isExact()) return Promise.resolve(false)
    return new Promise(resolve => {
      const patience = setTimeout(() => resolve(false), RENEWED_WITHIN_MS)
      this.#charges
        .renewVersion(subject)
        .then(
          () => resolve(true),
          () => resolve(false),
        )
        .finally(() => clearTimeout(patience))
    })
  }

  isExact(): boolean {
    return this._isRedisReady('', false) && !this.#circuit.isOpen
  }

  close(): void {
    this.#circuit.close()
  }

  async #ask(act: 'charge' | 'peek', charge: Charge): Promise<Decision> {
    try {
      if (!this.isExact()) throw outOfReach
      const standing = act === 'charge' ? this.#refusals.find(charge, this.#clock.now()) : null
      if (standing) return standing
      this.#lastSubject = charge.subject
      const reply = readReply(await this.#charges[act](charge))
      this.#count('redis')
      const decision = readDecision(charge, reply)
      if (act === 'charge') this.#refusals.note(charge, decision, reply.refusals, this.#clock.now())
      return decision
    } catch (error) {
      // The library asks the insurance; to go by its `_operation` would cost every charge three promises more.
      return new Promise((resolve, reject) => this._handleError(error, act, resolve, reject, [charge]))
    }
  }
}
