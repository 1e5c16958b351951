import express, { type ErrorRequestHandler } from 'express'
import { expect, test } from 'vitest'
import { errorBody, toStoreError } from '../../src/http/errors.ts'
import { isUtf8, readJsonBody } from '../../src/http/json-body.ts'
import { ask } from '../support/ask.ts'
import { standIn } from '../support/stand-in.ts'

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json;charset=UTF8', true],
  ['text/csv; header=present; charset="UTF-8"', true],
  ['application/json; charset=latin1', false],
  ['application/json; charset=utf-80', false],
  ['application/json; charset=xutf-8', false],
  ['application/json; charset="utf-16"', false],
])('the content type %s counts as UTF-8: %s', (type, isIt) => {
  expect(isUtf8(type)).toBe(isIt)
})

const answerError: ErrorRequestHandler = (fault, _request, response, _next) =>
  void response.status(400).end(errorBody(toStoreError(fault)))

const app = express()
  .post('/', async (request, response) => {
    response.json(await readJsonBody(request, response))
  })
  .use(answerError)

async function read(type: string | null, body: string | Buffer) {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  const { text } = await ask(await standIn(app), { method: 'POST', headers, body })
  const { code, message } = JSON.parse(text)
  return code ? [code, message] : JSON.parse(text)
}

const wrongType = ['unsupported_media_type', 'The body must be application/json in UTF-8.']
const json = 'application/json'

test.each([json, 'Application/JSON', `${json};charset=utf-8`, `${json}; charset="UTF-8"; x=y`])(
  'a body of type %s is read',
  async type => {
    expect(await read(type, '{"name":"Zoë"}')).toEqual({ name: 'Zoë' })
  },
)

test.each(['text/plain', 'application/jsonx', `x${json}`, `${json}; charset=latin1`, 'application/ld+json'])(
  'a body of type %s is refused with 415',
  async type => {
    expect(await read(type, '{}')).toEqual(wrongType)
  },
)

test('a body without a type is refused with 415, and an empty body as malformed', async () => {
  expect(await read(null, '{}')).toEqual(wrongType)
  expect(await read(json, '')).toEqual(['malformed_request', 'The request needs a JSON body.'])
})

test('a POST by fetch without a body needs a JSON body, whether or not it has a type', async () => {
  const url = await standIn(app)
  for (const headers of [{}, { 'content-type': 'text/plain' }]) {
    const answer = await fetch(url, { method: 'POST', headers })
    expect(await answer.json()).toMatchObject({
      ...{ code: 'malformed_request', message: 'The request needs a JSON body.' },
    })
  }
})

test.each([
  ['half of a document', '{"name":'],
  ['invalid UTF-8', Buffer.from('{"name":"\xe4"}', 'latin1')],
  ['deeply nested lists', '['.repeat(30_000)],
  ['more than one document', '{}{}'],
])('a JSON body of %s is refused as invalid', async (_what, body) => {
  expect(await read(json, body)).toEqual(['malformed_request', 'The body is not valid JSON.'])
})
