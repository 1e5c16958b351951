import { describe, expect, it } from 'vitest'
import { data, runWithAnswers } from '../support/run-command.ts'

const record = (type: string, name: string, more: object = {}) => ({
  ...{ type, alternativeType: null, name, value: `value of ${name}`, ttl: 3600, ...more },
})
const domain = (name: string, more: object = {}) => ({
  ...{ id: `domain_${name}`, name, displayName: name, host: 'pending', certificate: 'none', primary: false },
  ...{ redirect: null, verifiedAt: null, verifyAgainAt: '2026-01-01T00:00:00Z', servedUntil: null },
  ...{
    record: record('CNAME', 'www'),
    ownershipRecord: record('TXT', '_animal-store.www'),
    addressRecords: [],
  },
  ...{ partner: null, verdict: null, certificateDetails: null, ...more },
})
const verdict = (code: string, more: object = {}) => ({
  ...{ code, message: `It is ${code}.`, found: [], expected: [], recordInTheWay: null, dnsProvider: null },
  ...{ lookedAt: '2026-02-03T04:05:06Z', nextLookAt: '2026-02-04T05:06:07Z', ...more },
})
const of = (more: object) => data({ project: { id: 'project_zoo', domainWarnings: [], ...more } })
const lineHeads = ['DOMAIN', 'HOST', 'CERTIFICATE', 'USE', 'CHECKED AT', 'NEXT CHECK']
const recordHeads = ['DOMAIN', 'TYPE', 'RECORD NAME', 'VALUE', 'TTL']
const ownRecord = (name: string) => [name, 'CNAME', 'www', 'value of www', '3600']
const proof = (what: string) => [what, 'TXT', '_animal-store.www', 'value of _animal-store.www', '3600']

