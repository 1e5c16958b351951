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
  ['a live one', domain('live'), project('pro'), null, 'live'],
  ['a drifted one', domain('drifted'), project('pro'), null, 'drifted'],
  ['one of a suspended project', domain('live'), project('pro', true), null, 'paused'],
  [
    'one that a suspended project has not proven',
    domain('pending', { ownedName: null }),
    project('pro', true),
    null,
    'pending',
  ],
  ['one a moment before the end of the grace', domain('live'), project('free'), later(1), 'live'],
  ['one at the end of the grace', domain('live'), project('free'), now, 'paused'],
  ['one of a plan that came back', domain('live'), project('pro'), now, 'live'],
])(
  "the state of %s is shown with the project's plan and grace in mind",
  (_, of, whose, graceEndsAt, state) => {
    expect(servedStateOf(of, whose, graceEndsAt, now.getTime())).toBe(state)
  },
)

const drifted = domain('drifted', { driftedAt: later(-day) })

test.each([
  ['has no end in sight', domain('live'), 'pro', null, null],
  ['is served for seven days after its drift', drifted, 'pro', null, later(6 * day)],
  ['is served to the end of the grace', domain('live'), 'free', later(9 * day), later(9 * day)],
  ['drifted, to the end of the grace where that is first', drifted, 'free', later(5 * day), later(5 * day)],
  ['drifted, for seven days where the grace is longer', drifted, 'free', later(9 * day), later(6 * day)],
  ['of a plan that came back has no end', domain('live'), 'pro', later(9 * day), null],
  [
    'that nobody has proven has none either',
    domain('pending', { ownedName: null }),
    'free',
    later(day),
    null,
  ],
])('the end of service of a domain %s is the first one in sight', (_, of, planName, graceEndsAt, end) => {
  expect(servedUntilOf(of, project(planName), graceEndsAt)).toEqual(end)
})
