import type { BanRule, Charge } from './charge.ts'
import type { Counts } from './decision.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Window = { used: number; endsAt: number }
type Offender = { refusals: Window; banEndsAt: number; bans: number[] }
type Subject = {
  windows: Map<string, Window>
  offenders: Map<string, Offender> | undefined
  /** When nothing of it matters any more. */
  forgetAt: number
}

/** What limiter.lua does in Redis, for one process: decides a charge against all its windows and takes all or nothing. */
export class MemoryCounts {
  readonly #subjects = new Map<string, Subject>()
  #sweep = this.#subjects.entries()

  get size(): number {
    return this.#subjects.size
  }

  decide(charge: Charge, act: 'charge' | 'peek', now: number): Counts {
    this.#forgetEnded(now)
    const subject = this.#subjects.get(charge.subject) ?? this.#open(charge.subject, now)

    const states = charge.windows.map(rule => {
      const window = subject.windows.get(rule.name)
      const begun = window !== undefined && window.endsAt > now
      const { used, endsAt } = begun ? window : { used: 0, endsAt: now + rule.seconds * 1000 }
      const points = rule.points ?? charge.points
      return { name: rule.name, points, used, endsAt, isFull: points > 0 && used + points > rule.limit }
    })
    const found = (outcome: number, banEndsAt = 0, banBegins = false): Counts => ({
      now,
      outcome,
      banEndsAt,
      banBegins,
      version: null,
      states: states.flatMap(({ used, endsAt }) => [used, endsAt]),
    })

    const banEndsAt = (charge.ban && subject.offenders?.get(charge.ban.key)?.banEndsAt) ?? 0
    if (banEndsAt > now) return found(2, banEndsAt)
    const isRefused = states.some(({ isFull }) => isFull)
    if (isRefused && charge.ban && act === 'charge') {
      const newBanEndsAt = countRefusal(subject, charge.ban, now)
      if (newBanEndsAt > 0) return found(2, newBanEndsAt, true)
    }
    if (isRefused) return found(1)
    if (act === 'peek') return found(0)

    for (const state of states) {
      if (state.points === 0) continue
      state.used += state.points
      subject.windows.set(state.name, { used: state.used, endsAt: state.endsAt })
      subject.forgetAt = Math.max(subject.forgetAt, state.endsAt)
    }
    return found(0)
  }

  #open(name: string, now: number): Subject {
    const subject = { windows: new Map(), offenders: undefined, forgetAt: now }
    this.#subjects.set(name, subject)
    return subject
  }

  /** Each charge visits two subjects, so that ended ones go as fast as new ones come, without a timer. */
  #forgetEnded(now: number): void {
    for (let visited = 0; visited < 2; visited++) {
      const next = this.#sweep.next()
      if (next.done) {
        this.#sweep = this.#subjects.entries()
        return
      }
      const [name, subject] = next.value
      if (subject.forgetAt < now) this.#subjects.delete(name)
    }
  }
}

/** Returns the end of the ban that this refusal begins, or 0. */
function countRefusal(subject: Subject, ban: BanRule, now: number): number {
  subject.offenders ??= new Map()
  const offender = subject.offenders.get(ban.key) ?? {
    refusals: { used: 0, endsAt: 0 },
    banEndsAt: 0,
    bans: [],
  }
  subject.offenders.set(ban.key, offender)
  if (offender.refusals.endsAt <= now) offender.refusals = { used: 0, endsAt: now + MINUTE_MS }
  if (++offender.refusals.used <= ban.refusalsPerMinute) {
    subject.forgetAt = Math.max(subject.forgetAt, offender.refusals.endsAt)
    return 0
  }
  const bans = offender.bans.filter(began => now - began < DAY_MS)
  offender.banEndsAt = now + Math.min(ban.seconds * 2 ** bans.length, ban.maxSeconds) * 1000
  // The thirty-second doubling is beyond any longest ban.
  offender.bans = [...bans, now].slice(-32)
  offender.refusals = { used: 0, endsAt: 0 }
  subject.forgetAt = Math.max(subject.forgetAt, now + DAY_MS, offender.banEndsAt)
  return offender.banEndsAt
}
