import express, { type Response } from 'express'
import { expect, test } from 'vitest'
import { answerEmpty } from '../../src/http/answer.ts'
import { addHeader, addHeaders, headerOf, removeHeader, setHeadersAtOnce } from '../../src/http/headers.ts'
import { ask } from '../support/ask.ts'
import { standIn } from '../support/stand-in.ts'

/**
 * Calls `say` for two answers, and returns the headers of both. The headers of the first answer are collected in a
 * list, and those of the second are set directly.
 */
async function saidBy(say: (response: Response) => void): Promise<Record<string, unknown>[]> {
  const url = await standIn(
    express()
      .disable('x-powered-by')
      .use((_request, response, next) => {
        response.locals.headers = ['X-A', '1', 'X-B', '2', 'X-C', '3']
        next()
      })
      .use('/at-once', setHeadersAtOnce)
      .use((_request, response) => {
        say(response)
        answerEmpty(response, 200)
      }),
  )
  const answers = [await ask(`${url}/`), await ask(`${url}/at-once`)]
  return answers.map(({ headers }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-'))),
  )
}

test.each<[string, (response: Response) => void, object]>([
  ['as they were set', () => {}, { 'x-a': '1', 'x-b': '2', 'x-c': '3' }],
  [
    'with a repeated header at the position of the first',
    response => addHeader(response, 'X-A', '4'),
    { 'x-a': '4', 'x-b': '2', 'x-c': '3' },
  ],
  [
    'with several new headers',
    response => addHeaders(response, ['X-D', '5', 'X-E', '6']),
    { 'x-a': '1', 'x-b': '2', 'x-c': '3', 'x-d': '5', 'x-e': '6' },
  ],
  [
    'with several repeated headers',
    response => addHeaders(response, ['X-B', '5', 'X-C', '6']),
    { 'x-a': '1', 'x-b': '5', 'x-c': '6' },
  ],
  ['without a removed header', response => removeHeader(response, 'X-B'), { 'x-a': '1', 'x-c': '3' }],
  [
    'without a removed header that was never set',
    response => removeHeader(response, 'X-D'),
    { 'x-a': '1', 'x-b': '2', 'x-c': '3' },
  ],
  [
    'without taking a value for the name of a header',
    response => {
      addHeader(response, 'X-C', 'X-D')
      removeHeader(response, 'X-D')
      addHeaders(response, ['X-D', '4'])
      addHeader(response, 'X-D', '5')
    },
    { 'x-a': '1', 'x-b': '2', 'x-c': 'X-D', 'x-d': '5' },
  ],
])('headers are sent %s', async (_how, say, expected) => {
  expect(await saidBy(say)).toEqual([expected, expected])
})

test('headerOf returns the value of a header that was set, and undefined for any other header', async () => {
  const found: unknown[] = []

  await saidBy(response => found.push(headerOf(response, 'X-B'), headerOf(response, 'X-D')))

  expect(found).toEqual(['2', undefined, '2', undefined])
})
