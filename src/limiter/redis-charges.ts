import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Cluster, type Redis, type Result } from 'ioredis'
import type { Clock } from '../tools/clock.ts'
import type { Circuit } from './circuit.ts'
import type { Reply } from './decision.ts'
import type { BanRule, Charge } from './limiter.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    decideCharges(keyCount: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
  }
}

/** A charge, a new pet or refusals, in the words of limiter.lua. */
type Spelled = { keys: string[]; values: string[] }
type Batch = { add(charge: Spelled): Promise<string> }

const script = readFileSync(new URL('./limiter.lua', import.meta.url), 'utf8')
/** So few that Redis decides the first while this process still reads the requests of the others. */
const mostTogether = 12
const noBan: BanRule = { key: '', refusalsPerMinute: -1, seconds: 0, maxSeconds: 0 }

/** What limiter.lua does, asked for by few calls for all that comes in with one turn of the event loop. */
export class RedisCharges {
  readonly #redis: Redis | Cluster
  readonly #circuit: Circuit
  readonly #clock: Clock
  readonly #batches = new Map<string, Batch>()
  readonly #eraPrefix = `${randomBytes(9).toString('base64url')}.`
  #eras = 0
  readonly #spelled = new WeakMap<Charge, Spelled>()

  constructor(redis: Redis | Cluster, circuit: Circuit, clock: Clock) {
    redis.defineCommand('decideCharges', { lua: script })
    this.#redis = redis
    this.#circuit = circuit
    this.#clock = clock
  }

  /** What readReply reads. */
  charge(charge: Charge): Promise<string> {
    return this.#decide(charge, 1)
  }

  peek(charge: Charge): Promise<string> {
    return this.#decide(charge, 0)
  }

  async renewVersion(subject: string): Promise<void> {
    const key = keyOf(subject)
    const values = ['', 'pet']
    await this.#batchFor(subject).add({ keys: [key, key], values })
  }

  /** Counts refusals of the charge's key that were given without asking. */
  async noteRefusals(charge: Charge, refusals: number): Promise<void> {
    const { keys } = this.#spell(charge, 1)
    await this.#batchFor(charge.subject).add({ keys, values: [String(refusals), 'refused'] })
  }

  #decide(charge: Charge, charging: 0 | 1): Promise<string> {
    return this.#batchFor(charge.subject).add(this.#spell(charge, charging))
  }

  /** A key's charges are one charge again and again, and spelled once. */
  #spell(charge: Charge, charging: 0 | 1): Spelled {
    if (!charge.ban || charging === 0) return spell(charge, charging)
    const known = this.#spelled.get(charge)
    if (known) return known
    const spelled = spell(charge, charging)
    this.#spelled.set(charge, spelled)
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
      this.#circuit.run(this.#redis.decideCharges(keys.length, ...keys, ...values)).then(resolve, reject)
    }
    const atTurnsEnd = setImmediate(send)
    return {
      add(charge) {
        const index = keys.length / 2
        keys.push(...charge.keys)
        values.push(...charge.values)
        if (index + 1 === mostTogether) send()
        return answers.then(texts => {
          const text = texts[index]
          if (text === undefined) throw new Error('a charge was left without an answer')
          return text
        })
      },
    }
  }
}

function spell({ subject, points, windows, ban = noBan }: Charge, charging: 0 | 1): Spelled {
  const key = keyOf(subject)
  // One text, which limiter.lua reads once for all charges that have it.
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
    version: version === '-' ? null : version,
    refusals: Number(refusals),
    states: states.map(Number),
  }
}

/** The braces put all that one charge touches on one node of a cluster. */
export const keyOf = (subject: string) => `animal-store:{${subject}}`
