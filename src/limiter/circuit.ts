import { ReplyError } from 'ioredis'
import type { Logger } from '../tools/log.ts'

/** Redis does not answer, or refuses to count. Only after this error are charges counted in memory. */
export class RedisOutage extends Error {
  /** True if Redis itself reported the outage. One such answer is enough to open the circuit. */
  readonly saidByRedis: boolean

  constructor(message: string, saidByRedis = false) {
    super(message)
    this.saidByRedis = saidByRedis
  }
}

/**
 * Redis' replies about its own state, and about commands that it lacks or that the user may not run. In older versions
 * of Redis, the reply to a script begins with the place in the script where the command failed, and the error's code
 * follows after this place.
 */
const ownState =
  /(?:^|[ -])(?:CLUSTERDOWN|LOADING|READONLY|OOM|MISCONF|MASTERDOWN|NOREPLICAS|BUSY|TRYAGAIN|MOVED|ASK|NOAUTH|WRONGPASS|NOPERM|ERR max number of clients|ACL failure in script|The user executing the script|[Uu]nknown (?:Redis )?command)\b/
const bugs = [TypeError, RangeError, ReferenceError]

/** Throws a command's error as a RedisOutage, or unchanged if it is a bug of ours, such as a failing script. */
export function outageOr(error: unknown): never {
  const saidByRedis = error instanceof ReplyError
  const isBug = saidByRedis ? !ownState.test(messageOf(error)) : bugs.some(kind => error instanceof kind)
  throw isBug ? error : new RedisOutage(messageOf(error), saidByRedis)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const BEAT_MS = 25
const FAILURES_TO_OPEN = 3
const PROBE_EVERY_MS = 200

type Waiting = { since: number; giveUp: (outage: RedisOutage) => void }

/**
 * A circuit breaker between the limiter and Redis. An answer times out after `timeoutMs`, or a little later. Three
 * outages in a row open the circuit until a probe succeeds. Only a RedisOutage counts; other errors are bugs of ours and
 * are thrown.
 */
export class Circuit {
  readonly #probe: () => Promise<unknown>
  readonly #log: Logger
  readonly #timeoutBeats: number
  // An array whose free places are used again, not a Set. A growing Set replaces its table, and each replaced table
  // keeps settled answers in memory until the next full garbage collection.
  readonly #waiting: (Waiting | null)[] = []
  readonly #free: number[] = []
  #beats = 0
  #failures = 0
  #beating: NodeJS.Timeout | undefined
  #probing: NodeJS.Timeout | undefined

  constructor(probe: () => Promise<unknown>, log: Logger, timeoutMs: number) {
    this.#probe = probe
    this.#log = log
    this.#timeoutBeats = Math.ceil(timeoutMs / BEAT_MS) + 1
  }

  get isOpen(): boolean {
    return this.#probing !== undefined
  }

  run<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { since: this.#beats, giveUp: reject }
      const place = this.#free.pop() ?? this.#waiting.length
      this.#waiting[place] = waiting
      this.#beating ??= setInterval(() => this.#beat(), BEAT_MS).unref()
      answer.then(
        value => {
          if (this.#remove(waiting, place)) this.#failures = 0
          resolve(value)
        },
        error => {
          if (this.#remove(waiting, place) && error instanceof RedisOutage) this.#fail(error)
          reject(error)
        },
      )
    })
  }

  /** Returns false if the answer has timed out already. */
  #remove(waiting: Waiting, place: number): boolean {
    if (this.#waiting[place] !== waiting) return false
    this.#waiting[place] = null
    this.#free.push(place)
    return true
  }

  close(): void {
    clearInterval(this.#beating)
    clearInterval(this.#probing)
    this.#beating = this.#probing = undefined
  }

  /**
   * Measures timeouts in ticks of a timer, not in time. After a stall of the process the timer ticks only once, so the
   * process reads the answers that have arrived before a timeout ends them.
   */
  #beat(): void {
    this.#beats++
    for (const [place, waiting] of this.#waiting.entries()) {
      if (!waiting || this.#beats - waiting.since < this.#timeoutBeats) continue
      this.#remove(waiting, place)
      const outage = new RedisOutage('Redis did not answer in time.')
      waiting.giveUp(outage)
      this.#fail(outage)
    }
    if (this.#free.length < this.#waiting.length) return
    clearInterval(this.#beating)
    this.#beating = undefined
  }

  #fail(outage: RedisOutage): void {
    this.#failures++
    if (this.isOpen || (this.#failures < FAILURES_TO_OPEN && !outage.saidByRedis)) return
    const { message: reason } = outage
    this.#log.warn(
      { reason },
      'limiter: Redis is unavailable; each process counts alone until Redis answers again',
    )
    this.#probing = setInterval(() => this.#tryAgain(), PROBE_EVERY_MS).unref()
    for (const [place, waiting] of this.#waiting.entries()) {
      if (!waiting) continue
      this.#remove(waiting, place)
      waiting.giveUp(outage)
    }
  }

  #tryAgain(): void {
    this.run(this.#probe()).then(
      () => {
        if (!this.isOpen) return
        clearInterval(this.#probing)
        this.#probing = undefined
        this.#log.info('limiter: Redis counts again')
      },
      () => {},
    )
  }
}
