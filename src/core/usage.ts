import type { Clock } from '../tools/clock.ts'
import type { Db } from './db.ts'
import { invalidInput } from './errors.ts'
import type { Door } from './usage-counter.ts'

const doors = ['rest', 'graphql'] as const satisfies readonly Door[]
export type DoorUsage = { door: Door; requests: number; refusals: number }
export type DayUsage = { date: string; requests: number; refusals: number; doors: DoorUsage[] }

const dayMs = 24 * 60 * 60 * 1000
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export function judgeDays(days: number): number {
  if (days >= 1 && days <= 90) return days
  throw invalidInput([{ field: 'days', message: 'must be a whole number from 1 to 90' }])
}

/**
 * Of each project the last days, today included, the oldest first, in one statement; a day without a request counts
 * zero.
 */
export async function readUsages(
  db: Db,
  clock: Clock,
  projectIds: readonly number[],
  days: number,
): Promise<DayUsage[][]> {
  const dates = Array.from({ length: days }, (_, i) => dateOf(clock.now() - (days - 1 - i) * dayMs))
  const rows = await db.usage.findMany({
    where: { projectId: { in: [...projectIds] }, day: { gte: new Date(dates[0] ?? 0) } },
  })
  const found = new Map(rows.map(row => [`${row.projectId} ${dateOf(row.day.getTime())} ${row.door}`, row]))
  return projectIds.map(id =>
    dates.map(date => {
      const byDoor = doors.map(door => {
        const { requests = 0n, refusals = 0n } = found.get(`${id} ${date} ${door}`) ?? {}
        return { door, requests: Number(requests), refusals: Number(refusals) }
      })
      return { date, ...sumUp(byDoor), doors: byDoor }
    }),
  )
}

export function sumUp(parts: { requests: number; refusals: number }[]): {
  requests: number
  refusals: number
} {
  return {
    requests: parts.reduce((sum, part) => sum + part.requests, 0),
    refusals: parts.reduce((sum, part) => sum + part.refusals, 0),
  }
}

/** Each door over all the days. */
export function sumByDoor(days: DayUsage[]): DoorUsage[] {
  return doors.map(door => ({
    door,
    ...sumUp(days.flatMap(day => day.doors.filter(part => part.door === door))),
  }))
}
