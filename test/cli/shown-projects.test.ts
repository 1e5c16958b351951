import { describe, expect, it } from 'vitest'
import { data, runWithAnswers } from '../support/run-command.ts'

const project = (slug: string, more: object = {}) => ({
  ...{ slug, name: `The ${slug}`, plan: { name: 'pro' }, platformHost: `${slug}.animals.test` },
  ...{ limits: { requestsPerMinute: 300, requestsPerDay: 10_000 }, suspended: false, ...more },
})
const heads = ['PROJECT', 'NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'STATE']
const row = (slug: string, state = 'active') => [slug, `The ${slug}`, 'pro', '300', '10000', state]

describe('projects', () => {
  it('projects list reads all pages with the key of the operator', async () => {
    const page = (nodes: object[], endCursor: string | null) =>
      data({ projects: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } })

    const answers = [page([project('zoo')], 'next'), page([project('shop', { suspended: true })], null)]
    const { received, cells } = await runWithAnswers('projects list', answers)

    expect(cells).toEqual([heads, row('zoo'), row('shop', 'suspended')])
    expect(received).toEqual([
      ['operator', 'ListProjects', { after: null }],
      ['operator', 'ListProjects', { after: 'next' }],
    ])
  })

  it.each([
    [['zoo'], { name: null, plan: 'free', limits: null }],
    [['zoo', '--name', 'The zoo', '--plan', 'pro'], { name: 'The zoo', plan: 'pro', limits: null }],
    [
      ['zoo', '--plan', 'enterprise', '--per-minute', '5', '--per-day', '50'],
      { name: null, plan: 'enterprise', limits: { requestsPerMinute: 5, requestsPerDay: 50 } },
    ],
  ])('the command %j creates a project and shows the secret of its first key', async (args, input) => {
    const created = { projectCreate: { project: project('zoo'), secret: 'as_secret' } }

    const { received, cells } = await runWithAnswers(['projects', 'create', ...args], [data(created)])

    expect(received).toEqual([['operator', 'CreateProject', { input: { slug: 'zoo', ...input } }]])
    expect(cells).toEqual([heads, row('zoo'), ['Its first API key, shown this once:'], ['as_secret']])
  })

  it.each([
    ['projects plan zoo pro', 'SetPlan', { id: 'project_zoo', plan: 'pro', limits: null }],
    [
      'projects plan zoo enterprise --per-minute 5',
      'SetPlan',
      { id: 'project_zoo', plan: 'enterprise', limits: { requestsPerMinute: 5, requestsPerDay: 0 } },
    ],
    [
      'projects plan zoo enterprise --per-day 50',
      'SetPlan',
      { id: 'project_zoo', plan: 'enterprise', limits: { requestsPerMinute: 0, requestsPerDay: 50 } },
    ],
    ['projects suspend zoo', 'SuspendProject', { id: 'project_zoo' }],
    ['projects resume zoo', 'ResumeProject', { id: 'project_zoo' }],
  ])("the command %j changes a project, with the operator's key", async (line, operation, input) => {
    const zoo = { project: project('zoo') }
    const all = { projectSetPlan: zoo, projectSuspend: zoo, projectResume: zoo }

    const { received, cells } = await runWithAnswers(line, [data(all)])

    expect(received).toEqual([['operator', operation, { input }]])
    expect(cells).toEqual([heads, row('zoo')])
  })
})

describe('the limits of a project that an operator resets', () => {
  it.each([
    [true, []],
    [
      false,
      [
        'The service has no Redis: this applies only to the process that answered, and only until that process ends.',
      ],
    ],
  ])(
    'the command reports a reset of limits, and warns if the reset applies only to one process of the service: %j',
    async (inAllProcesses, more) => {
      const answers = [data({ projectResetRateLimit: { project: project('zoo'), inAllProcesses } })]

      const { received, cells } = await runWithAnswers('projects reset-limits zoo', answers)

      expect(received).toEqual([['operator', 'ResetRateLimit', { input: { id: 'project_zoo' } }]])
      expect(cells.flat()).toEqual(['The limits of zoo are reset.', ...more])
    },
  )
})

