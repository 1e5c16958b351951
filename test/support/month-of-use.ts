import { addCounts, type Counts, noCounts } from '../../src/core/usage/counts.ts'
import { bucketOf } from '../../src/core/usage/latency.ts'
import type { Tools } from '../../src/tools.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Adds thirty days of requests by these keys, as the usage counter writes them, with a bad hour and some bad days. Also
 * adds the thirty days before, with fewer requests.
 */
export async function furnishUse(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  projectId: number,
  apiKeyIds: readonly string[],
): Promise<void> {
  const thisHour = Math.floor(clock.now() / hourMs) * hourMs
  const today = Math.floor(clock.now() / dayMs) * dayMs
  const used = new Map<string, { day: Date; door: string; counts: Counts }>()
  const rows = Array.from({ length: 30 * 24 }, (_, ago) => thisHour - ago * hourMs)
    .filter(hour => hour >= today - 29 * dayMs)
    .flatMap((hour, ago) =>
      apiKeyIds.flatMap((apiKeyId, key) => {
        const door = key % 2 === 0 ? 'rest' : 'graphql'
        const counts = countsOf(ago, key)
        const day = new Date(Math.floor(hour / dayMs) * dayMs)
        const name = `${day.toISOString()} ${door}`
        const sum = used.get(name) ?? { day, door, counts: noCounts() }
        addCounts(sum.counts, counts)
        used.set(name, sum)
        return { projectId, apiKeyId, hour: new Date(hour), door, ...counts }
      }),
    )
  await db.keyUsage.createMany({ data: rows })
  const ofDays = [...used.values()].map(({ day, door, counts }) => ({ projectId, day, door, ...counts }))
  const before = ofDays.map(({ day, requests, ...row }) => ({
    ...row,
    ...{ day: new Date(day.getTime() - 30 * dayMs), refusals: 0, faulty: 0, failed: 0 },
    requests: Math.round(requests * 0.8),
  }))
  await db.usage.createMany({ data: [...ofDays, ...before] })
  await db.latency.createMany({ data: latenciesOf(rows) })
}

type Used = { projectId: number; hour: Date; door: string; requests: number }

/** Answers of 3 ms through REST and 9 ms through GraphQL; one of forty takes twenty times as long. */
function latenciesOf(rows: readonly Used[]) {
  const byHour = Map.groupBy(rows, ({ hour, door }) => `${hour.toISOString()} ${door}`)
  return [...byHour.values()].map(group => {
    const { projectId, hour, door } = group[0] as Used
    const usual = bucketOf(door === 'rest' ? 3 : 9)
    const timed = group.reduce((sum, { requests }) => sum + requests, 0)
    const counts = Array.from({ length: usual + 17 }, () => 0)
    counts[usual] = timed - Math.floor(timed / 40)
    counts[usual + 16] = Math.floor(timed / 40)
    return { projectId, hour, door, counts }
  })
}

function countsOf(ago: number, key: number): Counts {
  const busy = 1.2 + Math.sin((ago / 24) * 2 * Math.PI) + 0.4 * Math.sin(ago / 50)
  const requests = Math.round((busy * 40) / (key + 1))
  const isBad = ago === 5 || Math.floor(ago / 24) % 9 === 4
  return {
    requests,
    refusals: isBad && key === 0 ? Math.round(requests / 5) : 0,
    faulty: ago % 7 === 0 ? Math.round(requests / 6) : 0,
    failed: isBad ? Math.round(requests / 14) : 0,
  }
}
