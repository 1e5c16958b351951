import type { Logger } from '../tools/log.ts'
import { Outage } from './outage.ts'

const BEAT_MS = 25
const FAILURES_TO_OPEN = 3
const PROBE_EVERY_MS = 200

type Waiting = { since: number; giveUp: (outage: Outage) => void }

/**
 * Stands between the limiter and Redis: an answer may take so long, or a beat longer, and after three outages in a row
 * nothing is asked at all until a probe is answered. Only an outage counts; what else fails is none of Redis' doing.
 */
export class Circuit {
  readonly #probe: () => Promise<unknown>
  readonly #log: Logger
  readonly #patienceBeats: number
  readonly #waiting = new Set<Waiting>()
  #beats = 0
  #failures = 0
  #beating: NodeJS.Timeout | undefined
  #probing: NodeJS.Timeout | undefined

  constructor(probe: () => Promise<unknown>, log: Logger, patienceMs: number) {
    this.#probe = probe
    this.#log = log
    this.#patienceBeats = Math.ceil(patienceMs / BEAT_MS) + 1
  }

  get isOpen(): boolean {
    return this.#probing !== undefined
  }

  run<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { since: this.#beats, giveUp: reject }
      this.#waiting.add(waiting)
      this.#beating ??= setInterval(() => this.#beat(), BEAT_MS).unref()
      answer.then(
        value => {
          if (this.#waiting.delete(waiting)) this.#failures = 0
          resolve(value)
        },
        error => {
          if (this.#waiting.delete(waiting) && error instanceof Outage) this.#fail(error)
          reject(error)
        },
      )
    })
  }

  close(): void {
    clearInterval(this.#beating)
    clearInterval(this.#probing)
    this.#beating = this.#probing = undefined
  }

  /** Beats are counted, not time: a process that stalled reads the answers it kept waiting before its next beat. */
  #beat(): void {
    this.#beats++
    for (const waiting of this.#waiting) {
      if (this.#beats - waiting.since < this.#patienceBeats) return
      this.#waiting.delete(waiting)
      const outage = new Outage('Redis did not answer in time.')
      waiting.giveUp(outage)
      this.#fail(outage)
    }
    clearInterval(this.#beating)
    this.#beating = undefined
  }

  #fail(outage: Outage): void {
    this.#failures++
    if (this.isOpen || (this.#failures < FAILURES_TO_OPEN && !outage.saidByRedis)) return
    this.#log.warn({ error: outage }, 'Each process counts the limits alone until Redis takes them again')
    this.#probing = setInterval(() => this.#tryAgain(), PROBE_EVERY_MS).unref()
    for (const waiting of this.#waiting) waiting.giveUp(outage)
    this.#waiting.clear()
  }

  #tryAgain(): void {
    this.run(this.#probe()).then(
      () => {
        if (!this.isOpen) return
        clearInterval(this.#probing)
        this.#probing = undefined
        this.#log.info('The limits are counted in Redis again')
      },
      () => {},
    )
  }
}
