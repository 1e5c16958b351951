import { expect, test, vi } from 'vitest'
import type { Caller } from '../../../src/core/keys/caller.ts'
import { openUsageCounter } from '../../../src/core/usage/counter.ts'
import { readProjectUse } from '../../../src/core/usage/usage.ts'
import type { Database } from '../../../src/database/database.ts'
import { openOutage } from '../../../src/database/outage.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { openLog } from '../../../src/tools/log.ts'
import { makeCallers } from '../../support/callers.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

const own = prepareOwnDatabase()

const usesOf = (callers: readonly Caller[]) =>
  own.db.usage.groupBy({
    by: ['door'],
    where: { projectId: { in: callers.map(({ project }) => project.id) } },
    _sum: { requests: true, refusals: true },
    _count: true,
    orderBy: { door: 'asc' },
  })

test('the usage of more projects than fit one statement is written completely, each request once', async () => {
  const callers = await makeCallers(own.db, 600)
  const ids = callers.map(({ key }) => key.id)
  const usageCounter = openUsageCounter(own.database, systemClock, openLog('silent'))

  for (const caller of callers) {
    usageCounter.countRequest(caller, 'rest', 'served')
    usageCounter.countRequest(caller, 'rest', 'served')
    usageCounter.countRequest(caller, 'graphql', 'refused')
    usageCounter.countDeprecated(caller, 'getPet')
  }
  await usageCounter.close()

  expect(await usesOf(callers)).toEqual([
    { door: 'graphql', _count: 600, _sum: { requests: 0n, refusals: 600n } },
    { door: 'rest', _count: 600, _sum: { requests: 1200n, refusals: 0n } },
  ])
  const once = { count: 1, apiKeyId: { in: ids } }
  expect(await own.db.deprecatedUse.count({ where: once })).toBe(600)
  expect(await own.db.apiKey.count({ where: { id: { in: ids }, lastUsedAt: { not: null } } })).toBe(600)
  expect(await own.db.keyUsage.count({ where: { apiKeyId: { in: ids } } })).toBe(1200)
})

test('if one tick of the usage counter writes the usage of only some projects, the next tick writes the remaining and newer usage', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const callers = await makeCallers(own.db, 600)
  const usageCounter = openUsageCounter(own.database, systemClock, openLog('silent'))
  const countAll = () => {
    for (const caller of callers) usageCounter.countRequest(caller, 'rest', 'served')
  }
  const written = async () => (await usesOf(callers))[0] ?? { _count: 0, _sum: { requests: 0n } }
  try {
    countAll()
    vi.advanceTimersByTime(1000)
    await expect.poll(written).toMatchObject({ _count: 500 })
    countAll()
    vi.advanceTimersByTime(1000)
    await expect.poll(written).toMatchObject({ _count: 600, _sum: { requests: 1100n } })
  } finally {
    await usageCounter.close()
    vi.useRealTimers()
  }
  expect(await written()).toMatchObject({ _count: 600, _sum: { requests: 1200n } })
})

test('usage of deleted projects is dropped with one log line each, and delays no usage of other projects', async () => {
  const callers = await makeCallers(own.db, 300)
  const gone = [callers[7], callers[200]] as Caller[]
  const log = openLog('silent')
  const lines = vi.spyOn(log, 'error')
  const usageCounter = openUsageCounter(own.database, systemClock, log)
  for (const caller of callers) {
    usageCounter.countRequest(caller, 'rest', 'served')
    usageCounter.countDeprecated(caller, 'getPet')
  }
  await own.db.apiKey.deleteMany({ where: { id: { in: gone.map(({ key }) => key.id) } } })
  await own.db.project.deleteMany({ where: { id: { in: gone.map(({ project }) => project.id) } } })

  await usageCounter.close()

  expect(await usesOf(callers)).toMatchObject([{ _count: 298, _sum: { requests: 298n } }])
  const ofKeys = { where: { apiKeyId: { in: callers.map(({ key }) => key.id) } } }
  expect(await own.db.deprecatedUse.count(ofKeys)).toBe(298)
  expect(await own.db.keyUsage.count(ofKeys)).toBe(298)
  expect(lines).toHaveBeenCalledTimes(6)
  for (const [{ error, use }, said] of lines.mock.calls as unknown as [
    { error: Error; use: object },
    string,
  ][]) {
    expect(said).toBe('usage rows dropped: the database rejected them')
    expect(error.message).toContain('foreign key')
    const ofGone = gone.some(({ project, key }) =>
      [project.id, key.id].some(id => Object.values(use).includes(id)),
    )
    expect(ofGone, JSON.stringify(use)).toBe(true)
  }
  expect(usageCounter.backlog()).toBe(0)
})

