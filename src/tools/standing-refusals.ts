import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Order, Verdict } from './limiter.ts'

/** So long a refusal stands without being asked for again. */
const standsMs = 100
/** Of the refusals that are left until a ban, so few that several processes together hardly pass it unseen. */
const ownShare = 1 / 20

type Standing = { verdict: Verdict; until: number; most: number; untold: number }

/**
 * What is full stays full until its window ends, and a ban stays a ban: whoever floods is refused by this process alone for
 * a moment, which spares Redis. How many refusals those were is told together.
 */
export class StandingRefusals {
  readonly #standing = new WeakMap<Order, Standing>()
  readonly #tell: (order: Order, refusals: number) => void
  #nextTurn: Promise<void> | null = null

  constructor(tell: (order: Order, refusals: number) => void) {
    this.#tell = tell
  }

  /** Null where Redis has to be asked. */
  find(order: Order, now: number): Promise<Verdict> | null {
    const standing = this.#standing.get(order)
    if (!standing) return null
    if (now >= standing.until || standing.untold >= standing.most) {
      this.#tellOf(order)
      return null
    }
    if (order.ban && standing.untold++ === 0) setTimeout(() => this.#tellOf(order), standsMs).unref()
    return this.#withTheOthers(standing.verdict)
  }

  /** Answers leave together: one that leaves while requests are still read wakes up its reader for itself alone, which costs more. */
  async #withTheOthers(verdict: Verdict): Promise<Verdict> {
    this.#nextTurn ??= nextTurn().then(() => {
      this.#nextTurn = null
    })
    await this.#nextTurn
    return verdict
  }

  /** Keeps what Redis said, which had refused the key so often in this minute. */
  note(order: Order, verdict: Verdict, refusals: number, now: number): void {
    // That a ban begins is said once.
    if (verdict.outcome === 'accepted' || verdict.banBegins) return
    const left =
      verdict.outcome === 'limited' && order.ban
        ? order.ban.refusalsPerMinute - refusals
        : Number.POSITIVE_INFINITY
    this.#standing.set(order, {
      verdict,
      until: Math.min(now + standsMs, verdict.retryAt ?? now),
      most: Math.floor(left * ownShare),
      untold: this.#standing.get(order)?.untold ?? 0,
    })
  }

  #tellOf(order: Order): void {
    const standing = this.#standing.get(order)
    if (!standing || standing.untold === 0) return
    this.#tell(order, standing.untold)
    standing.untold = 0
  }
}
