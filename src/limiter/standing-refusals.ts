import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Charge, Decision } from './limiter.ts'

/** So long a refusal stands without being asked for again. */
const standsMs = 100
/** Of the refusals that are left until a ban, so few that several processes together hardly pass it unseen. */
const ownShare = 1 / 20

type Standing = { decision: Decision; until: number; most: number; untold: number }

/**
 * What is full stays full until its window ends, and a ban stays a ban: whoever floods is refused by this process alone for
 * a moment, which spares Redis. How many refusals those were is told together.
 */
export class StandingRefusals {
  readonly #standing = new WeakMap<Charge, Standing>()
  readonly #tell: (charge: Charge, refusals: number) => void
  #nextTurn: Promise<void> | null = null

  constructor(tell: (charge: Charge, refusals: number) => void) {
    this.#tell = tell
  }

  /** Null where Redis has to be asked. */
  find(charge: Charge, now: number): Promise<Decision> | null {
    const standing = this.#standing.get(charge)
    if (!standing) return null
    if (now >= standing.until || standing.untold >= standing.most) {
      this.#tellOf(charge)
      return null
    }
    if (charge.ban && standing.untold++ === 0) setTimeout(() => this.#tellOf(charge), standsMs).unref()
    return this.#withTheOthers(standing.decision)
  }

  /** Answers leave together: one that leaves while requests are still read wakes up its reader for itself alone, which costs more. */
  async #withTheOthers(decision: Decision): Promise<Decision> {
    this.#nextTurn ??= nextTurn().then(() => {
      this.#nextTurn = null
    })
    await this.#nextTurn
    return decision
  }

  /** Keeps what Redis said, which had refused the key so often in this minute. */
  note(charge: Charge, decision: Decision, refusals: number, now: number): void {
    // That a ban begins is said once.
    if (decision.outcome === 'accepted' || decision.banBegins) return
    const left =
      decision.outcome === 'limited' && charge.ban
        ? charge.ban.refusalsPerMinute - refusals
        : Number.POSITIVE_INFINITY
    this.#standing.set(charge, {
      decision,
      until: Math.min(now + standsMs, decision.retryAt ?? now),
      most: Math.floor(left * ownShare),
      untold: this.#standing.get(charge)?.untold ?? 0,
    })
  }

  #tellOf(charge: Charge): void {
    const standing = this.#standing.get(charge)
    if (!standing || standing.untold === 0) return
    this.#tell(charge, standing.untold)
    standing.untold = 0
  }
}
