import { expect, test } from 'vitest'
import { servedStateOf, servedUntilOf } from '../../../src/core/hosts/served-state.ts'
import type { Domain, HostState } from '../../../src/generated/prisma/client.ts'

const day = 86_400_000
const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const domain = (state: HostState, more: Partial<Domain> = {}) =>
  ({ state, ownedName: 'www.shop.test', driftedAt: null, ...more }) as Domain
const project = (planName: string, suspended = false) => {
  const limits = { perMinute: 60, perDay: 1_000 }
  return { id: 1, slug: 'shop', name: 'Shop', planName, limits, suspended }
}

test.each([
  ['a live domain', domain('live'), project('pro'), null, 'live'],
  ['a drifted domain', domain('drifted'), project('pro'), null, 'drifted'],
  ['a live domain of a suspended project', domain('live'), project('pro', true), null, 'paused'],
  [
    'a domain that a suspended project has not proven',
    domain('pending', { ownedName: null }),
    project('pro', true),
    null,
    'pending',
  ],
  [
    'a live domain a moment before the end of the grace time',
    domain('live'),
    project('free'),
    later(1),
    'live',
  ],
  ['a live domain at the end of the grace time', domain('live'), project('free'), now, 'paused'],
  ['a live domain whose project has a plan with domains again', domain('live'), project('pro'), now, 'live'],
])(
  'the shown state of a domain depends on the plan, the suspension and the grace time of its project: %s',
  (_, of, whose, graceEndsAt, state) => {
    expect(servedStateOf(of, whose, graceEndsAt, now.getTime())).toBe(state)
  },
)

const drifted = domain('drifted', { driftedAt: later(-day) })

test.each([
  ['a live domain on a plan with domains has no end of service', domain('live'), 'pro', null, null],
  ['a drifted domain is served for seven days after its drift', drifted, 'pro', null, later(6 * day)],
  [
    'a drifted domain that is still served after seven days has no known end of service',
    domain('drifted', { driftedAt: later(-7 * day) }),
    'pro',
    null,
    null,
  ],
  [
    'a domain on a plan without domains is served until the end of the grace period',
    domain('live'),
    'free',
    later(9 * day),
    later(9 * day),
  ],
  [
    'a drifted domain is served until the end of the grace period if that comes first',
    drifted,
    'free',
    later(5 * day),
    later(5 * day),
  ],
  [
    'a drifted domain is served for seven days if the grace period is longer',
    drifted,
    'free',
    later(9 * day),
    later(6 * day),
  ],
  [
    'a domain has no end of service once its plan includes domains again',
    domain('live'),
    'pro',
    later(9 * day),
    null,
  ],
  [
    'an unproven domain has no end of service',
    domain('pending', { ownedName: null }),
    'free',
    later(day),
    null,
  ],
])('%s', (_, of, planName, graceEndsAt, end) => {
  expect(servedUntilOf(of, project(planName), graceEndsAt, now.getTime())).toEqual(end)
})
