import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { dayMs, type Written, writeDomain } from '../support/written-domain.ts'

const problem = {
  code: 'ca_unreachable',
  message: 'The certificate authority cannot be reached.',
  record: null,
}
const lost = { ownedName: null, state: 'stale' } as const
const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const fields = 'code message endsAt domain { name host }'

describe('domainWarnings', () => {
  let app: App
  let owner: TestProject
  beforeAll(async () => {
    app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  })
  afterAll(() => app?.stop())
  afterEach(async () => {
    await app.tools.db.domain.deleteMany()
    await app.tools.db.certificate.deleteMany()
  })

  const inDays = (days: number) => new Date(app.tools.clock.now() + days * dayMs)
  const shown = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const setPlan = (planName: string, domainsGraceEndsAt: Date | null) =>
    app.tools.db.project.update({ where: { id: owner.project.id }, data: { planName, domainsGraceEndsAt } })
  /** Asks as the operator, because a request by a key would read the key's project from the cache. */
  async function warnings() {
    const query = `{ project(slug: "${owner.project.slug}") { domainWarnings { ${fields} } } }`
    const { data, errors } = await sendGraphql(app.url, operatorKey, query)
    expect(errors).toEqual([])
    return data.project.domainWarnings
  }

  it('domains without trouble and domains that only wait for their DNS record have no warning', async () => {
    owner = await app.makeProject({ plan: 'pro' })
    const pending = { ownedName: null, state: 'pending', verifiedAt: null } as const
    await writeDomain(app, owner, 'fine.test')
    await writeDomain(app, owner, 'new.test', { domain: pending })
    // A certificate with a life of six days, whose renewal is not due.
    await writeDomain(app, owner, 'short.test', { certificate: { notAfter: inDays(5), renewAt: inDays(2) } })
    await writeDomain(app, await app.makeProject({ plan: 'pro' }), 'lost.other.test', { domain: lost })

    expect(await warnings()).toEqual([])
  })

  it('each domain warning has a code, a sentence and an end, and the worst warning comes first', async () => {
    owner = await app.makeProject({ plan: 'pro' })
    const [drift, renewal, ending] = [inDays(-2), inDays(60), inDays(6.9)]
    const written: Record<string, Written> = {
      'ending.test': { certificate: { notAfter: ending, renewAt: inDays(-1) } },
      'renewal.test': { certificate: { problem, notAfter: renewal } },
      'drifted.test': { domain: { state: 'drifted', driftedAt: drift } },
      'overdue.test': { domain: { state: 'drifted', driftedAt: inDays(-8) } },
      'ended.test': { certificate: { problem, notAfter: inDays(-1) } },
      'unreadable.test': { certificate: { unreadableSince: inDays(-1) } },
      'xn--bcher-kva.test': { domain: lost },
    }
    for (const [name, what] of Object.entries(written)) await writeDomain(app, owner, name, what)

    const driftEnd = new Date(drift.getTime() + 7 * dayMs)
    const none = (name: string) => ({
      ...{ code: 'no_certificate', endsAt: null, domain: { name, host: 'live' } },
      message: `${name} has no valid certificate, so browsers cannot open it over HTTPS.`,
    })
    expect(await warnings()).toEqual([
      {
        ...{ code: 'lost', endsAt: null, domain: { name: 'xn--bcher-kva.test', host: 'stale' } },
        message: 'bücher.test is not served any more, because its DNS record or its owner has changed.',
      },
      none('ended.test'),
      none('unreadable.test'),
      {
        ...{
          code: 'drifted',
          endsAt: driftEnd.toISOString(),
          domain: { name: 'drifted.test', host: 'drifted' },
        },
        message: `The DNS record of drifted.test has changed. Correct the record: the service of the domain ends at ${shown(driftEnd)}.`,
      },
      {
        ...{ code: 'drifted', endsAt: null, domain: { name: 'overdue.test', host: 'drifted' } },
        message:
          'The DNS record of overdue.test has changed. Correct the record: the service of the domain ends when a check finds the record wrong again.',
      },
      {
        ...{ code: 'renewal_failing', endsAt: renewal.toISOString() },
        domain: { name: 'renewal.test', host: 'live' },
        message: `The certificate of renewal.test could not be renewed so far. It is valid until ${shown(renewal)}.`,
      },
      {
        ...{
          code: 'expiring_soon',
          endsAt: ending.toISOString(),
          domain: { name: 'ending.test', host: 'live' },
        },
        message: `The certificate of ending.test is not renewed yet, and valid only until ${shown(ending)}.`,
      },
    ])
  })

  it('if the plan includes no domains, each domain warning ends by the end of the grace period, and afterwards has the code plan_without_domains', async () => {
    owner = await app.makeProject({ plan: 'pro' })
    await writeDomain(app, owner, 'www.plan.test')
    const drift = inDays(-1)
    await writeDomain(app, owner, 'drifted.plan.test', { domain: { state: 'drifted', driftedAt: drift } })
    const codes = async () =>
      (await warnings()).map((one: { code: string; endsAt: string }) => [one.code, one.endsAt])
    const [soon, later] = [inDays(3), inDays(9)]
    const driftEnd = new Date(drift.getTime() + 7 * dayMs)

    await setPlan('free', soon)
    expect(await codes()).toEqual([
      ['drifted', soon.toISOString()],
      ['grace_period', soon.toISOString()],
    ])
    await setPlan('free', later)
    expect(await codes()).toEqual([
      ['drifted', driftEnd.toISOString()],
      ['grace_period', later.toISOString()],
    ])
    await setPlan('free', inDays(-1))
    expect(await codes()).toEqual([
      ['plan_without_domains', null],
      ['plan_without_domains', null],
    ])
  })

  it('domainWarnings of a suspended project lists a domain that is lost, and omits a domain that has only drifted', async () => {
    owner = await app.makeProject({ plan: 'pro' })
    await writeDomain(app, owner, 'drifted.test', { domain: { state: 'drifted', driftedAt: inDays(-1) } })
    await writeDomain(app, owner, 'lost.test', { domain: lost })
    await app.tools.db.project.update({ where: { id: owner.project.id }, data: { suspendedAt: inDays(-1) } })

    expect((await warnings()).map(({ code }: { code: string }) => code)).toEqual(['lost'])
  })
})
