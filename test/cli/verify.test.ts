import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { data, runWithAnswers, type StubAnswer } from '../support/run-command.ts'

const record = { type: 'CNAME', alternativeType: null, name: 'www', value: 'zoo.animals.test', ttl: 3600 }
const before = '2026-01-01T00:00:00Z'
const domain = (more: object = {}) => ({
  ...{
    id: 'domain_1',
    name: 'a.test',
    displayName: 'a.test',
    host: 'pending',
    certificate: 'none',
    primary: false,
  },
  ...{
    redirect: null,
    verifiedAt: null,
    verifyAgainAt: before,
    servedUntil: null,
    record,
    ownershipRecord: record,
  },
  ...{ addressRecords: [], partner: null, verdict: null, certificateDetails: null, ...more },
})
const verdict = (code: string) => ({
  ...{ code, message: `It is ${code}.`, found: [], expected: [], recordInTheWay: null, dnsProvider: null },
  ...{ lookedAt: before, nextLookAt: null },
})
const read = (more: object = {}) =>
  data({ project: { id: 'project_zoo', domainWarnings: [], domain: domain(more) } })
const looked = (more: object = {}) =>
  data({ domainVerify: { domain: domain(more) }, domainReverify: { domain: domain(more) } })
const [live, issued] = [{ host: 'live' }, { host: 'live', certificate: 'issued' }]
const tooSoon: StubAnswer = {
  json: {
    errors: [
      { message: 'Wait.', extensions: { status: 429, code: 'verify_too_soon', retryAfterSeconds: 1 } },
    ],
  },
}
const show = () => ['owner', 'ShowDomain', { project: null, name: 'a.test' }]
const find = (who = 'owner', project: string | null = null) => [
  who,
  'FindDomain',
  { project, name: 'a.test' },
]
const look = (operation: string, who = 'owner') => [who, operation, { input: { id: 'domain_1' } }]

