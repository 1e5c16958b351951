import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Clock } from './clock.ts'
import type { Limiter, Order, Store, Verdict } from './limiter.ts'
import { MemoryCounts } from './memory-counts.ts'
import { readVerdict } from './verdict.ts'

/**
 * The insurance, which counts only what passes while Redis is away, or the sole limiter of a process without Redis.
 * As insurance it brings no pets version, since it cannot know what other processes write.
 */
export class MemoryLimiter extends RateLimiterMemory implements Limiter {
  readonly #counts = new MemoryCounts()
  readonly #clock: Clock
  readonly #count: (store: Store) => void
  readonly #isInsurance: boolean

  constructor(clock: Clock, count: (store: Store) => void, isInsurance: boolean) {
    super({ points: 1, duration: 1 })
    this.#clock = clock
    this.#count = count
    this.#isInsurance = isInsurance
  }

  charge(order: Order): Promise<Verdict> {
    return this.#ask('charge', order)
  }

  look(order: Order): Promise<Verdict> {
    return this.#ask('look', order)
  }

  async renewPetsVersion(subject: string): Promise<void> {
    this.#counts.renewPetsVersion(subject)
  }

  isExact(): boolean {
    return !this.#isInsurance
  }

  close(): void {}

  async #ask(act: 'charge' | 'look', order: Order): Promise<Verdict> {
    this.#count('memory')
    const verdict = readVerdict(order, this.#counts.weigh(order, act, this.#clock.now()))
    return this.#isInsurance ? { ...verdict, petsVersion: null } : verdict
  }
}