describe('domains', () => {
  it('the list of domains shows which domain is primary, which redirects, and when DNS is checked', async () => {
    const nodes = [
      domain('a.test', { host: 'live', certificate: 'issued', primary: true, verdict: verdict('verified') }),
      domain('b.test', {
        redirect: { to: 'a.test', status: 301 },
        verdict: verdict('loop', { nextLookAt: null }),
      }),
      domain('c.test'),
    ]

    const { received, cells } = await runWithAnswers('domains list --project zoo', [
      of({ domains: { nodes } }),
    ])

    expect(received).toEqual([['operator', 'ListDomains', { project: 'zoo' }]])
    expect(cells).toEqual([
      lineHeads,
      ['a.test', 'live', 'issued', 'primary', '2026-02-03 04:05 UTC', '2026-02-04 05:06 UTC'],
      ['b.test', 'pending', 'none', '301 to a.test', '2026-02-03 04:05 UTC', 'never'],
      ['c.test', 'pending', 'none', '-', '-', '-'],
    ])
  })

  it('the list of domains is followed by the warnings that the dashboard shows', async () => {
    const message = 'lost.test is not served any more,\u202e because its DNS record has changed.'
    const project = {
      domainWarnings: [{ message }, { message: 'The second.' }],
      domains: { nodes: [domain('lost.test')] },
    }

    const { output } = await runWithAnswers('domains list', [of(project)])

    expect(output.trimEnd().split('\n\n')[1]?.split('\n')).toEqual([
      String.raw`lost.test is not served any more,\u202e because its DNS record has changed.`,
      'The second.',
    ])
  })

  it('the command `domains show` first prints the warning about the domain that it shows', async () => {
    const found = domain('a.test')
    const warnings = [
      { message: 'a.test is not served any more.', domain: { id: found.id } },
      { message: 'Another one.', domain: { id: 'domain_other' } },
    ]

    const { output } = await runWithAnswers('domains show a.test', [
      of({ domainWarnings: warnings, domain: found }),
    ])

    expect(output.split('\n\n')[0]).toBe('a.test is not served any more.')
    expect(output).not.toContain('Another one.')
  })

  it.each([
    ['domains add a.test', 'owner', { name: 'a.test', withPartner: false, projectId: null }, 1],
    [
      'domains add a.test --partner --project zoo',
      'operator',
      { name: 'a.test', withPartner: true, projectId: 'project_zoo' },
      2,
    ],
  ])('the command %j adds domains and shows the records to create', async (line, who, input, count) => {
    const apex = domain('www.a.test', {
      record: record('ALIAS', '@', { alternativeType: 'ANAME' }),
      addressRecords: [record('A', '@', { value: '192.0.2.1' })],
      verdict: verdict('ownership_required'),
    })
    const added = { domainAdd: { domain: domain('a.test'), partner: count === 2 ? apex : null } }

    const { received, cells } = await runWithAnswers(line, [data(added)])

    expect(received).toEqual([[who, 'AddDomain', { input }]])
    expect(cells).toEqual([
      recordHeads,
      ownRecord('a.test'),
      proof('proof (if required)'),
      ...(count === 2
        ? [
            ['www.a.test', 'ALIAS or ANAME', '@', 'value of @', '3600'],
            ['if no ALIAS possible', 'A', '@', '192.0.2.1', '3600'],
            proof('proof (required)'),
          ]
        : []),
      [
        `Create ${count === 2 ? 'these records' : 'this record'} at the registrar, then: animal-store domains verify a.test`,
      ],
    ])
  })

  it("a domain is shown with all DNS answers and its certificate's problem", async () => {
    const found = domain('a.test', {
      servedUntil: '2026-03-04T05:06:07Z',
      verdict: verdict('address_record_conflict', {
        found: [{ name: 'a.test', type: 'A', value: '192.0.2.1' }],
        expected: ['demo.animals.test'],
        recordInTheWay: { name: 'a.test', type: 'AAAA', value: '2001:db8::1' },
        dnsProvider: { name: 'Hover', url: 'https://hover.test' },
      }),
      certificateDetails: {
        ...{ issuer: 'An authority', notAfter: '2026-04-05T06:07:08Z', renewsAt: null },
        ...{ problem: { code: 'overdue', message: 'It takes long.', recordInTheWay: null } },
        nextAttemptAt: '2026-05-06T07:08:09Z',
      },
    })

    const { received, cells } = await runWithAnswers('domains show a.test --project zoo', [
      of({ domain: found }),
    ])

    expect(received).toEqual([['operator', 'ShowDomain', { project: 'zoo', name: 'a.test' }]])
    expect(cells).toEqual([
      lineHeads,
      ['a.test', 'pending', 'none', '-', '2026-02-03 04:05 UTC', '2026-02-04 05:06 UTC'],
      ...[recordHeads, ownRecord('a.test'), proof('proof (if required)')],
      ['DNS', 'address_record_conflict: It is address_record_conflict.'],
      ['found', 'a.test A 192.0.2.1'],
      ['expected', 'demo.animals.test'],
      ['conflict', 'a.test AAAA 2001:db8::1'],
      ['edit it at', 'Hover: https://hover.test'],
      ['served until 2026-03-04 05:06 UTC'],
      ['certificate', 'by An authority, until 2026-04-05 06:07 UTC'],
      ['certificate', 'overdue: It takes long.'],
      ['next attempt 2026-05-06 07:08 UTC'],
    ])
  })

  it('a new domain is shown without the values that are still unknown', async () => {
    const problem = { code: 'caa_blocks', message: 'It blocks.', recordInTheWay: null }
    const nothing = { issuer: null, notAfter: null, renewsAt: null, problem: null, nextAttemptAt: null }
    const plain = [
      lineHeads,
      ['a.test', 'pending', 'none', '-', '-', '-'],
      ...[recordHeads, ownRecord('a.test'), proof('proof (if required)')],
    ]

    const unknown = await runWithAnswers('domains show a.test', [of({ domain: domain('a.test') })])
    const resting = await runWithAnswers('domains show a.test', [
      of({ domain: domain('a.test', { certificateDetails: { ...nothing, problem } }) }),
    ])

    expect(unknown.received).toEqual([['owner', 'ShowDomain', { project: null, name: 'a.test' }]])
    expect(unknown.cells).toEqual(plain)
    expect(resting.cells).toEqual([
      ...plain,
      ['certificate', 'caa_blocks: It blocks.'],
      ['next attempt on request'],
    ])
  })

  it('a domain that resembles another name is shown with its Punycode and a warning', async () => {
    const name = 'xn--80ak6aa92e.com'
    const found = domain(name, { displayName: 'аррӏе.com', lookalikeOf: 'apple.com' })

    const shown = await runWithAnswers(`domains show ${name}`, [of({ domain: found })])
    const added = await runWithAnswers(`domains add ${name}`, [
      data({ domainAdd: { domain: found, partner: null } }),
    ])
    const listed = await runWithAnswers('domains list', [of({ domains: { nodes: [found] } })])

    const caution = `аррӏе.com looks like apple.com, but it is ${name}`
    for (const { output } of [shown, added]) expect(output).toContain(`caution      ${caution}`)
    for (const { output } of [shown, added, listed]) expect(output).toContain(`аррӏе.com (${name})`)
  })

  it('a domain is removed by name, and the remaining steps are shown', async () => {
    const removed = { domainId: '1', name: 'a.test', note: 'Delete its DNS record.' }
    const found = of({ domain: domain('a.test', { displayName: 'Ä.test' }) })

    const asking = await runWithAnswers('domains remove a.test', [found])
    const done = await runWithAnswers('domains remove a.test --yes', [found, data({ domainRemove: removed })])

    expect(asking.errors).toMatch(/^Visitors of Ä\.test will find nothing there\./)
    expect(asking.received).toHaveLength(1)
    expect(done.received.at(-1)).toEqual(['owner', 'RemoveDomain', { input: { id: 'domain_a.test' } }])
    expect(done.output).toBe('Delete its DNS record.\n')
  })
})

