import { expect, test } from 'vitest'
import { isWithin, joinSpans, parseSpan } from '../../../src/core/usage/spans.ts'

test.each<[number, number | null, ReturnType<typeof parseSpan>]>([
  [1, null, { unit: 'day', count: 1 }],
  [90, null, { unit: 'day', count: 90 }],
  [30, 1, { unit: 'hour', count: 1 }],
  [30, 48, { unit: 'hour', count: 48 }],
  // `hours` replaces `days`, even if `days` is invalid.
  [91, 2, { unit: 'hour', count: 2 }],
])('usage is read for %j days or %j hours', (days, hours, span) => {
  expect(parseSpan(days, hours)).toEqual(span)
})

test.each<[number, number | null, string, number]>([
  [0, null, 'days', 90],
  [91, null, 'days', 90],
  [30, 0, 'hours', 48],
  [30, 49, 'hours', 48],
])(
  'a span of %j days or %j hours is refused, and the error names the field and its maximum',
  (days, hours, field, most) => {
    expect(() => parseSpan(days, hours)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: [{ field, message: `must be a whole number from 1 to ${most}` }],
      }),
    )
  },
)

test('usage spans are joined if they overlap or touch, and the days between separate spans belong to no span', () => {
  const days = (count: number, last: number) => ({ unit: 'day' as const, count, last })
  expect(joinSpans([days(1, 200), days(2, 20), days(5, 22), days(1, 21), days(3, 17), days(1, 15)])).toEqual([
    days(8, 22),
    days(1, 200),
  ])
  expect(isWithin(days(2, 20), days(8, 22))).toBe(true)
  expect([days(9, 22), days(1, 23)].map(span => isWithin(span, days(8, 22)))).toEqual([false, false])
})
