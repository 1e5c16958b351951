import { expect, it } from 'vitest'
import type { Charge } from '../../src/limiter/charge.ts'
import { MemoryCounts } from '../../src/limiter/memory-counts.ts'

it('hundreds of thousands of ended windows leave no memory behind', () => {
  const counts = new MemoryCounts()
  const windows = [{ name: 'minute', seconds: 60, limit: 60 }]
  let most = 0

  for (let request = 0; request < 300_000; request++) {
    const now = request * 10
    counts.decide({ subject: `address:${request}`, points: 1, windows }, 'charge', now)
    most = Math.max(most, counts.size)
  }

  // A new window begins every 10 ms and lasts a minute, so 6,000 windows are running at any time. Ended windows are
  // removed little by little, so some of them are stored too.
  expect(most).toBeLessThan(13_000)
})

it('a ban outlives the windows of its subject', () => {
  const counts = new MemoryCounts()
  const ban = { key: 'a', refusalsPerMinute: 0, seconds: 300, maxSeconds: 3600 }
  const charge = {
    subject: 'project:1',
    points: 1,
    windows: [{ name: 'minute', seconds: 60, limit: 0 }],
    ban,
  }

  const { outcome: banned } = counts.decide(charge, 'charge', 0)
  for (let other = 0; other < 100; other++) counts.decide({ ...charge, subject: `${other}` }, 'peek', 200_000)

  expect(banned).toBe(2)
  expect(counts.decide(charge, 'peek', 200_000).outcome).toBe(2)
})

const minuteMs = 60_000
const dayMs = 86_400_000
const refused = (more: Partial<Charge> = {}): Charge => ({
  subject: 'project:1',
  points: 1,
  windows: [{ name: 'minute', seconds: 60, limit: 0 }],
  ban: { key: 'a', refusalsPerMinute: 1, seconds: 10, maxSeconds: 3600 },
  ...more,
})

it('windows, bans and minutes of refusals end at their exact millisecond', () => {
  const counts = new MemoryCounts()
  const outcomesAt = (charge: Charge, ...times: number[]) =>
    times.map(now => counts.decide(charge, 'charge', now).outcome)
  const passing = refused({ windows: [{ name: 'minute', seconds: 60, limit: 1 }], ban: undefined })

  expect(outcomesAt(passing, 0, minuteMs - 1, minuteMs)).toEqual([0, 1, 0])

  const banned = refused({ subject: 'project:2' })
  expect(outcomesAt(banned, 0, 0, 9_999, 10_000)).toEqual([1, 2, 2, 1])

  const seldom = refused({ subject: 'project:3' })
  expect(outcomesAt(seldom, 0, minuteMs, 2 * minuteMs - 1)).toEqual([1, 1, 2])
})

it('a ban within a day of the previous ban lasts twice as long, and a later ban as long as the first', () => {
  for (const [later, seconds] of [
    [dayMs - 1, 20],
    [dayMs, 10],
  ] as const) {
    const counts = new MemoryCounts()
    const ban = (now: number) => {
      counts.decide(refused(), 'charge', now)
      return counts.decide(refused(), 'charge', now).banEndsAt - now
    }

    expect(ban(0)).toBe(10_000)
    // Requests of many other subjects arrive, so that ended entries are removed.
    for (let other = 0; other < 100; other++)
      counts.decide(refused({ subject: `${other}` }), 'peek', later - 1)
    expect(ban(later)).toBe(seconds * 1000)
  }
})

it('a subject in use keeps only the keys with a refusal in the last minute or a ban in the last day', () => {
  const counts = new MemoryCounts()
  const passing = { subject: 'project:1', points: 1, windows: [{ name: 'day', seconds: 86_400, limit: 1e9 }] }
  const refuse = (key: number, now: number) => {
    counts.decide(passing, 'charge', now)
    const ban = { key: `${key}`, refusalsPerMinute: key % 2, seconds: 10, maxSeconds: 3600 }
    return counts.decide(refused({ ban }), 'charge', now).outcome
  }

  for (let key = 0; key < 200; key++) expect(refuse(key, 0)).toBe(key % 2 === 0 ? 2 : 1)
  refuse(1_000, minuteMs)
  const afterMinute = counts.offendersOf('project:1')
  refuse(1_002, dayMs)

  expect(afterMinute).toBe(101)
  expect(counts.offendersOf('project:1')).toBe(2)
})

it('a refusal still counts half a minute later, even after peeks at a hundred other subjects', () => {
  const counts = new MemoryCounts()

  counts.decide(refused(), 'charge', 0)
  for (let other = 0; other < 100; other++) counts.decide(refused({ subject: `${other}` }), 'peek', 30_000)

  expect(counts.decide(refused(), 'charge', 30_000).outcome).toBe(2)
})

it('peeks at a thousand subjects without charges store almost nothing', () => {
  const counts = new MemoryCounts()

  for (let look = 0; look < 1000; look++) counts.decide(refused({ subject: `${look}` }), 'peek', look)

  expect(counts.size).toBeLessThan(10)
})
