import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Clock } from '../tools/clock.ts'
import { readDecision } from './decision.ts'
import type { Charge, Decision, Limiter, Store } from './limiter.ts'
import { MemoryCounts } from './memory-counts.ts'

/**
 * The insurance, which counts only what passes while Redis is away, or the sole limiter of a process without Redis.
 * As insurance it brings no version, since it cannot know what other processes write.
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

  charge(charge: Charge): Promise<Decision> {
    return this.#ask('charge', charge)
  }

  peek(charge: Charge): Promise<Decision> {
    return this.#ask('peek', charge)
  }

  async renewVersion(subject: string): Promise<boolean> {
    this.#counts.renewVersion(subject)
    return !this.#isInsurance
  }

  isExact(): boolean {
    return !this.#isInsurance
  }

  close(): void {}

  async #ask(act: 'charge' | 'peek', charge: Charge): Promise<Decision> {
    this.#count('memory')
    const decision = readDecision(charge, this.#counts.decide(charge, act, this.#clock.now()))
    return this.#isInsurance ? { ...decision, version: null } : decision
  }
}
