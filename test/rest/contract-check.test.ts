import { describe, expect, test } from 'vitest'
import { judgeAgainstContract } from '../support/contract.ts'

const everywhere = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1796117460',
  RateLimit: '"minute";r=59;t=41, "day";r=999;t=86381',
  'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
  'X-Request-Id': '0d1f7a52-6c1e-4b0a-9f57-2f9b5d1c8e34',
  'Cache-Control': 'private, no-cache',
  'Access-Control-Allow-Origin': '*',
}
const pet = '{"id":1,"name":"Biscuit","categoryId":9223372036854775807}'

type Answer = { status?: number; headers?: Record<string, string>; body?: string }

function judge(
  method: string,
  path: string,
  { status = 200, headers = {}, body = '[]' }: Answer = {},
): string {
  const response = { status, headers: new Headers({ ...everywhere, ...headers }), body }
  return judgeAgainstContract({ method, path }, response).join('\n')
}

describe('the contract check accepts an answer that the contract documents', () => {
  test.for<[string, string, Answer]>([
    [
      'GET',
      '/v1/pets?limit=2',
      {
        body: `[${pet}]`,
        headers: { Link: '<http://a/v1/pets?cursor=x>; rel="next"', ETag: 'W/"nq1Vn0Uu1Y2sXb8l0y4m4w"' },
      },
    ],
    ['HEAD', '/v1/pets', { body: '', headers: { ETag: 'W/"nq1Vn0Uu1Y2sXb8l0y4m4w"' } }],
    ['GET', '/v1/nothing', { status: 404, body: '{"code":"not_found","message":"No.","status":404}' }],
    [
      'PUT',
      '/v1/pets',
      {
        status: 405,
        headers: { Allow: 'GET' },
        body: '{"code":"method_not_allowed","message":"No.","status":405}',
      },
    ],
  ])('%s %s', ([method, path, answer]) => {
    expect(judge(method, path, answer)).toBe('')
  })
})

describe('the contract check reports each breach of the contract', () => {
  test.for<[string, Answer, RegExp]>([
    ['a status that is not documented', { status: 418 }, /listPets documents no 418/],
    [
      'a header that is not a number',
      { headers: { 'X-RateLimit-Limit': 'many' } },
      /X-RateLimit-Limit is many/,
    ],
    ['another media type', { headers: { 'Content-Type': 'text/html' } }, /Content-Type is text\/html/],
    ['a missing field', { body: '[{"id":1,"name":"Biscuit"}]' }, /required property 'categoryId'/],
    ['an undocumented field', { body: `[${pet.replace('}', ',"projectId":4}')}]` }, /unevaluated properties/],
    ['a status of null', { body: `[${pet.replace('}', ',"status":null}')}]` }, /status must be string/],
    ['an id beyond int64', { body: `[${pet.replace('5807}', '5808}')}]` }, /9223372036854775808 is no int64/],
    [
      'an id that was rounded',
      { body: `[${pet.replace('9223372036854775807', '9.2e18')}]` },
      /9.2e18 is no int64/,
    ],
    ['a body that is not JSON', { body: '<html>' }, /not JSON/],
    [
      'a code with another status than its own',
      { status: 400, body: '{"code":"unauthorized","message":"No.","status":400}' },
      /code unauthorized with status 400 in an answer of 400/,
    ],
    [
      'a refusal that does not say when to retry',
      { status: 429, body: '{"code":"rate_limited","message":"No.","status":429}' },
      /Retry-After is missing/,
    ],
  ])('%s', ([, answer, fault]) => {
    expect(judge('GET', '/v1/pets', answer)).toMatch(fault)
  })

  test('the contract check reports a fault if a wrong method gets a 404 instead of a 405', () => {
    expect(judge('PUT', '/v1/pets', { status: 404 })).toMatch(/it should be 405/)
  })
})
