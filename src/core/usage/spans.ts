import type { Clock } from '../../tools/clock.ts'
import { dayMs, hourMs } from '../../tools/durations.ts'
import { invalidInput } from '../errors.ts'

/**
 * A span of `count` days or hours. `last` is the number of its last day or hour, counted from 1970; the default is the
 * current one.
 */
export type Span = { unit: 'day' | 'hour'; count: number; last?: number }
/** A span with a fixed last step, so that the span does not move when a new day or hour begins. */
export type EndedSpan = Span & { last: number }

export const stepMs = { day: dayMs, hour: hourMs }
export const mostDays = 90
export const mostHours = 48
/**
 * How many days or hours ago a span may begin. For days it is twice the longest span, so that the longest span can be
 * compared with the span before it.
 */
const mostAgo = { day: 2 * mostDays, hour: mostHours }

/** Validates the span. If `hours` is given, it replaces `days`. */
export function parseSpan(days: number, hours: number | null): Span {
  if (hours === null && days >= 1 && days <= mostDays) return { unit: 'day', count: days }
  if (hours !== null && hours >= 1 && hours <= mostHours) return { unit: 'hour', count: hours }
  const [field, most] = hours === null ? ['days', mostDays] : ['hours', mostHours]
  throw invalidInput([{ field: String(field), message: `must be a whole number from 1 to ${most}` }])
}

/** Moves the span back, so that its last day or hour contains `until`. */
export function endAt(span: Span, until: Date, clock: Clock): EndedSpan {
  const { unit, count } = span
  const [last, current] = [stepAt(until.getTime(), unit), stepAt(clock.now(), unit)]
  const most = mostAgo[unit]
  if (last > current) throw invalidInput([{ field: 'until', message: 'must not be in the future' }])
  if (last - count + 1 < current - most)
    throw invalidInput([
      { field: 'until', message: `must be later: usage begins at most ${most} ${unit}s ago` },
    ])
  return { ...span, last }
}

/** A day or hour, numbered from 1970. */
const stepAt = (at: number, unit: Span['unit']) => Math.floor(at / stepMs[unit])
export const firstStep = (clock: Clock, { unit, count, last }: Span) =>
  (last ?? stepAt(clock.now(), unit)) - count + 1

/** Returns the beginning and the end of the span. */
export function rangeOf(clock: Clock, span: Span): [since: string, until: string] {
  const first = firstStep(clock, span)
  const instant = (step: number) => new Date(step * stepMs[span.unit]).toISOString()
  return [instant(first), instant(first + span.count)]
}

export const unitOf = (spans: readonly Span[]) => spans[0]?.unit ?? 'day'

export function rangesOf(clock: Clock, spans: readonly Span[]): [since: string[], until: string[]] {
  const ranges = spans.map(span => rangeOf(clock, span))
  return [ranges.map(([since]) => since), ranges.map(([, until]) => until)]
}

/**
 * Joins the spans of one unit that overlap or touch. Does not join spans with a gap between them, because the operation
 * that asked for the spans is charged only for the days or hours in the spans, not for the gap.
 */
export function joinSpans(spans: readonly EndedSpan[]): EndedSpan[] {
  const joined: EndedSpan[] = []
  for (const span of spans.toSorted((one, other) => firstOf(one) - firstOf(other))) {
    const before = joined.at(-1)
    if (!before || firstOf(span) > before.last + 1) joined.push(span)
    else {
      const last = Math.max(before.last, span.last)
      joined[joined.length - 1] = { ...before, count: last - firstOf(before) + 1, last }
    }
  }
  return joined
}

const firstOf = ({ count, last }: EndedSpan) => last - count + 1

export const isWithin = (span: EndedSpan, whole: EndedSpan) =>
  firstOf(span) >= firstOf(whole) && span.last <= whole.last