describe('the pauses of the certificate authority', () => {
  it.each([
    [0, 0, 'There was no pause.'],
    [1, 0, '1 pause has ended; certificates that are tried again: 0.'],
    [2, 7, '2 pauses have ended; certificates that are tried again: 7.'],
  ])(
    'certificates resume reports %i ended pauses and %i certificates to retry',
    async (pauses, certificates, sentence) => {
      const answers = [data({ certificatesResume: { pauses, certificates } })]

      const { received, output } = await runWithAnswers('certificates resume', answers)

      expect(received).toEqual([['operator', 'ResumeCertificates', {}]])
      expect(output).toBe(`${sentence}\n`)
    },
  )
})

describe('the limits of a project', () => {
  const window = (limit: number, remaining: number) => ({ limit, remaining, resetAt: '2026-02-03T04:05:06Z' })
  const rateLimit = {
    plan: 'pro',
    minute: window(10, 1),
    day: window(20, 2),
    management: window(30, 3),
    ban: null,
  }
  const lines = [
    ['Plan pro'],
    ['WINDOW', 'LEFT', 'OF', 'RESETS'],
    ['minute', '1', '10', '2026-02-03 04:05 UTC'],
    ['day', '2', '20', '2026-02-03 04:05 UTC'],
    ['management', '3', '30', '2026-02-03 04:05 UTC'],
  ]

  it('limits shows the remaining requests of each window, and the seconds until a ban ends', async () => {
    const ban = { endsAt: '2026-02-03T04:05:06Z', retryAfterSeconds: 17 }

    const free = await runWithAnswers('limits', [data({ rateLimit })])
    const banned = await runWithAnswers('limits', [data({ rateLimit: { ...rateLimit, ban } })])

    expect(free.cells).toEqual(lines)
    expect(free.received).toEqual([['owner', 'Limits', {}]])
    expect(banned.cells).toEqual([...lines, ['This key is banned for 17 more seconds.']])
  })
})

describe('usage', () => {
  const counts = (from: number) => ({
    ...{ requests: from + 4, served: from + 3, faulty: from + 2, failed: from + 1, refusals: from },
  })
  const shown = (from: number) => [from + 4, from + 3, from + 2, from + 1, from].map(String)
  const usage = {
    ...counts(100),
    doors: [
      { door: 'rest', ...counts(10) },
      { door: 'graphql', ...counts(20) },
    ],
    keys: [{ key: { id: '1', name: 'Shop', prefix: 'as_1' }, doors: [], ...counts(30) }],
    days: [{ date: '2026-02-03', doors: [], ...counts(40) }],
    hours: [] as object[],
  }
  const heads = ['REQUESTS', 'SERVED', 'FAULTY', 'FAILED', 'REFUSED']
  const all = ['all', ...shown(100)]

  it.each([
    ['usage', { days: 7, hours: null, project: null }, ['DAY'], [['2026-02-03', ...shown(40)]]],
    [
      'usage --days 90 --by time',
      { days: 90, hours: null, project: null },
      ['DAY'],
      [['2026-02-03', ...shown(40)]],
    ],
    [
      'usage --hours 24',
      { days: 7, hours: 24, project: null },
      ['HOUR'],
      [['2026-02-03 04:00 UTC', ...shown(50)]],
    ],
    [
      'usage --by door --project zoo',
      { days: 7, hours: null, project: 'zoo' },
      ['DOOR'],
      [
        ['rest', ...shown(10)],
        ['graphql', ...shown(20)],
      ],
    ],
    [
      'usage --by key',
      { days: 7, hours: null, project: null },
      ['KEY', 'NAME'],
      [['as_1', 'Shop', ...shown(30)]],
    ],
  ])(
    'the command %j shows the counts of each day, hour, key or API on a line, and the total on the last line',
    async (line, variables, first, rows) => {
      const hours = line.includes('hours') ? [{ at: '2026-02-03T04:00:00Z', doors: [], ...counts(50) }] : []

      const answers = [data({ project: { id: 'project_zoo', usage: { ...usage, hours } } })]
      const { received, cells } = await runWithAnswers(line, answers)

      expect(received).toEqual([[line.includes('zoo') ? 'operator' : 'owner', 'Usage', variables]])
      expect(cells).toEqual([[...first, ...heads], ...rows, all])
    },
  )
})
