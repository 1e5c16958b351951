import { expect, test } from 'vitest'
import { readRetryAfter, refusalIn } from '../../src/hosting/acme-errors.ts'

const who = 'The authority'
const says = (detail: unknown) =>
  refusalIn({ status: 403, headers: {}, data: { type: 'urn:ietf:params:acme:error:caa', detail } }, 0, who)
    ?.message

test('an error message shows the text of a certificate authority as one short line, whatever the authority sends', () => {
  expect(says('CAA\r\n\u0007 forbids\u202e it\u0000')).toBe('The authority refused: CAA forbids it')
  expect(says('x'.repeat(100_000))).toBe(`The authority refused: ${'x'.repeat(500)}`)
  expect(says(`${'x'.repeat(499)}😀`)?.isWellFormed()).toBe(true)
  expect(says({ not: 'text' })).toBe('The authority refused: it answered 403')
})

const now = Date.parse('2026-06-01T12:00:00Z')
const month = 30 * 86_400_000
const retryAfter = (text: string | undefined) => {
  const at = readRetryAfter({ status: 200, headers: { 'retry-after': text } }, now)
  return at && at.getTime() - now
}

test.each([
  ['0', 0],
  ['90', 90_000],
  [String(month / 1000), month],
  [String(month / 1000 + 1), month],
  ['9'.repeat(400), month],
  ['Mon, 01 Jun 2026 13:00:00 GMT', 3_600_000],
  ['Mon, 01 Jun 2026 11:00:00 GMT', -3_600_000],
  ['Wed, 01 Jul 2026 12:00:01 GMT', month],
  ['soon', null],
  ['', null],
  [undefined, null],
])('a Retry-After of %s asks to wait for this number of milliseconds: %j', (text, wait) => {
  expect(retryAfter(text)).toBe(wait)
})

const words = {
  ca_rate_limited: 'The authority asks to wait',
  ca_unreachable: 'The authority failed',
  ca_refused: 'The authority refused',
}
const acme = (type: string) => `urn:ietf:params:acme:error:${type}`

type Refusal = { code: keyof typeof words; retryAt: Date | null; type?: string; status?: number }
test.each<[number, string | null, string | undefined, Refusal | null]>([
  [200, null, undefined, null],
  [399, acme('caa'), undefined, null],
  [400, acme('badNonce'), undefined, null],
  [400, acme('malformed'), undefined, { code: 'ca_refused', type: 'malformed', status: 400, retryAt: null }],
  [429, acme('rateLimited'), '60', { code: 'ca_rate_limited', retryAt: new Date(now + 60_000) }],
  [429, null, undefined, { code: 'ca_rate_limited', retryAt: new Date(now + 60_000) }],
  [403, acme('rateLimited'), '5', { code: 'ca_rate_limited', retryAt: new Date(now + 5_000) }],
  [503, null, '5', { code: 'ca_rate_limited', retryAt: new Date(now + 5_000) }],
  [503, null, undefined, { code: 'ca_unreachable', retryAt: null }],
  [500, acme('serverInternal'), undefined, { code: 'ca_unreachable', retryAt: null }],
  [500, null, '5', { code: 'ca_unreachable', retryAt: new Date(now + 5_000) }],
  [403, acme('caa'), undefined, { code: 'ca_refused', type: 'caa', status: 403, retryAt: null }],
  [404, null, '5', { code: 'ca_refused', type: 'unknown', status: 404, retryAt: null }],
])('the status %i with error %s and a Retry-After of %s is read as %j', (status, type, wait, refusal) => {
  const answer = { status, headers: { 'retry-after': wait }, ...(type && { data: { type, detail: 'No.' } }) }

  if (refusal === null) expect(refusalIn(answer, now, who)).toBeNull()
  else {
    const message = `${words[refusal.code]}: ${type ? 'No.' : `it answered ${status}`}`
    expect(refusalIn(answer, now, who)).toMatchObject({ ...refusal, message })
  }
})

test.each([[null], [undefined], ['<html>']])(
  'a response with %j instead of an ACME problem is reported by its status',
  data => {
    expect(refusalIn({ status: 502, headers: {}, data }, now, who)?.message).toBe(
      'The authority failed: it answered 502',
    )
  },
)
