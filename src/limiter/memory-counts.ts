import type { Clock } from '../tools/clock.ts'
import { dayMs, minuteMs } from '../tools/durations.ts'
import type { Act, Addition, BanRule, Charge, WindowRule } from './charge.ts'
import type { CountStore, Counts } from './decision.ts'

type Window = { used: number; endsAt: number }
type Offender = { refusals: Window; banEndsAt: number; bans: number[] }
type Subject = {
  windows: Map<string, Window>
  offenders: Map<string, Offender> | undefined
  /** When the last of the subject's windows and bans ends. */
  forgetAt: number
}

/**
 * In milliseconds. The computer's clock counts as set only if it differs from the forward-only clock by at least this
 * much.
 */
const clockSetMs = 100

/**
 * Counts in this process. Windows use a clock that only runs forward, so that setting the computer's clock back does
 * not prolong them. Returned times are by the computer's clock. There are no versions, because other processes' writes
 * are unknown here.
 */
export function openMemoryCounts(clock: Clock): CountStore {
  const counts = new MemoryCounts()
  const began = clock.now() - clock.aheadMs() - performance.now()
  const now = () => Math.round(began + performance.now() + clock.aheadMs())
  const shiftedBy = () => {
    const setBy = clock.now() - now()
    return Math.abs(setBy) < clockSetMs ? 0 : setBy
  }

  return {
    decide: (act, charge) => shift(counts.decide(charge, act, now()), shiftedBy()),
    add: (subject, windows) => counts.add(subject, windows, now(), shiftedBy()),
    reset: (subject, windows) => counts.reset(subject, windows, now()),
    ban: (subject, key, seconds) => counts.ban(subject, key, now(), seconds),
    liftBan: (subject, key) => counts.liftBan(subject, key, now()),
  }
}

function shift(counts: Counts, ms: number): Counts {
  if (ms === 0) return counts
  const { now, banEndsAt, states } = counts
  // `states` has two numbers for each window: the used points, then the window's end. Shift only the ends.
  const shifted = states.map((value, index) => (index % 2 === 1 ? value + ms : value))
  return { ...counts, now: now + ms, banEndsAt: banEndsAt && banEndsAt + ms, states: shifted }
}

/**
 * Does in one process what limiter.lua does in Redis: checks a charge against all its windows and takes all or nothing.
 */
export class MemoryCounts {
  readonly #subjects = new Map<string, Subject>()
  #sweep = this.#subjects.entries()

  get size(): number {
    return this.#subjects.size
  }

  /** Number of the subject's keys whose refusals or bans are stored. */
  offendersOf(subject: string): number {
    return this.#subjects.get(subject)?.offenders?.size ?? 0
  }

  decide(charge: Charge, act: Act, now: number): Counts {
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

  /**
   * `now` is by the forward-only clock, `resetAt` by the computer's clock. `shiftedBy` is how far the computer's clock
   * is ahead of the forward-only clock.
   */
  add(name: string, windows: readonly Addition[], now: number, shiftedBy = 0): void {
    const subject = this.#subjects.get(name) ?? this.#open(name, now)
    for (const { name: windowName, seconds, points, resetAt } of windows) {
      let window = subject.windows.get(windowName)
      if (!window || window.endsAt <= now) {
        if (resetAt !== undefined || points <= 0) continue
        window = { used: 0, endsAt: now + seconds * 1000 }
        subject.windows.set(windowName, window)
        subject.forgetAt = Math.max(subject.forgetAt, window.endsAt)
      }
      if (resetAt !== undefined && Math.abs(window.endsAt + shiftedBy - resetAt) > clockSetMs) continue
      window.used = Math.max(0, window.used + points)
    }
  }

  reset(name: string, windows: readonly WindowRule[], now: number): boolean {
    const subject = this.#subjects.get(name)
    const running = windows.filter(window => (subject?.windows.get(window.name)?.endsAt ?? 0) > now)
    for (const window of windows) subject?.windows.delete(window.name)
    return running.length > 0
  }

  ban(name: string, key: string, now: number, seconds: number): void {
    const subject = this.#subjects.get(name) ?? this.#open(name, now)
    const offender = offenderOf(subject, key, now)
    offender.banEndsAt = now + seconds * 1000
    subject.forgetAt = Math.max(subject.forgetAt, offender.banEndsAt)
  }

  /** Also forgets the earlier bans, so that the next ban is as short as the first. */
  liftBan(name: string, key: string, now: number): boolean {
    const offenders = this.#subjects.get(name)?.offenders
    const isBanned = (offenders?.get(key)?.banEndsAt ?? 0) > now
    offenders?.delete(key)
    return isBanned
  }

  #open(name: string, now: number): Subject {
    const subject: Subject = { windows: new Map(), offenders: undefined, forgetAt: now }
    this.#subjects.set(name, subject)
    return subject
  }

  /**
   * Checks two stored subjects at each charge, and removes those whose windows and bans have all ended. So subjects are
   * removed as fast as new ones come, without a timer.
   */
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

function offenderOf(subject: Subject, key: string, now: number): Offender {
  subject.offenders ??= new Map()
  const known = subject.offenders.get(key)
  if (known) return known
  // Forget the keys without a recent refusal or ban here, because a subject in use is never removed.
  for (const [other, { refusals, banEndsAt, bans }] of subject.offenders) {
    const lastBan = bans.at(-1) ?? Number.NEGATIVE_INFINITY
    if (Math.max(refusals.endsAt, banEndsAt, lastBan + dayMs) <= now) subject.offenders.delete(other)
  }
  const offender: Offender = { refusals: { used: 0, endsAt: 0 }, banEndsAt: 0, bans: [] }
  subject.offenders.set(key, offender)
  return offender
}

/** Counts a refusal. Returns the end of the ban that it causes, or 0. */
function countRefusal(subject: Subject, ban: BanRule, now: number): number {
  const offender = offenderOf(subject, ban.key, now)
  if (offender.refusals.endsAt <= now) offender.refusals = { used: 0, endsAt: now + minuteMs }
  if (++offender.refusals.used <= ban.refusalsPerMinute) {
    subject.forgetAt = Math.max(subject.forgetAt, offender.refusals.endsAt)
    return 0
  }
  const bans = offender.bans.filter(began => now - began < dayMs)
  offender.banEndsAt = now + Math.min(ban.seconds * 2 ** bans.length, ban.maxSeconds) * 1000
  // Keep only the last 32 bans: a ban that was doubled 32 times is longer than any configured maximum.
  offender.bans = [...bans, now].slice(-32)
  offender.refusals = { used: 0, endsAt: 0 }
  subject.forgetAt = Math.max(subject.forgetAt, now + dayMs, offender.banEndsAt)
  return offender.banEndsAt
}
