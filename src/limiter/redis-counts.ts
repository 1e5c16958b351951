import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Cluster, type Redis, type Result } from 'ioredis'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import type { Act, Addition, BanRule, Charge, WindowRule } from './charge.ts'
import { Circuit, outageOr } from './circuit.ts'
import type { CountStore, Counts } from './decision.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    decideCharges(keyCount: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
  }
}

/**
 * The most entries of a batch. It is small, so that Redis decides the first charges while this process still reads
 * other requests.
 */
const mostTogether = 12
const lua = readFileSync(new URL('./limiter.lua', import.meta.url), 'utf8')
const noBan: BanRule = { key: '', refusalsPerMinute: -1, seconds: 0, maxSeconds: 0 }

/** The braces put all keys of a charge on one node of a cluster. */
export const keyOf = (subject: string) => `animal-store:{${subject}}`

type Batch = {
  place: string
  keys: string[]
  values: (string | number)[]
  answer: Promise<string[]>
  send(): void
}
type Options = {
  redis: Redis | Cluster
  clock: Clock
  log: Logger
  /** Called with the seconds that Redis took for each batch. */
  time: (seconds: number) => void
  timeoutMs: number
}

/**
 * Keeps counts in Redis, which all processes share. limiter.lua decides the charges of one turn of the event loop in a
 * few calls, because one call per charge would cost 1.4 to 1.7 times the CPU of a whole request. Outages are thrown as
 * RedisOutage.
 */
export class RedisCounts implements CountStore {
  readonly #redis: Redis | Cluster
  readonly #circuit: Circuit
  readonly #clock: Clock
  readonly #time: (seconds: number) => void
  // An array, not a Map, because each replaced table of a Map keeps batches in memory until the next full garbage
  // collection.
  readonly #open: Batch[] = []
  readonly #versionPrefix = randomUUID()
  #versions = 0
  #lastSubject = ''

  constructor({ redis, clock, log, time, timeoutMs }: Options) {
    redis.defineCommand('decideCharges', { lua })
    this.#redis = redis
    this.#clock = clock
    this.#time = time
    this.#circuit = new Circuit(() => this.#probe(), log, timeoutMs)
  }

  isReady(): boolean {
    return this.#redis.status === 'ready' && !this.#circuit.isOpen
  }

  async decide(act: Act, charge: Charge): Promise<Counts> {
    this.#lastSubject = charge.subject
    const { answer, index } = this.#join(charge.subject, charge.ban?.key ?? '', ruleText(act, charge))
    const texts = await answer
    return readCounts(texts[0], texts[index])
  }

  async add(subject: string, windows: readonly Addition[]): Promise<void> {
    let rule = 'add'
    for (const { name, seconds, points, resetAt = 0 } of windows) {
      rule += ` ${name} ${points} ${seconds * 1000} ${resetAt}`
    }
    await this.#join(subject, '', rule).answer
  }

  async reset(subject: string, windows: readonly WindowRule[]): Promise<boolean> {
    const words = windows.map(({ name, seconds }) => `${name} ${seconds * 1000}`)
    return this.#change(subject, '', `reset ${words.join(' ')}`)
  }

  async ban(subject: string, key: string, seconds: number): Promise<void> {
    await this.#change(subject, key, `ban ${seconds * 1000}`)
  }

  async liftBan(subject: string, key: string): Promise<boolean> {
    return this.#change(subject, key, 'lift')
  }

  /** Deletes the version; the next charge makes a new one. */
  renewVersion(subject: string): Promise<unknown> {
    return this.#join(subject, '', 'renew').answer
  }

  close(): void {
    this.#circuit.close()
  }

  /**
   * Runs each command of limiter.lua, because Redis may refuse only some of them, for example writes. The last rule
   * deletes what the first one writes. In a cluster this runs on the node of the subject that was charged last, because
   * that node has failed.
   */
  #probe(): Promise<unknown> {
    const key = `${keyOf(this.#lastSubject)}:probe`
    const rules = ['ban 1000', 'peek -1 0 0', 'lift']
    const keys = rules.flatMap(() => [key, `${key}:refusals`])
    return this.#redis.decideCharges(keys.length, ...keys, 0, '', ...rules.flatMap(rule => ['ban:', rule]))
  }

  /** Returns true if Redis had something to remove: counts or a ban. */
  async #change(subject: string, banKey: string, rule: string): Promise<boolean> {
    const { answer, index } = this.#join(subject, banKey, rule)
    return Number((await answer)[index]) > 0
  }

  /**
   * Adds an entry to the open batch. `answer` resolves with the answers of the whole batch; the entry's answer is at
   * `index` of these answers.
   */
  #join(subject: string, banKey: string, rule: string): { answer: Promise<string[]>; index: number } {
    // In a cluster, all entries of a batch must be on one node.
    const place = this.#redis instanceof Cluster ? subject : ''
    const batch = this.#open.find(open => open.place === place) ?? this.#openBatch(place)
    const key = keyOf(subject)
    batch.keys.push(key, `${key}:refusals:${banKey}`)
    batch.values.push(`ban:${banKey}`, rule)
    const index = batch.keys.length / 2
    if (index === mostTogether) batch.send()
    return { answer: batch.answer, index }
  }

  #openBatch(place: string): Batch {
    const { promise: answer, resolve, reject } = Promise.withResolvers<string[]>()
    const batch: Batch = {
      place,
      keys: [],
      values: [this.#clock.aheadMs(), `${this.#versionPrefix}.${++this.#versions}`],
      answer,
      send: () => {
        clearImmediate(atTurnsEnd)
        this.#open.splice(this.#open.indexOf(batch), 1)
        const { keys, values } = batch
        const sentAt = performance.now()
        this.#circuit
          .run(this.#redis.decideCharges(keys.length, ...keys, ...values).catch(outageOr))
          .finally(() => this.#time((performance.now() - sentAt) / 1000))
          .then(resolve, reject)
      },
    }
    const atTurnsEnd = setImmediate(batch.send)
    this.#open.push(batch)
    return batch
  }
}

/** Returns the rule as one text. limiter.lua parses it once for all charges with this rule. */
function ruleText(act: Act, { points, windows, ban = noBan }: Charge): string {
  let rule = `${act} ${ban.refusalsPerMinute} ${ban.seconds * 1000} ${ban.maxSeconds * 1000}`
  for (const { name, limit, points: own = points, seconds } of windows) {
    rule += ` ${name} ${limit} ${own} ${seconds * 1000}`
  }
  return rule
}

/** Parses limiter.lua's answer to one charge; a dash means no version. */
function readCounts(now: string | undefined, text: string | undefined): Counts {
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