describe('the domains of all projects', () => {
  const page = (nodes: object[], endCursor: string | null = null, operator = true) =>
    data({
      caller: { operator },
      domains: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } },
    })
  const one = (name: string, more: object = {}) => ({ ...domain(name), projectSlug: 'zoo', ...more })

  it('domains list --all-projects reads all pages, and shows the end and the problem of each certificate', async () => {
    const details = (code: string | null) => ({
      ...{ notAfter: '2026-04-05T06:07:08Z', problem: code === null ? null : { code } },
    })
    const pages = [
      page([one('a.test', { verdict: verdict('verified'), certificateDetails: details(null) })], 'next'),
      page([
        one('b.test', { verdict: verdict('loop'), certificateDetails: details('caa_blocks') }),
        one('c.test', { verdict: verdict('loop') }),
        one('d.test'),
      ]),
    ]

    const { received, cells } = await runWithAnswers(
      'domains list --all-projects --host live --certificate failed --name est',
      pages,
    )

    const filters = { host: 'live', certificate: 'failed', name: 'est' }
    expect(received).toEqual([
      ['operator', 'ListAllDomains', { ...filters, after: null }],
      ['operator', 'ListAllDomains', { ...filters, after: 'next' }],
    ])
    const [until, looked] = ['2026-04-05 06:07 UTC', '2026-02-03 04:05 UTC']
    expect(cells).toEqual([
      ['DOMAIN', 'PROJECT', 'HOST', 'CERTIFICATE', 'UNTIL', 'PROBLEM', 'CHECKED AT'],
      ['a.test', 'zoo', 'pending', 'none', until, '-', looked],
      ['b.test', 'zoo', 'pending', 'none', until, 'caa_blocks', looked],
      ['c.test', 'zoo', 'pending', 'none', '-', 'loop', looked],
      ['d.test', 'zoo', 'pending', 'none', '-', '-', '-'],
    ])
  })

  it('without a filter the operator lists the domains of all projects, and a key that is no operator key is refused', async () => {
    const all = await runWithAnswers('domains list --all-projects', [page([])])
    const refused = await runWithAnswers('domains list --all-projects', [page([one('a.test')], null, false)])

    const variables = { host: null, certificate: null, name: null, after: null }
    expect(all.received).toEqual([['operator', 'ListAllDomains', variables]])
    expect(refused).toMatchObject({ exitCode: 3, output: '', received: all.received })
  })

  it.each(['--host live', '--certificate failed', '--name est'])(
    'domains list needs --all-projects for the filter %s',
    async filter => {
      const { exitCode, errors, received } = await runWithAnswers(`domains list ${filter}`, [])

      expect([exitCode, received]).toEqual([2, []])
      expect(errors).toBe('--host, --certificate and --name need --all-projects.\n')
    },
  )
})

