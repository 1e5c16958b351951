import { expect, test } from 'vitest'
import { AuthorityRefusal, StoredPause } from '../../src/hosting/certificate-authority.ts'
import type { CertificateTools } from '../../src/jobs/certificate-tools.ts'
import { findRenewalTimes, nextTryAfter, nextTryAt } from '../../src/jobs/renewal-time.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'

const clock = { now: () => 1_000_000, aheadMs: () => 0 }
const seconds = (attempts: number, random: number) =>
  (nextTryAt(clock, attempts, () => random).getTime() - clock.now()) / 1000

const hour = 3_600_000
const day = 24 * hour
const sixHours = 6 * 3600

test.each([
  [0, 15],
  [1, 30],
  [2, 60],
  [5, 480],
  [10, 15_360],
  [11, sixHours],
  [12, sixHours],
  [50, sixHours],
])(
  'after %i failures a certificate is tried again in %i seconds, with a random deviation of up to a quarter',
  (attempts, pause) => {
    expect(seconds(attempts, 0)).toBe(pause * 0.75)
    expect(seconds(attempts, 0.5)).toBe(pause)
    expect(seconds(attempts, 1)).toBe(pause * 1.25)
  },
)

test('names that failed together are tried again at different times', () => {
  const times = Array.from({ length: 20 }, () => nextTryAt(clock, 3).getTime())

  expect(new Set(times).size).toBeGreaterThan(10)
})

const after = (retryAt: number | null, lifeMs: number | null = null) => {
  const row = { attempts: 9, notAfter: lifeMs === null ? null : new Date(clock.now() + lifeMs) }
  const at = nextTryAfter(clock, row, retryAt === null ? null : new Date(clock.now() + retryAt))
  return (at.getTime() - clock.now()) / 1000
}
const backOff = 15 * 2 ** 9

test.each([
  ['seconds after the time that the authority named', day, null, [86_400 + 11.25, 86_400 + 18.75]],
  [
    'after its own back-off if the authority named an earlier time',
    60_000,
    null,
    [0.75 * backOff, 1.25 * backOff],
  ],
  ['after its own back-off if the authority named no time', null, null, [0.75 * backOff, 1.25 * backOff]],
  ['after a third of its remaining life at the latest', 9 * day, 3 * day, [86_400 + 11.25, 86_400 + 18.75]],
] as const)('a refused certificate is tried again %s', (_, retryAt, lifeMs, [least, most]) => {
  const pause = after(retryAt, lifeMs)

  expect(pause).toBeGreaterThanOrEqual(least)
  expect(pause).toBeLessThanOrEqual(most)
})

type Advice = { renewAt: Date; askAgainAt: Date } | null

/**
 * Returns the renewal time of a certificate that begins now and has this lifetime, if the authority gives this advice.
 */
async function judge(lifeMs: number, advise: () => Promise<Advice>, isRevoked = false) {
  const metrics = openMetrics()
  const authority = { adviseRenewal: advise, isRevoked: async () => isRevoked }
  const tools = { clock, log: openLog('silent'), metrics } as unknown as CertificateTools
  const [notBefore, notAfter] = [later(0), later(lifeMs)]
  const certificate = { name: 'www.shop.test', chain: 'chain', notBefore, notAfter }
  const times = await findRenewalTimes(tools, { ...certificate, issuedAt: notBefore }, authority as never)
  const refusals = /refusals_total\{code="ca_unreachable"\} (\d+)/.exec(metrics.text())?.[1]
  return {
    renewAt: times.renewAt.getTime() - clock.now(),
    nextStepAt: times.nextStepAt.getTime() - clock.now(),
    refusals,
  }
}
const later = (ms: number) => new Date(clock.now() + ms)

test.each([
  ['90 days, when a third of it is left,', 90 * day, 60 * day],
  ['45 days, when a third of it is left,', 45 * day, 30 * day],
  ['ten days, when a third of it is left,', 10 * day, 160 * hour],
  ['a moment less than ten days, when half of it is left,', 10 * day - 2, 5 * day - 1],
  ['six days, when half of it is left,', 6 * day, 3 * day],
])('a certificate with a life of %s is renewed in time', async (_, life, pause) => {
  const times = await judge(life, async () => null)

  expect([times.renewAt, times.nextStepAt]).toEqual([pause, pause])
})

test.each([
  ['after its next request for advice', 30 * day, 6 * hour, 6 * hour],
  ['before its next request for advice', 10 * day, 11 * day, 10 * day],
])(
  'a certificate is checked or renewed at the earlier of the two times that the authority suggests: %s',
  async (_, renewAt, askAgainAt, nextStepAt) => {
    const advice = { renewAt: later(renewAt), askAgainAt: later(askAgainAt) }

    expect(await judge(90 * day, async () => advice)).toMatchObject({ renewAt, nextStepAt })
  },
)

test.each([
  ['in six hours, and renewed when a third of its life is left', 90 * day, 60 * day, 6 * hour],
  ['at its renewal time if that comes within six hours', 8 * hour, 4 * hour, 4 * hour],
])(
  'if the authority gives no renewal time, the certificate is checked again %s',
  async (_, life, renewAt, nextStepAt) => {
    const away = new AuthorityRefusal('ca_unreachable', 'It is away.')

    expect(await judge(life, () => Promise.reject(away))).toEqual({ renewAt, nextStepAt, refusals: '1' })
    // The authority asked earlier not to be queried yet, so nothing is logged.
    const pause = new StoredPause('ca_rate_limited', 'It wants to be left alone.')
    expect(await judge(life, () => Promise.reject(pause))).toEqual({ renewAt, nextStepAt, refusals: '0' })
  },
)

test('a bug in reading the renewal advice is thrown, and is not treated as a failure of the authority', async () => {
  await expect(judge(90 * day, () => Promise.reject(new Error('ours')))).rejects.toThrow('ours')
})

test.each([
  ['has passed, the certificate stays until a tenth of its life is over', 90 * day, -30 * day, 9 * day],
  ['has passed, a certificate of six days stays for a day', 6 * day, -day, day],
  ['has passed, a certificate of eight hours is renewed with half of its life left', 8 * hour, -1, 4 * hour],
  [
    'comes after the end, the certificate is renewed with a tenth of its life left',
    90 * day,
    100 * day,
    81 * day,
  ],
])(
  'the clock of an authority may be wrong, so if the suggested renewal time %s',
  async (_, life, advised, renewAt) => {
    const advice = { renewAt: later(advised), askAgainAt: later(30 * day) }

    expect((await judge(life, async () => advice)).renewAt).toBe(renewAt)
  },
)

test('a revoked certificate is renewed at once, however young it is', async () => {
  const advice = { renewAt: later(-day), askAgainAt: later(6 * hour) }

  expect((await judge(90 * day, async () => advice, true)).renewAt).toBe(-day)
})
