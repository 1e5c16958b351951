import { describe, expect, test } from 'vitest'
import { issueApiKey } from '../../../src/core/keys/api-keys.ts'
import type { Caller } from '../../../src/core/keys/caller.ts'
import { openUsageCounter } from '../../../src/core/usage/counter.ts'
import { addUpHours } from '../../../src/core/usage/rollup.ts'
import type { Span } from '../../../src/core/usage/spans.ts'
import { listUsedKeys, readKeyUse, readProjectUse } from '../../../src/core/usage/usage.ts'
import { addUpUsage } from '../../../src/jobs/roll-up.ts'
import { type Clock, systemClock } from '../../../src/tools/clock.ts'
import { openLog } from '../../../src/tools/log.ts'
import { makeCallers } from '../../support/callers.ts'
import { freshDatabase, freshFolder } from '../../support/databases.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

const clockAt = (time: string): Clock => ({ now: () => Date.parse(time), aheadMs: () => 0 })
const days = (count: number): Span => ({ unit: 'day', count })
const hours = (count: number): Span => ({ unit: 'hour', count })
const bothDatabases = [
  ['PostgreSQL', freshDatabase],
  ['the embedded database', freshFolder],
] as const

describe.each(bothDatabases)('what a key uses is counted in %s', (_name, makeDatabase) => {
  const own = prepareOwnDatabase(makeDatabase)

  const makeCaller = async () => (await makeCallers(own.db, 1))[0] as Caller
  const openCounter = (clock: Clock) => openUsageCounter(own.database, clock, openLog('silent'))
  const ofKey = async ({ project, key }: Caller, clock: Clock, span: Span) => {
    const [[use] = []] = await readKeyUse(
      own.database,
      clock,
      [{ id: key.id, projectId: project.id }],
      [span],
    )
    if (!use) throw new Error('nothing is known of the key')
    return use
  }
  const ofProject = async ({ project }: Caller, clock: Clock, span: Span) => {
    const [[use] = []] = await readProjectUse(own.database, clock, [project.id], [span])
    if (!use) throw new Error('nothing is known of the project')
    return use
  }
  const rowsOf = ({ key }: Caller) => own.db.keyUsage.count({ where: { apiKeyId: key.id } })

  /** Counts one request at each of these times with the same counter, which writes the counts at its end. */
  async function useAt(caller: Caller, times: readonly number[]): Promise<void> {
    let now = 0
    const counter = openCounter({ now: () => now, aheadMs: () => 0 })
    for (const time of times) {
      now = time
      counter.countRequest(caller, 'rest', 'served')
    }
    await counter.close()
  }

  test('usage of a key is counted by result, by API, by hour and by day', async () => {
    const caller = await makeCaller()
    let now = Date.parse('2031-03-04T22:59:59.999Z')
    const counter = openCounter({ now: () => now, aheadMs: () => 0 })
    counter.countRequest(caller, 'rest', 'served', 2)
    now = Date.parse('2031-03-04T23:00:00.000Z')
    counter.countRequest(caller, 'rest', 'faulty', 3)
    now = Date.parse('2031-03-04T23:59:59.999Z')
    counter.countRequest(caller, 'graphql', 'refused', 5)
    now = Date.parse('2031-03-05T00:00:00.000Z')
    counter.countRequest(caller, 'graphql', 'failed', 7)
    await counter.close()

    const clock = clockAt('2031-03-05T00:30:00Z')
    const nothing = { requests: 0, refusals: 0, faulty: 0, failed: 0 }
    for (const read of [ofKey, ofProject]) {
      const byHour = await read(caller, clock, hours(3))
      expect(byHour).toMatchObject({ requests: 12, refusals: 1, faulty: 3, failed: 7 })
      expect(byHour.doors).toEqual([
        { door: 'rest', requests: 5, refusals: 0, faulty: 3, failed: 0 },
        { door: 'graphql', requests: 7, refusals: 1, faulty: 0, failed: 7 },
        { door: 'mcp', ...nothing },
      ])
      expect(byHour.steps).toMatchObject([
        { at: new Date('2031-03-04T22:00:00Z'), ...nothing, requests: 2 },
        { at: new Date('2031-03-04T23:00:00Z'), ...nothing, requests: 3, faulty: 3, refusals: 1 },
        { at: new Date('2031-03-05T00:00:00Z'), ...nothing, requests: 7, failed: 7 },
      ])
      expect((await read(caller, clock, days(2))).steps).toMatchObject([
        { at: new Date('2031-03-04T00:00:00Z'), requests: 5, refusals: 1, faulty: 3, failed: 0 },
        { at: new Date('2031-03-05T00:00:00Z'), requests: 7, refusals: 0, faulty: 0, failed: 7 },
      ])
      expect((await read(caller, clock, hours(1))).requests).toBe(7)
    }

    // The first call of `addUpHours` must not change the daily counts. After the first call, the test counts the same
    // requests again, in hours that are already added up. The second call of `addUpHours` must add these late requests,
    // so the daily counts double.
    const twice = openCounter({ now: () => now, aheadMs: () => 0 })
    for (const times of [1, 2]) {
      await addUpHours(own.database, clockAt('2031-03-09T00:00:00Z'))
      expect((await ofKey(caller, clock, days(2))).steps).toMatchObject([
        { requests: 5 * times, refusals: times, faulty: 3 * times, failed: 0 },
        { requests: 7 * times, refusals: 0, faulty: 0, failed: 7 * times },
      ])
      if (times === 2) break
      now = Date.parse('2031-03-04T21:00:00.000Z')
      twice.countRequest(caller, 'rest', 'served', 2)
      twice.countRequest(caller, 'rest', 'faulty', 3)
      twice.countRequest(caller, 'graphql', 'refused', 5)
      now = Date.parse('2031-03-05T05:00:00.000Z')
      twice.countRequest(caller, 'graphql', 'failed', 7)
      await twice.flush()
    }
    await twice.close()
  })

  test('usage of a key is exact although several processes write, restart and merge hours at once', async () => {
    const caller = await makeCaller()
    const then = clockAt('2031-03-04T11:00:00Z')
    const later = clockAt('2031-03-08T11:00:00Z')
    const writeTwice = async () => {
      for (let start = 0; start < 2; start++) {
        const counter = openCounter(then)
        for (let i = 0; i < 100; i++) {
          counter.countRequest(caller, i % 2 ? 'rest' : 'graphql', i % 5 ? 'served' : 'failed')
          if (i % 10 === 0) await counter.flush()
        }
        await counter.close()
      }
    }
    const addUp = async () => {
      for (let i = 0; i < 20; i++) await addUpHours(own.database, later)
    }

    await Promise.all([...Array.from({ length: 5 }, writeTwice), addUp(), addUp()])
    await addUpHours(own.database, later)

    expect(await ofKey(caller, later, days(5))).toMatchObject({ requests: 1000, failed: 200 })
    expect(await ofProject(caller, later, days(5))).toMatchObject({ requests: 1000, failed: 200 })
    expect(await rowsOf(caller)).toBe(2)
  })

  test('if usage cannot be merged, the worker gets the error and tries again later', async () => {
    const { claim } = addUpUsage(own.database, clockAt('2031-03-04T11:00:00Z'))
    await own.db.$executeRaw`ALTER TABLE key_usage RENAME TO locked_away`

    await expect(claim(1)).rejects.toThrow('key_usage')
    await own.db.$executeRaw`ALTER TABLE locked_away RENAME TO key_usage`

    expect(await claim(1)).toEqual([])
  })

  test('usage of a key is stored by hour for two days and by day for ninety days, even if written late', async () => {
    const caller = await makeCaller()
    const hourMs = 3_600_000
    const end = Date.parse('2031-06-30T23:30:00Z')
    const used = 100 * 24
    await useAt(
      caller,
      Array.from({ length: used }, (_, ago) => end - ago * hourMs),
    )
    const clock: Clock = { now: () => end, aheadMs: () => 0 }
    const before = await ofKey(caller, clock, days(90))
    const recent = await ofKey(caller, clock, hours(48))
    expect(await rowsOf(caller)).toBe(used)

    await addUpHours(own.database, clock)

    expect(await ofKey(caller, clock, days(90))).toEqual(before)
    expect(await ofKey(caller, clock, hours(48))).toEqual(recent)
    expect(recent.steps.every(({ requests }) => requests === 1)).toBe(true)
    expect(before.requests).toBe(90 * 24)
    // 89 rows for days, and 50 rows for hours: the hours of the last two days, and two more hours for late clocks.
    const storedHours = await own.db.keyUsage.findMany({
      where: { apiKeyId: caller.key.id },
      orderBy: { hour: 'asc' },
    })
    const firstHour = Date.parse('2031-06-28T22:00:00Z')
    const firstDay = Date.parse('2031-04-01T00:00:00Z')
    expect(storedHours.map(({ hour }) => hour.getTime())).toEqual([
      ...Array.from({ length: 89 }, (_, n) => firstDay + n * 24 * hourMs),
      ...Array.from({ length: 50 }, (_, n) => firstHour + n * hourMs),
    ])

    await useAt(caller, [end - 10 * 24 * hourMs])
    await addUpHours(own.database, clock)

    expect(await ofKey(caller, clock, days(90))).toMatchObject({ requests: 90 * 24 + 1 })
    expect(await rowsOf(caller)).toBe(storedHours.length)
  })

  test('the most used keys of a project are those with the most requests and refusals', async () => {
    const [caller, other] = (await makeCallers(own.db, 2)) as [Caller, Caller]
    const keyOf = async (name: string): Promise<Caller> => {
      const { project, key } = caller
      const { apiKey } = await issueApiKey(own.db, systemClock, project, { name, scopes: ['pets:read'] })
      return { project, key: { ...key, id: apiKey.id } }
    }
    const [busy, refused, idle] = [await keyOf('busy'), await keyOf('refused'), await keyOf('idle')]
    const clock = clockAt('2031-03-05T12:00:00Z')
    const count = async (at: Clock, who: Caller, outcome: 'served' | 'refused', times: number) => {
      const counter = openCounter(at)
      for (let time = 0; time < times; time++) counter.countRequest(who, 'rest', outcome)
      await counter.close()
    }
    await count(clock, busy, 'served', 3)
    await count(clock, refused, 'served', 1)
    await count(clock, refused, 'refused', 4)
    await count(clock, other, 'served', 1)
    await count(clockAt('2031-03-04T23:00:00Z'), idle, 'served', 9)
    const ids = [caller.project.id, other.project.id]
    const used = (span: Span, most: number) => listUsedKeys(own.database, clock, ids, span, most)

    expect(await used(days(1), 10)).toEqual([[refused.key.id, busy.key.id], [other.key.id]])
    expect(await used(days(1), 1)).toEqual([[refused.key.id], [other.key.id]])
    expect(await used(days(2), 2)).toEqual([[idle.key.id, refused.key.id], [other.key.id]])
    expect(await used(hours(13), 10)).toEqual([[refused.key.id, busy.key.id], [other.key.id]])
    const [ofProjects = []] = await readProjectUse(own.database, clock, ids.toReversed(), [days(1)])
    expect(ofProjects.map(({ requests, refusals }) => [requests, refusals])).toEqual([
      [1, 0],
      [4, 4],
    ])
    const keys = [other, busy, refused].map(({ key, project }) => ({ id: key.id, projectId: project.id }))
    const [ofKeys = []] = await readKeyUse(own.database, clock, keys, [hours(1)])
    expect(ofKeys.map(({ requests, refusals }) => [requests, refusals])).toEqual([
      [1, 0],
      [3, 0],
      [1, 4],
    ])
  })

  test('usage stored before the service counted usage by key is part of the usage of the project, but of no key', async () => {
    const caller = await makeCaller()
    const projectId = caller.project.id
    await own.database.run({
      name: 'write_as_before',
      text: "INSERT INTO usage (project_id, day, door, requests, refusals) VALUES ($1::int, '2031-03-04', 'rest', 9, 4)",
      values: [projectId],
    })
    const counter = openCounter(clockAt('2031-03-04T12:00:00Z'))
    counter.countRequest(caller, 'rest', 'faulty')
    await counter.close()

    const clock = clockAt('2031-03-04T13:00:00Z')
    expect(await ofProject(caller, clock, days(1))).toMatchObject({ requests: 10, refusals: 4, faulty: 1 })
    expect(await ofKey(caller, clock, days(1))).toMatchObject({ requests: 1, refusals: 0, faulty: 1 })
  })
})
