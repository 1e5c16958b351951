import { stripVTControlCharacters, styleText } from 'node:util'
import { expect, test } from 'vitest'
import { toReadable } from '../../src/tools/readable-lines.ts'

const time = '2026-06-01T12:34:56.789Z'
const requestLine = { method: 'GET', route: '/v1/pets', status: 200, milliseconds: 1.5 }

test.each([
  [{ level: 30, msg: 'is up' }, '12:34:56 info  is up'],
  [{ level: 40, msg: 'slow', name: 'www.shop.test' }, '12:34:56 warn  slow name=www.shop.test'],
  [{ level: 30, ...requestLine }, '12:34:56 info  GET /v1/pets 200 1.5 ms'],
  [{ level: 30, ...requestLine, project: 'demo' }, '12:34:56 info  GET /v1/pets 200 1.5 ms project=demo'],
  [{ level: 50, reason: 'two words', count: 3 }, '12:34:56 error reason="two words" count=3'],
  [
    {
      level: 50,
      msg: 'unhandled error',
      error: { message: 'no room', stack: 'Error: no room\n    at here' },
    },
    '12:34:56 error unhandled error\nError: no room\n    at here',
  ],
  [{ level: 30, msg: 'done', ...requestLine }, '12:34:56 info  done'],
  [{ level: 30, method: 'GET', route: '/v1/pets' }, '12:34:56 info  method=GET route=/v1/pets'],
  [{ level: 35, msg: 'own' }, '12:34:56       own'],
  [{ level: 30, empty: '', none: null, list: [1, 'a'] }, '12:34:56 info  empty= none=null list=[1,"a"]'],
  [
    { level: 60, msg: 'unhandled error', error: { message: 'no room' } },
    '12:34:56 fatal unhandled error\nno room',
  ],
])('a log line is formatted for people: %j', (line, text) => {
  const json = JSON.stringify({ ...line, time })

  expect(toReadable(json, false)).toBe(`${text}\n`)
  expect(stripVTControlCharacters(toReadable(json, true))).toBe(`${text}\n`)
  expect(toReadable(json, true)).toContain('\u001b[')
})

test.each([
  [10, 'trace', 'dim'],
  [20, 'debug', 'dim'],
  [30, 'info ', 'cyan'],
  [40, 'warn ', 'yellow'],
  [50, 'error', 'red'],
  [60, 'fatal', 'red'],
] as const)('a log line of level %i shows the level as %s in the style %s', (level, name, style) => {
  const paint = (how: typeof style, text: string) => styleText(how, text, { validateStream: false })

  expect(toReadable(JSON.stringify({ level, time, msg: 'said', name: 'x' }), true)).toBe(
    `${paint('dim', '12:34:56')} ${paint(style, name)} said ${paint('dim', 'name=x')}\n`,
  )
})
