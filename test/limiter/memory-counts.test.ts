import { expect, it } from 'vitest'
import { MemoryCounts } from '../../src/limiter/memory-counts.ts'

it('subjects whose windows have ended leave no trace, hundreds of thousands neither', () => {
  const counts = new MemoryCounts()
  const windows = [{ name: 'minute', seconds: 60, limit: 60 }]
  let most = 0

  for (let request = 0; request < 300_000; request++) {
    const now = request * 10
    counts.decide({ subject: `address:${request}`, points: 1, windows }, 'charge', now)
    most = Math.max(most, counts.size)
  }

  // 6,000 windows are running at any time.
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
