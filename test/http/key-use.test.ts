import type { Response } from 'express'
import { expect, test } from 'vitest'
import type { Caller } from '../../src/core/keys/caller.ts'
import { countUse } from '../../src/http/count-use.ts'
import type { Tools } from '../../src/tools.ts'

const caller = { project: { id: 1 } } as Caller

/** Returns what is counted for a request with this status. */
function countedOf(statusCode: number, locals: object): unknown[] {
  const counted: unknown[] = []
  const usageCounter = { countRequest: (...use: unknown[]) => void counted.push(...use) }
  countUse({ usageCounter } as unknown as Tools, { statusCode, locals } as unknown as Response, 12)
  return counted
}
const bill = { door: 'graphql', store: 3, management: 0 }
const accepted = { outcome: 'accepted' }

test.each([
  [200, {}, 'served'],
  [304, {}, 'served'],
  [399, {}, 'served'],
  [400, {}, 'faulty'],
  [499, {}, 'faulty'],
  [500, {}, 'failed'],
  [503, {}, 'failed'],
  [200, { worstStatus: 400 }, 'faulty'],
  [200, { worstStatus: 500 }, 'failed'],
  [404, { worstStatus: 200 }, 'faulty'],
  [429, { decision: { outcome: 'limited' } }, 'refused'],
  [429, { decision: { outcome: 'banned' } }, 'refused'],
])(
  'a request with the status %i and the details %j is counted as %j in the usage',
  (status, more, outcome) => {
    expect(countedOf(status, { caller, bill, decision: accepted, ...more })).toEqual([
      ...[caller, 'graphql', outcome, 3, 12],
    ])
  },
)

test('a refused request whose body was charged is counted twice in the usage: as refused and as faulty', () => {
  const locals = { caller, bill, charged: [{}], decision: { outcome: 'limited' } }

  expect(countedOf(429, locals)).toEqual([
    ...[caller, 'graphql', 'refused', 3, 12],
    ...[caller, 'graphql', 'faulty', 3, undefined],
  ])
})

test('if a key is banned from the store budget, a request that takes nothing from that budget still counts as served in the usage', () => {
  const free = { ...bill, store: 0 }

  expect(countedOf(200, { caller, bill: free, decision: { outcome: 'banned' } })[2]).toBe('served')
})

test('a request without a caller or without a charge is not counted in the usage', () => {
  expect(countedOf(401, { bill, decision: accepted })).toEqual([])
  expect(countedOf(503, { caller })).toEqual([])
})
