import type { Logger } from '../tools/log.ts'

const BEAT_MS = 25
const PATIENCE_BEATS = 7
const FAILURES_TO_OPEN = 3
const PROBE_EVERY_MS = 200

type Waiting = { since: number; giveUp: (error: Error) => void }

/**
 * Stands between the limiter and Redis: an answer may take seven beats (150 to 175 ms), and after three failures in a
 * row nothing is asked at all until a probe is answered.
 */
export class Circuit {
  readonly #probe: () => Promise<unknown>
  readonly #log: Logger
  readonly #waiting = new Set<Waiting>()
  #beats = 0
  #failures = 0
  #beating: NodeJS.Timeout | undefined
  #probing: NodeJS.Timeout | undefined

  constructor(probe: () => Promise<unknown>, log: Logger) {
    this.#probe = probe
    this.#log = log
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
          if (this.#waiting.delete(waiting)) this.#fail(error)
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
      if (this.#beats - waiting.since < PATIENCE_BEATS) return
      this.#waiting.delete(waiting)
      const error = new Error('Redis did not answer in time.')
      waiting.giveUp(error)
      this.#fail(error)
    }
    clearInterval(this.#beating)
    this.#beating = undefined
  }

  #fail(error: Error): void {
    if (++this.#failures < FAILURES_TO_OPEN || this.isOpen) return
    this.#log.warn({ error }, 'Each process counts the limits alone until Redis answers')
    this.#probing = setInterval(() => this.#tryAgain(), PROBE_EVERY_MS).unref()
    for (const waiting of this.#waiting) waiting.giveUp(error)
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
