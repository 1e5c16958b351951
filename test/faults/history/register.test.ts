import { describe, expect, it } from 'vitest'
import { type Call, findContradiction } from './register.ts'

const read = (name: string, sentAt: number, answeredAt = sentAt + 10): Call => ({
  ...{ by: 'a reader', act: 'read', name, sentAt, answeredAt, outcome: 'done' },
})
const change = (expected: string, name: string, sentAt: number, more: Partial<Call> = {}): Call => ({
  ...{ by: 'a writer', act: 'change', expected, name, sentAt, answeredAt: sentAt + 10, outcome: 'done' },
  ...more,
})
const byHand = (name: string, sentAt: number): Call => ({
  ...{ by: 'psql', act: 'set', name, sentAt, answeredAt: sentAt + 10, outcome: 'done' },
})
const unknown = { outcome: 'unknown', answeredAt: Number.POSITIVE_INFINITY } as const

describe('a history of one pet is in order if', () => {
  const good: [string, Call[]][] = [
    ['nothing happened', []],
    [
      'each change is read after it',
      [change('a', 'b', 0), read('b', 20), change('b', 'c', 40), read('c', 60)],
    ],
    [
      'concurrent changes have one order',
      [change('b', 'c', 0), change('a', 'b', 0), read('b', 5, 8), read('c', 20)],
    ],
    [
      'one of two changes with the same tag is refused',
      [change('a', 'b', 0), change('a', 'c', 0, { outcome: 'refused' }), read('b', 20)],
    ],
    ['a change without an answer happened', [change('a', 'b', 0, unknown), read('b', 5_000)]],
    ['a change without an answer never happened', [change('a', 'b', 0, unknown), read('a', 5_000)]],
    [
      'a change without an answer happened late',
      [change('a', 'b', 0, unknown), read('a', 2_000), read('b', 3_000), change('b', 'c', 4_000)],
    ],
    ['a read is 240 ms behind a change by hand', [byHand('b', 0), read('a', 250), read('b', 300)]],
    [
      'a read is 240 ms behind a change without an answer that another read saw',
      [change('a', 'b', 0, unknown), read('b', 100), read('a', 340)],
    ],
    [
      'a restore brings an older name back',
      [change('a', 'b', 0), byHand('a', 100), read('b', 200), read('a', 400)],
    ],
  ]
  it.each(good)('%s', (_name, calls) => {
    expect(findContradiction('a', calls)).toBeNull()
  })
})

describe('a history of one pet is broken if', () => {
  const bad: [string, Call[]][] = [
    ['an acknowledged change is not read', [change('a', 'b', 0), read('a', 20)]],
    ['an acknowledged change is lost later', [change('a', 'b', 0), read('b', 20), read('a', 5_000)]],
    ['a name is read that was never written', [read('x', 0)]],
    ['two changes with the same tag are accepted', [change('a', 'b', 0), change('a', 'c', 0)]],
    ['a change is refused although its tag was current', [change('a', 'b', 0, { outcome: 'refused' })]],
    [
      'a refused change is read',
      [change('a', 'b', 0), change('a', 'c', 20, { outcome: 'refused' }), read('c', 40)],
    ],
    ['a read is 300 ms behind a change by hand', [byHand('b', 0), read('a', 320)]],
    [
      'a read is 300 ms behind a change without an answer that another read saw',
      [change('a', 'b', 0, unknown), read('b', 100, 110), read('a', 420)],
    ],
    [
      'a change without an answer happened twice',
      [
        change('a', 'b', 0, unknown),
        byHand('a', 1_000),
        read('b', 2_000),
        byHand('a', 3_000),
        read('b', 4_000),
      ],
    ],
  ]
  it.each(bad)('%s', (_name, calls) => {
    expect(findContradiction('a', calls)).not.toBeNull()
  })

  it('a contradiction in a history names the calls and their times', () => {
    expect(findContradiction('a', [change('a', 'b', 0), read('a', 20)])).toBe(
      'a reader read a (0.020 s to done, 0.030 s); a writer changed a to b (0.000 s to done, 0.010 s)',
    )
  })
})

it('a history with thousands of calls can be checked, even if the outcomes of many changes are unknown', () => {
  const calls: Call[] = []
  for (let i = 0; i < 1_000; i++) {
    const at = i * 20
    calls.push(change(`v${i}`, `v${i + 1}`, at), read(`v${i + 1}`, at + 12, at + 18))
    if (i % 10 === 0) calls.push(change(`v${i}`, `lost-${i}`, at, unknown))
  }

  for (let i = 0; i < 100; i++) {
    const by = { ...byHand(`lost-by-hand-${i}`, 10_000 + i), ...unknown }
    calls.push(by)
  }

  expect(findContradiction('v0', calls)).toBeNull()
  expect(findContradiction('v0', [...calls, read('v3', 30_000)])).toContain('read v3')
})
