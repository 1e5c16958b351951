import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Cluster, type Redis, type Result } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { Circuit } from './circuit.ts'
import type { Clock } from './clock.ts'
import type { BanRule, Limiter, Order, Store, Verdict } from './limiter.ts'
import type { Logger } from './log.ts'
import type { MemoryLimiter } from './memory-limiter.ts'
import { type Reply, readVerdict } from './verdict.ts'

/**
 * Why no page is ever old. A page is kept under the pets version that its reader's own charge brought, and was read from
 * the database after that; a writer drops the version between commit and answer. A writer that cannot reach Redis cannot
 * drop it, so a version lives LEASE_MS at most, and that writer answers only when every version from before its commit
 * has ended. A Redis that comes back with old data brings back only versions that ended while it was away.
 */
const LEASE_MS = 150
const LEASE_MARGIN_MS = 10

declare module 'ioredis' {
  interface RedisCommander<Context> {
    chargeStore(keyCount: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
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
const mostTogether = 100
const noBan: BanRule = { key: '', refusalsPerMinute: -1, seconds: 0, maxSeconds: 0 }

/** The library asks one window a round trip and counts refused calls; here one script weighs all windows and the ban. */
export class RedisLimiter extends InsuredLimiter implements Limiter {
  readonly #redis: Redis | Cluster
  readonly #circuit: Circuit
  readonly #clock: Clock
  readonly #count: (store: Store) => void
  readonly #freshPrefix = `${randomBytes(9).toString('base64url')}.`
  readonly #batches = new Map<string, Batch>()
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
    redis.defineCommand('chargeStore', { lua: script })
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
    const [batch, index] = this.#join(order, freshVersion)
    const answers = await batch.answers
    const answer = answers[index]
    if (answer === undefined) throw new Error('an order was left without an answer')
    this.#count('redis')
    return readVerdict(order, readReply(answer))
  }

  /** Orders that come in with one turn of the event loop are weighed by one call, each for itself. */
  #join(order: Order, freshVersion: string): [batch: Batch, index: number] {
    // A cluster takes only what lies on one node.
    const place = this.#redis instanceof Cluster ? order.subject : ''
    let batch = this.#batches.get(place)
    if (!batch || batch.keys.length === 2 * mostTogether) {
      batch = this.#openBatch(place)
      this.#batches.set(place, batch)
    }
    const { subject, points, windows, ban = noBan } = order
    const key = keyOf(subject)
    const { keys, values } = batch
    keys.push(key, `${key}:refusals:${ban.key}`)
    values.push(freshVersion, ban.refusalsPerMinute, ban.seconds * 1000, ban.maxSeconds * 1000)
    values.push(windows.length, `ban:${ban.key}`)
    for (const { name } of windows) values.push(name, `${name}Ends`)
    for (const rule of windows) values.push(rule.limit, rule.points ?? points, rule.seconds * 1000)
    return [batch, keys.length / 2 - 1]
  }

  #openBatch(place: string): Batch {
    const keys: string[] = []
    const values: (string | number)[] = [LEASE_MS, this.#clock.aheadMs()]
    const answers = new Promise<string[]>((resolve, reject) => {
      setImmediate(() => {
        if (this.#batches.get(place)?.keys === keys) this.#batches.delete(place)
        this.#circuit.run(this.#redis.chargeStore(keys.length, ...keys, ...values)).then(resolve, reject)
      })
    })
    return { keys, values, answers }
  }
}

type Batch = { keys: string[]; values: (string | number)[]; answers: Promise<string[]> }

/** What limiter.lua answers; a dash stands for no version. */
function readReply(text: string): Reply {
  const [outcome, banEndsAt, banBegins, version = '-', ...states] = text.split(' ')
  return {
    outcome: Number(outcome),
    banEndsAt: Number(banEndsAt),
    banBegins: banBegins === '1',
    petsVersion: version === '-' ? null : version,
    states: states.map(Number),
  }
}

/** The braces put all that one charge touches on one node of a cluster. */
const keyOf = (subject: string) => `animal-store:{${subject}}`
