import { number } from '../texts/format.ts'
import { t } from '../texts/index.ts'
import { allOf, type Span, type Step } from './spans.ts'

const stepMs = (span: Span) => (span.hours ? 3_600_000 : 86_400_000)

/**
 * Returns the beginning of the last day or hour of the previous period. The result changes only when a new day or hour
 * begins.
 */
export function endOfPeriodBefore(span: Span, now: number): string {
  const ms = stepMs(span)
  return new Date((Math.floor(now / ms) - (span.hours ?? span.days)) * ms).toISOString()
}

/**
 * Compares a period with the one before, in words. Leaves out the last day or hour, which is not over yet. Null if one
 * of the periods had no requests.
 */
export function comparison(span: Span, steps: readonly Step[], before: readonly Step[]): string | null {
  const whole = steps.length - 1
  const [now, then] = [steps, before].map(all => sumOf(all.slice(0, whole))) as [number, number]
  if (now === 0 || then === 0 || before.length !== steps.length) return null
  const change = Math.round((now / then - 1) * 100)
  const { more, fewer, same } = t.usage.changed
  const said =
    change === 0
      ? same(span.before)
      : (change > 0 ? more : fewer)(t.ui.percent(number(Math.abs(change))), span.before)
  return span.hours ? t.usage.withoutThisHour(said) : t.usage.withoutThisDay(said)
}

const sumOf = (steps: readonly Step[]) => steps.reduce((sum, step) => sum + allOf(step), 0)

/** The day or hour that the address chooses, if the chart shows it. */
export const chosenStep = (steps: readonly Step[], at: string | null): Step | null =>
  steps.find(step => step.at === at) ?? null

/** Converts the beginning of a day or an hour, as in the URL, to the timestamp that the store accepts. */
export const momentOf = (step: Step) => new Date(step.at).toISOString()