test('each result of a request is counted for its project and key, and several writes add up', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  const outcomes = ['served', 'refused', 'faulty', 'failed'] as const
  for (const times of [1, 2, 3]) {
    const usageCounter = openUsageCounter(own.database, systemClock, openLog('silent'))
    for (const outcome of outcomes) {
      for (let time = 0; time < times; time++) usageCounter.countRequest(caller, 'rest', outcome, 2)
      usageCounter.countDeprecated(caller, 'getPet')
    }
    await usageCounter.close()
  }

  // Each of the four outcomes occurred six times. A served, faulty or failed request counts as two, which is the price
  // of the request. A refused request costs nothing, and counts only as one refusal.
  const all = { requests: 36n, refusals: 6n, faulty: 12n, failed: 12n }
  const { project, key } = caller
  expect(await own.db.usage.findFirst({ where: { projectId: project.id } })).toMatchObject(all)
  expect(await own.db.keyUsage.findFirst({ where: { apiKeyId: key.id } })).toMatchObject(all)
  expect(await own.db.deprecatedUse.findFirst({ where: { apiKeyId: key.id } })).toMatchObject({
    count: 12n,
  })
})

test('usage that cannot be written while the database is away is written once it is back', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  let isAway = true
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const run: Database['run'] = async statement => {
    if (isAway) throw away
    return own.database.run(statement)
  }
  const usageCounter = openUsageCounter({ run, outage: openOutage() }, systemClock, openLog('silent'))

  usageCounter.countRequest(caller, 'rest', 'served')
  usageCounter.countDeprecated(caller, 'getPet')
  await usageCounter.flush()
  expect(usageCounter.backlog()).toBeGreaterThan(0)
  usageCounter.countRequest(caller, 'rest', 'served')
  await usageCounter.flush()
  isAway = false
  await usageCounter.flush()
  await usageCounter.close()

  expect(usageCounter.backlog()).toBe(0)
  const { project, key } = caller
  expect(await own.db.usage.findFirst({ where: { projectId: project.id } })).toMatchObject({
    requests: 2n,
  })
  expect(await own.db.keyUsage.findFirst({ where: { apiKeyId: key.id } })).toMatchObject({
    requests: 2n,
  })
  expect(await own.db.deprecatedUse.findFirst({ where: { apiKeyId: key.id } })).toMatchObject({
    count: 1n,
  })
  expect(await own.db.apiKey.findUnique({ where: { id: key.id } })).toMatchObject({
    lastUsedAt: expect.any(Date),
  })
})