describe('deploys', () => {
  const deploy = (id: string, more: object = {}) => ({
    ...{ id, state: 'succeeded', current: false, rollbackOf: null, createdAt: '2026-02-03T04:05:06Z' },
    ...{ configuration: {}, log: [], ...more },
  })
  const page = (nodes: object[], endCursor: string | null = null) =>
    of({ deploys: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } })

  it('the list of all deploys, read page by page, marks the current deploy and shows the source of a rollback', async () => {
    const pages = [
      page([deploy('deploy_3', { current: true, rollbackOf: 'deploy_1' })], 'next'),
      page([deploy('deploy_2', { state: 'failed' })]),
    ]

    const { received, cells } = await runWithAnswers('deploys --project zoo', pages)

    expect(received).toEqual([
      ['operator', 'ListDeploys', { project: 'zoo', after: null }],
      ['operator', 'ListDeploys', { project: 'zoo', after: 'next' }],
    ])
    expect(cells).toEqual([
      ['DEPLOY', 'STATE', 'AT'],
      ['deploy_3', 'succeeded', 'in service', 'rollback to deploy_1', '2026-02-03 04:05 UTC'],
      ['deploy_2', 'failed', '-', '-', '2026-02-03 04:05 UTC'],
    ])
  })

  const log = [
    { at: '2026-02-03T04:05:06Z', level: 'warning', message: 'Look at this.' },
    { at: '2026-02-03T04:05:07Z', level: 'info', message: 'Done.' },
  ]
  const logLines = [
    ['warning', 'Look at this.'],
    ['info', 'Done.'],
  ]

  it.each([
    ['deploy', 'owner', { projectId: null }, false, 'deploy_4'],
    ['deploy --project zoo', 'operator', { projectId: 'project_zoo' }, false, 'deploy_4'],
    ['deploy --dry-run', 'owner', { projectId: null }, true, 'deploy_dry_run_zoo'],
  ])('the command %j makes a deploy and shows its log', async (line, who, input, dryRun, id) => {
    const { received, exitCode, cells } = await runWithAnswers(line, [
      data({ deployCreate: { deploy: deploy(id, { log }) } }),
    ])

    expect(received).toEqual([[who, 'PublishDeploy', { input: { ...input, dryRun } }]])
    expect([exitCode, cells]).toEqual([0, [...logLines, ...(dryRun ? [] : [['deploy_4 succeeded']])]])
  })

  it('a failed deploy prints its log and ends with exit code 2', async () => {
    const failed = deploy('deploy_4', { log, state: 'failed' })
    const ended = await runWithAnswers('deploy', [data({ deployCreate: { deploy: failed } })])

    expect(ended).toMatchObject({ exitCode: 2, errors: 'The configuration was refused.\n' })
    expect(ended.cells).toEqual([...logLines, ['deploy_4 failed']])
  })

  it.each([
    ['rollback 3', 'owner', 'deploy_3'],
    ['rollback deploy_3 --project zoo', 'operator', 'deploy_3'],
  ])('the command %j rolls a deploy back', async (line, who, id) => {
    const { received, cells } = await runWithAnswers(line, [
      data({ deployRollback: { deploy: deploy('deploy_5') } }),
    ])

    expect(received).toEqual([[who, 'Rollback', { input: { id } }]])
    expect(cells).toEqual([['deploy_5 succeeded']])
  })
})
