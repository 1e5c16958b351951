import { expect, test } from 'vitest'
import { linesOf } from '../../src/http/gathered-headers.ts'

test('headers stand one to a line', () => {
  expect(linesOf(['X-Request-Id', '1', 'ETag', '"2"'])).toBe('X-Request-Id: 1\r\nETag: "2"\r\n')
})

test('no header can smuggle in another one', () => {
  expect(() => linesOf(['Link', 'a\r\nSet-Cookie: b'])).toThrow('Link')
})
