import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Cluster, type Redis, type Result } from 'ioredis'
import type { Circuit } from './circuit.ts'
import type { Clock } from './clock.ts'
import type { BanRule, Order } from './limiter.ts'
import type { Reply } from './verdict.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    weighOrders(keyCount: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
  }
}

/** An order, a new pet or refusals, in the words of limiter.lua. */
type Spelled = { keys: string[]; values: string[] }
type Batch = { add(order: Spelled): Promise<string> }

const script = readFileSync(new URL('./limiter.lua', import.meta.url), 'utf8')
/** So few that Redis weighs the first while this process still reads the requests of the others. */
const mostTogether = 12
const noBan: BanRule = { key: '', refusalsPerMinute: -1, seconds: 0, maxSeconds: 0 }

/** What limiter.lua does, asked for by few calls for all that comes in with one turn of the event loop. */
export class RedisOrders {
  readonly #redis: Redis | Cluster
  readonly #circuit: Circuit
  readonly #clock: Clock
  readonly #batches = new Map<string, Batch>()
  readonly #eraPrefix = `${randomBytes(9).toString('base64url')}.`
  #eras = 0
  readonly #spelled = new WeakMap<Order, Spelled>()

  constructor(redis: Redis | Cluster, circuit: Circuit, clock: Clock) {
    redis.defineCommand('weighOrders', { lua: script })
    this.#redis = redis
    this.#circuit = circuit
    this.#clock = clock
  }

  /** What readReply reads. */
  charge(order: Order): Promise<string> {
    return this.#weigh(order, 1)
  }

  look(order: Order): Promise<string> {
    return this.#weigh(order, 0)
  }

  /** Changes the subject's pets version: by one new pet, or altogether. */
  async renewPetsVersion(subject: string, newPet: bigint | undefined): Promise<void> {
    const key = keyOf(subject)
    const values = [newPet === undefined ? '' : String(newPet), 'pet']
    await this.#batchFor(subject).add({ keys: [key, key], values })
  }

  /** Counts refusals of the order's key that were given without asking. */
  async noteRefusals(order: Order, refusals: number): Promise<void> {
    const { keys } = this.#spell(order, 1)
    await this.#batchFor(order.subject).add({ keys, values: [String(refusals), 'refused'] })
  }

  #weigh(order: Order, charging: 0 | 1): Promise<string> {
    return this.#batchFor(order.subject).add(this.#spell(order, charging))
  }

  /** A key's charges are one order again and again, and spelled once. */
  #spell(order: Order, charging: 0 | 1): Spelled {
    if (!order.ban || charging === 0) return spell(order, charging)
    const known = this.#spelled.get(order)
    if (known) return known
    const spelled = spell(order, charging)
    this.#spelled.set(order, spelled)
    return spelled
  }

  #batchFor(subject: string): Batch {
    // A cluster takes only what lies on one node.
    const place = this.#redis instanceof Cluster ? subject : ''
    const open = this.#batches.get(place)
    if (open) return open
    const batch = this.#openBatch(place)
    this.#batches.set(place, batch)
    return batch
  }

  #openBatch(place: string): Batch {
    const keys: string[] = []
    const values: (string | number)[] = [this.#clock.aheadMs(), this.#eraPrefix + this.#eras++]
    const { promise: answers, resolve, reject } = Promise.withResolvers<string[]>()
    const send = () => {
      clearImmediate(atTurnsEnd)
      this.#batches.delete(place)
      this.#circuit.run(this.#redis.weighOrders(keys.length, ...keys, ...values)).then(resolve, reject)
    }
    const atTurnsEnd = setImmediate(send)
    return {
      add(order) {
        const index = keys.length / 2
        keys.push(...order.keys)
        values.push(...order.values)
        if (index + 1 === mostTogether) send()
        return answers.then(texts => {
          const text = texts[index]
          if (text === undefined) throw new Error('an order was left without an answer')
          return text
        })
      },
    }
  }
}

function spell({ subject, points, windows, ban = noBan }: Order, charging: 0 | 1): Spelled {
  const key = keyOf(subject)
  // One text, which limiter.lua reads once for all orders that have it.
  let rule = `${charging} ${ban.refusalsPerMinute} ${ban.seconds * 1000} ${ban.maxSeconds * 1000}`
  for (const { name, limit, points: own = points, seconds } of windows) {
    rule += ` ${name} ${limit} ${own} ${seconds * 1000}`
  }
  return { keys: [key, `${key}:refusals:${ban.key}`], values: [`ban:${ban.key}`, rule] }
}

/** What limiter.lua answers; a dash stands for no version. */
export function readReply(text: string): Reply & { refusals: number } {
  const [outcome, banEndsAt, banBegins, version = '-', refusals, ...states] = text.split(' ')
  return {
    outcome: Number(outcome),
    banEndsAt: Number(banEndsAt),
    banBegins: banBegins === '1',
    petsVersion: version === '-' ? null : version,
    refusals: Number(refusals),
    states: states.map(Number),
  }
}

/** The braces put all that one charge touches on one node of a cluster. */
export const keyOf = (subject: string) => `animal-store:{${subject}}`