test('requests that cannot be written until their day is almost final count for the day on which they are written', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  let now = Date.parse('2031-03-04T23:50:00Z')
  let isAway = true
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const run: Database['run'] = async statement => {
    if (isAway) throw away
    return own.database.run(statement)
  }
  const clock = { now: () => now, aheadMs: () => 0 }
  const usageCounter = openUsageCounter({ run, outage: openOutage() }, clock, openLog('silent'))
  const writeAt = async (time: string) => {
    now = Date.parse(time)
    isAway = false
    await usageCounter.flush()
    isAway = true
  }
  const written = async () => {
    const rows = await own.db.usage.findMany({
      where: { projectId: caller.project.id },
      orderBy: { day: 'asc' },
    })
    return rows.map(({ day, requests }) => `${day.toISOString().slice(0, 10)}: ${requests}`)
  }

  usageCounter.countRequest(caller, 'rest', 'served')
  await writeAt('2031-03-05T00:54:59Z')
  expect(await written()).toEqual(['2031-03-04: 1'])

  now = Date.parse('2031-03-04T23:50:00Z')
  usageCounter.countRequest(caller, 'rest', 'served', 10)
  await usageCounter.flush()
  now = Date.parse('2031-03-05T00:54:59Z')
  usageCounter.countRequest(caller, 'rest', 'served', 100)
  await writeAt('2031-03-05T00:55:00Z')
  await usageCounter.close()

  expect(await written()).toEqual(['2031-03-04: 1', '2031-03-05: 110'])
  const hours = await own.db.keyUsage.findMany({
    where: { apiKeyId: caller.key.id },
    orderBy: { hour: 'asc' },
  })
  expect(hours.map(({ hour, requests }) => [hour.toISOString(), requests])).toEqual([
    ['2031-03-04T23:00:00.000Z', 11n],
    ['2031-03-05T00:00:00.000Z', 100n],
  ])
})

test('a project may use more than two thousand million requests a day', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  const usageCounter = openUsageCounter(own.database, systemClock, openLog('silent'))
  for (let i = 0; i < 2; i++) {
    usageCounter.countRequest(caller, 'graphql', 'served', 3_000_000_000)
    await usageCounter.flush()
  }
  await usageCounter.close()

  const [[use] = []] = await readProjectUse(
    own.database,
    systemClock,
    [caller.project.id],
    [{ unit: 'day', count: 1 }],
  )

  expect(use).toMatchObject({ requests: 6_000_000_000, refusals: 0, steps: [{ requests: 6_000_000_000 }] })
})

test('the last use of a key is the latest one, whichever process writes first', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  const at = (minute: number) => Date.parse(`2031-03-04T12:${minute}:00Z`)
  /** Counts requests at these minutes in a process that writes when it ends. */
  const useAt = async (...minutes: number[]) => {
    let now = 0
    const clock = { now: () => now, aheadMs: () => 0 }
    const usageCounter = openUsageCounter(own.database, clock, openLog('silent'))
    for (const minute of minutes) {
      now = at(minute)
      usageCounter.countRequest(caller, 'rest', 'served')
      usageCounter.countDeprecated(caller, 'getPet')
    }
    await usageCounter.close()
  }
  const lastUsedAt = async () => {
    const { key } = caller
    const [use, deprecated] = [
      await own.db.apiKey.findUniqueOrThrow({ where: { id: key.id } }),
      await own.db.deprecatedUse.findFirstOrThrow({ where: { apiKeyId: key.id } }),
    ]
    return [use.lastUsedAt, deprecated.lastUsedAt].map(Number)
  }

  await useAt(20, 21, 40)
  expect(await lastUsedAt()).toEqual([at(40), at(40)])
  await useAt(30)
  expect(await lastUsedAt()).toEqual([at(40), at(40)])
  await useAt(50)
  expect(await lastUsedAt()).toEqual([at(50), at(50)])
})

