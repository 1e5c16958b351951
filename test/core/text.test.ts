import { expect, it } from 'vitest'
import { isStorable, toStorable } from '../../src/core/text.ts'

it.each([
  ['a\0b\0', 'a\ufffdb\ufffd'],
  ['a\ud83d', 'a\ufffd'],
  ['\udc31\0', '\ufffd\ufffd'],
  [' Zoë 🦊\u0001', ' Zoë 🦊\u0001'],
])('the text %j is stored as %j', (text, stored) => {
  expect(toStorable(text)).toBe(stored)
  expect(isStorable(stored)).toBe(true)
  expect(isStorable(text)).toBe(text === stored)
})
