import { expect, it } from 'vitest'
import { exactNumber, wholeNumber } from '../../src/cli/whole-number.ts'

it.each(['0', '7', '007', '999999999'])('the text %s is parsed as a count', text => {
  expect(wholeNumber(text)).toBe(Number(text))
})

it.each(['', '-1', '+1', '1.5', '1e3', '7 ', '7x', 'x7', '1000000000', 'many'])(
  'the text %j is rejected as a count',
  text => {
    expect(() => wholeNumber(text)).toThrow('It must be a whole number.')
  },
)

it.each(['0', '12', '-9223372036854775808', '18446744073709551615'])(
  'the text %s is parsed as an id without losing a digit',
  text => {
    expect(exactNumber(text)).toBe(BigInt(text))
  },
)

it.each(['', '-', '--1', '1.5', '0x10', '7 ', '7n', '100000000000000000000'])(
  'the text %j is rejected as an id',
  text => {
    expect(() => exactNumber(text)).toThrow('It must be a whole number.')
  },
)
