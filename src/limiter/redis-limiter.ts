import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Changes } from '../database/changes.ts'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import { Circuit } from './circuit.ts'
import { type Reply, readDecision } from './decision.ts'
import type { Charge, Decision, Limiter, Store } from './limiter.ts'
import type { MemoryLimiter } from './memory-limiter.ts'
import { onLostConnection } from './redis.ts'
import { keyOf, RedisCharges, readReply } from './redis-charges.ts'
import { StandingRefusals } from './standing-refusals.ts'

/**
 * Why no page is ever old. A page is kept under the pets version that its reader's own charge brought, and was read from
 * the database after that; a writer changes the version between commit and answer. A writer that cannot reach Redis lets
 * PostgreSQL count its change, as it counts whatever others write there; each process reads that count so often that none
 * is trusted longer than TRUSTED_MS, and that writer answers only after this. A Redis that comes back with old data
 * brings back no page, for every lost connection is counted too, and all three make up the version.
 */
const TRUSTED_MS = 100
const MARGIN_MS = 10
/** What a writer waits for Redis before it turns to PostgreSQL. */
const ANNOUNCED_WITHIN_MS = 60

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
  changes: Changes | undefined
  count: (store: Store) => void
}

/** The library asks one window a round trip and counts refused calls; here one script decides all windows and the ban. */
export class RedisLimiter extends InsuredLimiter implements Limiter {
  readonly #charges: RedisCharges
  readonly #circuit: Circuit
  readonly #changes: Changes | undefined
  readonly #count: (store: Store) => void
  #lostConnections = 0
  #lastSubject = ''
  readonly #clock: Clock
  readonly #refusals: StandingRefusals

  constructor({ redis, memory, clock, log, changes, count }: Options) {
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
    this.#changes = changes
    this.#clock = clock
    this.#count = count
    // Those that do not reach Redis are not counted there, like all that passes while it is away.
    this.#refusals = new StandingRefusals((charge, refusals) => {
      this.#charges.noteRefusals(charge, refusals).catch(() => {})
    })
    onLostConnection(redis, () => this.#lostConnections++)
  }

  charge(charge: Charge): Promise<Decision> {
    return this.#ask('charge', charge)
  }

  peek(charge: Charge): Promise<Decision> {
    return this.#ask('peek', charge)
  }

  renewPetsVersion(subject: string, newPet?: bigint): Promise<void> {
    return new Promise((resolve, reject) => {
      let turned = false
      const turnToDatabase = () => {
        if (turned) return
        turned = true
        this.#countPets().then(resolve, reject)
      }
      if (!this.isExact()) return turnToDatabase()
      const patience = setTimeout(turnToDatabase, ANNOUNCED_WITHIN_MS)
      this.#charges
        .renewPetsVersion(subject, newPet)
        .then(resolve, turnToDatabase)
        .finally(() => clearTimeout(patience))
    })
  }

  /** Returns when no process trusts a page from before any more. */
  async #countPets(): Promise<void> {
    await this.#changes?.countPets()
    await pause(TRUSTED_MS + MARGIN_MS)
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
      const lostConnections = this.#lostConnections
      const looked = this.#changes?.seen('pets', TRUSTED_MS) === null ? this.#changes.look() : null
      const reply = readReply(await this.#charges[act](charge))
      if (looked) await looked
      this.#count('redis')
      const decision = readDecision(charge, reply, this.#wholeVersion(reply, lostConnections))
      if (act === 'charge') this.#refusals.note(charge, decision, reply.refusals, this.#clock.now())
      return decision
    } catch (error) {
      // The library asks the insurance; to go by its `_operation` would cost every charge three promises more.
      return new Promise((resolve, reject) => this._handleError(error, act, resolve, reject, [charge]))
    }
  }

  /** All that a page depends on: what Redis says, over which connection, and what nobody told Redis. */
  #wholeVersion({ petsVersion }: Reply, lostConnections: number): string | null {
    const unannounced = this.#changes?.seen('pets', TRUSTED_MS)
    return unannounced && petsVersion ? `${lostConnections}.${unannounced.count}.${petsVersion}` : null
  }
}
