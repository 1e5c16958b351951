import { expect, test } from 'vitest'
import { rateLimitHeaders } from '../../src/http/rate-limit-headers.ts'

const decidedAt = 1_000_000_000_400
const at = (seconds: number) => decidedAt + seconds * 1000

function headersOf(
  windows: [name: string, limit: number, remaining: number, endsIn: number, seconds: number][],
  banEndsIn: number | null = null,
): Record<string, string> {
  const decision = {
    decidedAt,
    banEndsAt: banEndsIn === null ? null : at(banEndsIn),
    windows: windows.map(([name, limit, remaining, endsIn, seconds]) => ({
      ...{ name, limit, remaining, seconds },
      resetAt: at(endsIn),
    })),
  }
  const list = rateLimitHeaders(decision)
  return Object.fromEntries(list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? '']] : [])))
}

test('the rate limit headers describe the window with the fewest requests left, list every window, and round seconds up', () => {
  expect(
    headersOf([
      ['minute', 60, 9, 1.001, 60],
      ['day', 1000, 8, 7200, 86_400],
    ]),
  ).toEqual({
    'X-RateLimit-Limit': '1000',
    'X-RateLimit-Remaining': '8',
    'X-RateLimit-Reset': String(Math.ceil(at(7200) / 1000)),
    RateLimit: '"minute";r=9;t=2, "day";r=8;t=7200',
    'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
  })
})

test('if several windows have equally few requests left, the headers describe the first one, and show a past reset as 0 seconds', () => {
  expect(
    headersOf([
      ['minute', 60, 8, -3, 60],
      ['day', 1000, 8, 1, 86_400],
    ]),
  ).toMatchObject({ 'X-RateLimit-Limit': '60', RateLimit: '"minute";r=8;t=0, "day";r=8;t=1' })
})

test('the rate limit headers list the management budget by name, and never show it in place of the store’s budget', () => {
  expect(
    headersOf([
      ['minute', 60, 9, 1, 60],
      ['management', 30, 0, 2, 60],
    ]),
  ).toMatchObject({
    ...{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '9' },
    RateLimit: '"minute";r=9;t=1, "management";r=0;t=2',
    'RateLimit-Policy': '"minute";q=60;w=60, "management";q=30;w=60',
  })
})

test('a banned key has nothing left in any window until its ban ends', () => {
  const windows: Parameters<typeof headersOf>[0] = [
    ['minute', 60, 9, 1, 60],
    ['day', 1000, 8, 7200, 86_400],
  ]

  expect(headersOf(windows, 300)).toEqual({
    ...{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' },
    'X-RateLimit-Reset': String(Math.ceil(at(300) / 1000)),
    RateLimit: '"minute";r=0;t=300, "day";r=0;t=300',
    'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
  })
})

test('the answers to a project without rate limit windows have no rate limit headers', () => {
  expect(headersOf([])).toEqual({})
})
