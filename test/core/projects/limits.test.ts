import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/core/keys/caller.ts'
import type { Project } from '../../../src/core/project.ts'
import {
  anonymousCharge,
  freeReadCharge,
  operatorCharge,
  priceOf,
  projectCharge,
  refusalOf,
  storeCharge,
  wholeBudget,
} from '../../../src/core/projects/limits.ts'
import type { Decision } from '../../../src/limiter/decision.ts'

const project: Project = {
  ...{ id: 7, slug: 'shop', name: 'Shop', planName: 'enterprise', suspended: false },
  limits: { perMinute: 10, perDay: 200 },
}
const caller: Caller = { project, key: { id: 'a key', prefix: 'as_', scopes: [] } }
const bans = { refusalsFactor: 3, seconds: 300, maxSeconds: 3600 }

const ban = { key: 'a key', refusalsPerMinute: 30, seconds: 300, maxSeconds: 3600 }
const minute = { name: 'minute', seconds: 60, limit: 10 }
const day = { name: 'day', seconds: 86_400, limit: 200 }
const management = (points: number) => ({ name: 'management', seconds: 60, limit: 300, points })

test('a store operation is charged to the project of its key, and too many refusals ban only the key', () => {
  expect(storeCharge(caller, bans, 4)).toEqual({ subject: '7', points: 4, windows: [minute, day], ban })
})

test.each([
  ['the store alone', { store: 2, management: 0 }, 2, [minute, day]],
  ['management alone', { store: 0, management: 3 }, 3, [management(3)]],
  ['the store and management', { store: 2, management: 3 }, 2, [minute, day, management(3)]],
])(
  'an operation that uses %s is charged to each budget that the operation uses, and too many refusals ban the key',
  (_, points, charged, windows) => {
    expect(projectCharge(caller, bans, points)).toEqual({ subject: '7', points: charged, windows, ban })
  },
)

test('reading the budget of a project costs nothing, and includes the ban of the calling key', () => {
  const all = { subject: '7', points: 0, windows: [minute, day, management(0)] }

  expect(wholeBudget(project, caller, bans)).toEqual({ ...all, ban })
  expect(wholeBudget(project, null, bans)).toEqual(all)
})

test('per minute, an IP address may send 60 requests, a project may read its limits 60 times for free, and an operator may send 600 requests', () => {
  const sixty = { points: 1, windows: [{ name: 'minute', seconds: 60, limit: 60 }] }

  expect(anonymousCharge('192.0.2.1')).toEqual({ subject: 'address:192.0.2.1', ...sixty })
  expect(freeReadCharge(caller)).toEqual({ subject: 'free-reads:7', ...sixty })
  expect(operatorCharge(5)).toEqual({
    ...{ subject: 'operator', points: 5 },
    windows: [{ name: 'management', seconds: 60, limit: 600 }],
  })
  expect(operatorCharge(5, 'an-id')).toEqual({ ...operatorCharge(5), subject: 'operator:an-id' })
})

test.each([
  [0, 1],
  [0.2, 1],
  [1, 1],
  [1.01, 2],
  [10, 10],
  [11, 10],
  [1e9, 10],
])(
  'an import or export worth %d requests costs %i: a whole number from one to the limit of the project',
  (requests, price) => {
    expect(priceOf(project, requests)).toBe(price)
    expect(priceOf({ ...project, limits: { perMinute: 10, perDay: 4 } }, requests)).toBe(Math.min(4, price))
  },
)

describe('a refusal', () => {
  const decided = (outcome: Decision['outcome'], waitMs: number | null) =>
    ({ outcome, decidedAt: 1_000, retryAt: waitMs === null ? null : 1_000 + waitMs }) as Decision

  test.each([
    [null, 1, 'second'],
    [0, 1, 'second'],
    [1, 1, 'second'],
    [1_000, 1, 'second'],
    [1_001, 2, 'seconds'],
    [59_999, 60, 'seconds'],
  ])('a refusal with %j ms to wait states the wait in whole seconds, rounded up', (waitMs, seconds, unit) => {
    expect(refusalOf(decided('limited', waitMs))).toMatchObject({
      code: 'rate_limited',
      message: `The rate limit is used up; try again in ${seconds} ${unit}.`,
      retryAfterSeconds: seconds,
    })
    expect(refusalOf(decided('banned', waitMs), 9)).toMatchObject({
      code: 'key_banned',
      message: `This API key is banned for ${seconds} more ${unit}: it kept sending after refusals, or the operator banned it.`,
      retryAfterSeconds: seconds,
    })
  })

  test('a refusal of an operation that costs several requests names their number', () => {
    expect(refusalOf(decided('limited', 5_000), 0).message).toMatch(/^The rate limit is used up;/)
    expect(refusalOf(decided('limited', 5_000), 2).message).toBe(
      'This costs 2 requests, but fewer are left; try again in 5 seconds.',
    )
  })
})
