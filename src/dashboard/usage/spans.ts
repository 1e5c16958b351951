import type { DayFragment, HourFragment } from '../generated/graphql.ts'
import { dayAndTime, time, utcDate, utcDay } from '../texts/format.ts'
import { t } from '../texts/index.ts'

/** The periods to choose from, and their values in the URL. */
export const spans = [
  { value: '30d', ...t.usage.last30Days, days: 30, hours: null },
  { value: '90d', ...t.usage.last90Days, days: 90, hours: null },
  { value: '7d', ...t.usage.last7Days, days: 7, hours: null },
  { value: '24h', ...t.usage.last24Hours, days: null, hours: 24 },
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
    ? hours.map(hour => ({ ...hour, name: dayAndTime(hour.at), short: time(hour.at) }))
    : days.map(day => ({ ...day, at: day.date, name: utcDate(day.date), short: utcDay(day.date) }))
}
