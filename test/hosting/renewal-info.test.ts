import acme from 'acme-client'
import { expect, test } from 'vitest'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { readRenewalInfo, renewalIdOf } from '../../src/hosting/renewal-info.ts'
import { systemClock } from '../../src/tools/clock.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour
const at = (ms: number) => new Date(now + ms)
const suggesting = (start: unknown, end: unknown) => ({ suggestedWindow: { start, end } })
const window = suggesting(at(10 * day).toISOString(), at(12 * day).toISOString())

test.each([
  [0, 10 * day],
  [0.5, 11 * day],
  [1, 12 * day],
])(
  'with the random number %d a certificate is renewed %i ms from now, within the suggested window',
  (random, wait) => {
    expect(readRenewalInfo(window, null, now, () => random)?.renewAt).toEqual(at(wait))
  },
)

test.each([
  ['names no time', null, 6 * hour],
  ['names five hours', 5 * hour, 5 * hour],
  ['names a wait of zero', 0, 60_000],
  ['names less than a minute', 59_999, 60_000],
  ['names a day', day, day],
  ['names more than a day', day + 1, day],
])(
  'an authority whose Retry-After %s is asked about the renewal again after at least a minute and at most a day',
  (_, retryAfter, wait) => {
    const info = readRenewalInfo(window, retryAfter === null ? null : at(retryAfter), now)

    expect(info?.askAgainAt).toEqual(at(wait))
  },
)

test.each([
  ['null', null],
  ['an object without a window', {}],
  ['a window without an end', suggesting(at(0).toISOString(), undefined)],
  ['a window that ends before it begins', suggesting(at(1).toISOString(), at(0).toISOString())],
  ['times that cannot be parsed', suggesting('soon', 'later')],
])('a response with %s suggests no renewal', (_, body) => {
  expect(readRenewalInfo(body, null, now)).toBeNull()
})

test('if a suggested renewal window begins and ends at one moment, the renewal time is that moment, even if the moment is past', () => {
  const moment = at(-day).toISOString()

  expect(readRenewalInfo(suggesting(moment, moment), null, now)?.renewAt).toEqual(at(-day))
})

/** The example of RFC 9773, appendix A, with its line breaks. */
const ofRfc = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`

test('a certificate gets the identifier of the example in RFC 9773, with the zero byte before its serial number', async () => {
  const root = await makeRoot(systemClock)
  const authority = root.slice(root.indexOf('-----BEGIN CERTIFICATE-----'))

  expect(renewalIdOf(ofRfc)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  expect(renewalIdOf(ofRfc + authority)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  // A certificate without the identifier of its authority's key has no identifier for renewal.
  expect(renewalIdOf(authority)).toBeNull()
})

test('a serial number whose first bit is zero is used unchanged in the identifier for renewal', async () => {
  const [, csr] = await acme.crypto.createCsr({ altNames: ['www.shop.test'] })
  const chain = await signLeaf(await makeRoot(systemClock), 'www.shop.test', csr, systemClock)

  const [, serial = ''] = renewalIdOf(chain)?.split('.') ?? []

  expect(Buffer.from(serial, 'base64url')).toHaveLength(16)
})