describe('domains verify', () => {
  it.each([
    ['', look('VerifyDomain')],
    [' --again', look('ReverifyDomain')],
    [' --wait --timeout 0', look('VerifyDomain')],
    [' --wait --timeout 0 --again', look('ReverifyDomain')],
  ])(
    'domains verify reads the id of the named domain, and then requests a DNS check for the id, with the options:%s',
    async (more, received) => {
      const ended = await runWithAnswers(`domains verify a.test${more}`, [read(), looked(issued)])

      const first = more.includes('--wait') ? show() : find()
      expect(ended).toMatchObject({ exitCode: 0, errors: '', received: [first, received] })
      expect(ended.cells[1]?.slice(0, 3)).toEqual(['a.test', 'live', 'issued'])
    },
  )

  it('the operator can verify a domain of a named project', async () => {
    const { received } = await runWithAnswers('domains verify a.test --project zoo', [read(), looked(issued)])

    expect(received).toEqual([find('operator', 'zoo'), look('VerifyDomain', 'operator')])
  })

  it.each([
    [{ verdict: verdict('ownership_required') }, 8, 'It is ownership_required.'],
    [{ verdict: verdict('claimed_elsewhere') }, 8, 'It is claimed_elsewhere.'],
    [{ verdict: verdict('dns_unreachable') }, 9, 'It is dns_unreachable.'],
    [{ verdict: verdict('spreading') }, 11, 'It is spreading.'],
    [{ verdict: verdict('record_missing') }, 7, 'It is record_missing.'],
    [{ host: 'drifted', certificate: 'issued', verdict: verdict('loop') }, 7, 'It is loop.'],
    [{ host: 'stale' }, 7, 'DNS was not checked yet.'],
    [
      { host: 'paused', certificate: 'issued', verdict: verdict('record_missing') },
      7,
      'It is record_missing.',
    ],
  ])(
    'verify shows why a domain is not live, by message and exit code: %j',
    async (more, exitCode, sentence) => {
      for (const wait of ['', ' --wait --timeout 0']) {
        const ended = await runWithAnswers(`domains verify a.test${wait}`, [read(), looked(more)])

        expect([ended.exitCode, ended.errors]).toEqual([exitCode, `${sentence}\n`])
        expect(ended.cells[1]?.[0]).toBe('a.test')
      }
    },
  )

  const details = (message: string | null) => ({
    ...{ issuer: null, notAfter: null, renewsAt: null, nextAttemptAt: null },
    problem: message === null ? null : { code: 'caa_blocks', message, recordInTheWay: null },
  })

  it.each([
    [{ certificate: 'issued' }, 0, ''],
    [{ certificate: 'expiring' }, 0, ''],
    [{ host: 'paused', verdict: verdict('verified'), certificate: 'issued' }, 0, ''],
    [{ certificate: 'none' }, 10, 'The certificate is still being issued.\n'],
    [
      { certificate: 'issuing', certificateDetails: details(null) },
      10,
      'The certificate is still being issued.\n',
    ],
    [{ certificate: 'failed', certificateDetails: details('It blocks.') }, 10, 'It blocks.\n'],
  ])('verify waits for the certificate only with --wait: %j', async (more, exitCode, errors) => {
    const answers = [read(), looked({ ...live, ...more })]
    const waited = await runWithAnswers('domains verify a.test --wait --timeout 0', answers)
    const received = await runWithAnswers('domains verify a.test', answers)

    expect([waited.exitCode, waited.errors]).toEqual([exitCode, errors])
    expect([received.exitCode, received.errors]).toEqual([0, ''])
  })

  it('verify --wait ends as soon as the domain is live, even if the clock of this machine is wrong', async () => {
    const soon = { ...live, verifyAgainAt: '2999-01-01T00:00:00Z' }

    const done = await runWithAnswers('domains verify a.test --wait', [read(live), looked(issued)])
    const early = await runWithAnswers('domains verify a.test --wait', [read(soon), looked(issued)])
    const late = await runWithAnswers('domains verify a.test --wait --timeout 0', [read(issued), tooSoon])

    expect(done).toMatchObject({ exitCode: 0, received: [show(), look('VerifyDomain')] })
    expect(early).toMatchObject({ exitCode: 0, received: [show(), look('VerifyDomain')] })
    // The service refused the check as too soon; the command does not count that as a failure.
    expect(late).toMatchObject({ exitCode: 0, received: [show(), look('VerifyDomain')] })
  })

  it('verify --wait ends at once if the service refuses a check, unless the refusal says that the check came too soon', async () => {
    const refused: StubAnswer = {
      json: { errors: [{ message: 'Gone.', extensions: { status: 404, code: 'x' } }] },
    }

    const ended = await runWithAnswers('domains verify a.test --wait', [read(), refused])

    expect(ended).toMatchObject({ exitCode: 4, errors: 'Gone.\n', output: '' })
  })

  /** Moves the clock forward by these milliseconds when the answer is sent. */
  function afterWait(ms: number, { json }: StubAnswer): StubAnswer {
    const realNow = Date.now
    let passedMs = 0
    const watch = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + passedMs)
    onTestFinished(() => watch.mockRestore())
    return {
      get json() {
        passedMs = ms
        return json
      },
    }
  }

  it('verify --wait ends after the number of seconds that --timeout gives, and does not check again within ten seconds', async () => {
    const answers = [read(), looked(), afterWait(60_000, read())]

    const ended = await runWithAnswers('domains verify a.test --wait --timeout 60', answers)

    expect(ended).toMatchObject({ exitCode: 7, received: [show(), look('VerifyDomain'), show()] })
  })

  it('verify --wait --again reverifies the domain once, as soon as the service allows, and then waits until the domain is live with a certificate', {
    timeout: 30_000,
  }, async () => {
    const answers = [read(issued), tooSoon, looked(), afterWait(10_000, read()), looked(issued)]

    const { exitCode, received } = await runWithAnswers('domains verify a.test --wait --again', answers)

    expect([exitCode, received]).toEqual([
      0,
      [show(), look('ReverifyDomain'), look('ReverifyDomain'), show(), look('VerifyDomain')],
    ])
  })
})
