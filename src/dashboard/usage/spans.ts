import type { DayFragment, HourFragment } from '../generated/graphql.ts'

/** The periods to choose from, and their values in the URL. */
export const spans = [
  { value: '30d', label: '30 days', title: 'Last 30 days', days: 30, hours: null },
  { value: '90d', label: '90 days', title: 'Last 90 days', days: 90, hours: null },
  { value: '7d', label: '7 days', title: 'Last 7 days', days: 7, hours: null },
  { value: '24h', label: '24 hours', title: 'Last 24 hours', days: null, hours: 24 },
] as const
export const spanValues = spans.map(({ value }) => value)
export const doorNames = { rest: 'REST', graphql: 'GraphQL', mcp: 'MCP' }
export type Span = (typeof spans)[number]

export const spanNamed = (value: Span['value']): Span => spans.find(span => span.value === value) ?? spans[0]

/** `requests` is the sum of served, faulty and failed requests, without refusals. */
export type Counts = { requests: number; refusals: number; served: number; faulty: number; failed: number }

/** Results of requests, from the bottom of a chart to its top. */
export const outcomes = [
  { name: 'served', of: (counts: Counts) => counts.served },
  { name: 'faulty', of: (counts: Counts) => counts.faulty },
  { name: 'failed', of: (counts: Counts) => counts.failed },
  { name: 'refused', of: (counts: Counts) => counts.refusals },
] as const

export const allOf = ({ requests, refusals }: Counts) => requests + refusals

/** A UTC day or an hour; `short` is its label where space is narrow. */
export type Step = Counts & { at: string; name: string; short: string }

export function stepsOf({ days, hours }: { days: DayFragment[]; hours: HourFragment[] }): Step[] {
  return hours.length > 0
    ? hours.map(hour => ({ ...hour, name: fullHour(hour.at), short: shortHour(hour.at) }))
    : days.map(day => ({ ...day, at: day.date, name: fullDay(day.date), short: shortDay(day.date) }))
}

const speller = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', options)
  return (moment: string) => format.format(new Date(moment))
}
/** In UTC, so that a day has the same date in every time zone. */
const fullDay = speller({ dateStyle: 'medium', timeZone: 'UTC' })
const shortDay = speller({ day: 'numeric', month: 'short', timeZone: 'UTC' })
const fullHour = speller({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const shortHour = speller({ hour: '2-digit', minute: '2-digit' })