test('usage is written in statements of at most 250 rows, in one order for all processes, with a pause after each', async () => {
  const callers = await makeCallers(own.db, 260)
  const written = new Map<string, { at: number; keys: string[] }[]>()
  let underWay = 0
  let mostAtOnce = 0
  const run: Database['run'] = async statement => {
    const columns = statement.values as string[][]
    const named = columns.slice(0, { add_usage: 3, add_deprecated_uses: 2 }[statement.name] ?? 1)
    const keys = named[0]?.map((_, n) => named.map(column => column[n]).join(' ')) ?? []
    const pieces = written.get(statement.name) ?? []
    written.set(statement.name, [...pieces, { at: performance.now(), keys }])
    mostAtOnce = Math.max(mostAtOnce, ++underWay)
    try {
      return await own.database.run(statement)
    } finally {
      underWay--
    }
  }
  const usageCounter = openUsageCounter({ run, outage: openOutage() }, systemClock, openLog('silent'))
  for (const caller of callers.toReversed()) {
    usageCounter.countRequest(caller, 'graphql', 'served')
    usageCounter.countRequest(caller, 'rest', 'served')
    usageCounter.countDeprecated(caller, 'getPet')
    usageCounter.countDeprecated(caller, 'findPets')
  }
  expect(usageCounter.backlog()).toBe(260 + 2 * 260)

  await Promise.all([usageCounter.flush(), usageCounter.flush()])

  expect(usageCounter.backlog()).toBe(0)
  expect(mostAtOnce).toBe(1)
  const rowsOf = (name: string) => written.get(name)?.map(({ keys }) => keys.length)
  expect(['add_usage', 'add_key_usage', 'add_deprecated_uses', 'note_last_uses'].map(rowsOf)).toEqual([
    [250, 250, 20],
    [250, 250, 20],
    [250, 250, 20],
    [250, 10],
  ])
  for (const pieces of written.values())
    for (const [n, { at }] of pieces.entries())
      if (n > 0) expect(at - (pieces[n - 1]?.at ?? 0)).toBeGreaterThanOrEqual(9)
  const ofKeys = written.get('add_deprecated_uses')?.flatMap(({ keys }) => keys) ?? []
  expect(new Set(ofKeys).size).toBe(520)
  expect(ofKeys).toEqual(ofKeys.toSorted())
  const ofProjects = written.get('add_usage')?.flatMap(({ keys }) => keys) ?? []
  expect(ofProjects).toEqual(ofProjects.toSorted())
  await usageCounter.close()
})

test('a key whose requests were all refused has a last use but no counted request', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  const at = Date.parse('2031-03-04T12:00:00Z')
  const clock = { now: () => at, aheadMs: () => 0 }
  const usageCounter = openUsageCounter(own.database, clock, openLog('silent'))
  usageCounter.countRequest(caller, 'graphql', 'refused')
  await usageCounter.close()

  expect(await own.db.apiKey.findUnique({ where: { id: caller.key.id } })).toMatchObject({
    lastUsedAt: new Date(at),
  })
  expect(await own.db.usage.findMany({ where: { projectId: caller.project.id } })).toMatchObject([
    { door: 'graphql', requests: 0n, refusals: 1n },
  ])
})

test('a closed usage counter runs no more ticks', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const usageCounter = openUsageCounter(own.database, systemClock, openLog('silent'))
    expect(vi.getTimerCount()).toBe(1)
    await usageCounter.close()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('requests that are not yet written to the database are counted separately by hour and by day, and deprecated calls by operation', async () => {
  const [caller] = (await makeCallers(own.db, 1)) as [Caller]
  const { project, key } = caller
  let now = Date.parse('2031-03-04T22:30:00Z')
  const clock = { now: () => now, aheadMs: () => 0 }
  const usageCounter = openUsageCounter(own.database, clock, openLog('silent'))
  for (const [hours, requests] of [
    [0, 1],
    [1, 2],
    [2, 4],
  ] as const) {
    now = Date.parse('2031-03-04T22:30:00Z') + hours * 3_600_000
    usageCounter.countRequest(caller, 'rest', 'served', requests)
    usageCounter.countDeprecated(caller, hours === 0 ? 'findPets' : 'getPet')
  }
  await usageCounter.close()

  const days = await own.db.usage.findMany({ where: { projectId: project.id }, orderBy: { day: 'asc' } })
  expect(days.map(({ requests }) => requests)).toEqual([3n, 4n])
  const hours = await own.db.keyUsage.findMany({ where: { apiKeyId: key.id }, orderBy: { hour: 'asc' } })
  expect(hours.map(({ requests }) => requests)).toEqual([1n, 2n, 4n])
  const where = { apiKeyId: key.id }
  expect(await own.db.deprecatedUse.findMany({ where, orderBy: { field: 'asc' } })).toMatchObject([
    { field: 'findPets', count: 1n },
    { field: 'getPet', count: 2n, lastUsedAt: new Date(now) },
  ])
})
