import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAgainMs } from '../../src/core/hosts/dns-check-schedule.ts'
import { platformHostOf } from '../../src/core/hosts/platform-host.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type Platform, startPlatform, until, visit } from '../support/hosting.ts'
import type { TestProject } from '../support/start-app.ts'

let platform: Platform
let clock: MovableClock
let owner: TestProject
let send: ReturnType<typeof graphqlOf>
let target: string

beforeAll(async () => {
  clock = movableClock()
  const env = { PLATFORM_ADDRESSES: '93.184.217.1, 2606:2800:1:0::1' }
  platform = await startPlatform({ clock, env })
  owner = await platform.first.makeProject({ plan: 'pro' })
  send = graphqlOf(platform.first, owner)
  target = platformHostOf(owner.project, 'animals.localhost')
})
afterAll(() => platform.stop())

const record = '{ type alternativeType name value ttl }'
const found = '{ type name value }'
const whole = `{
  id name displayName apex host certificate addedAt verifiedAt servedUntil verifyAgainAt primary
  record ${record} partner { name added record ${record} } redirect { from to status }
  verdict { code message found ${found} expected recordInTheWay ${found} lookedAt nextLookAt }
  certificateDetails { issuer notBefore notAfter renewsAt attempts nextAttemptAt problem { code message recordInTheWay ${found} } }
}`
const deployed =
  '{ id state current rollbackOf createdAt log { at level message } configuration { title description domains { primary redirects { from to status } } } }'

describe('custom domains over GraphQL', { timeout: 40_000 }, () => {
  test('domainPreconditions lists each missing condition', async () => {
    const preconditions =
      '{ domainPreconditions { met plan { met code message } deploy { met code message } } }'
    expect((await send(preconditions)).data.domainPreconditions).toMatchObject({
      met: false,
      plan: { met: true, code: null },
      deploy: { met: false, code: 'deploy_required' },
    })
    const early = await send('mutation { addDomain(input: { name: "www.shop.test" }) { domain { id } } }')
    expect(codesOf(early)).toEqual(['deploy_required'])

    const tried = await send(`mutation { deploy(input: { title: "Shop" }, dryRun: true) ${deployed} }`)
    expect(tried.data.deploy).toMatchObject({
      id: expect.stringMatching(/^deploy_dry_run_\d+$/),
      state: 'succeeded',
      current: false,
    })
    expect((await send('{ deploys { nodes { id } } }')).data.deploys.nodes).toEqual([])

    const first = await send(`mutation { deploy(input: { title: "Shop" }) ${deployed} }`)
    expect(first.data.deploy).toMatchObject({
      state: 'succeeded',
      current: true,
      configuration: { title: 'Shop' },
    })
    expect((await send(preconditions)).data.domainPreconditions.met).toBe(true)
  })

  test('addDomain adds a domain and its partner and returns the records to create', async () => {
    const { data } =
      await send(`mutation { addDomain(input: { name: "https://BÜCHER.test/", withPartner: true }) {
      domain ${whole} partner { name redirect { to status } }
    } }`)

    expect(data.addDomain.domain).toMatchObject({
      name: 'xn--bcher-kva.test',
      displayName: 'bücher.test',
      apex: true,
      host: 'pending',
      certificate: 'none',
      certificateDetails: null,
      verdict: null,
      record: { type: 'ALIAS', alternativeType: 'ANAME', name: '@', value: target, ttl: 3600 },
      partner: { name: 'www.xn--bcher-kva.test', added: true, record: { type: 'CNAME', name: 'www' } },
    })
    expect(data.addDomain.partner.redirect).toEqual({ to: 'xn--bcher-kva.test', status: 301 })
  })

  test('lookalikeOf shows the name that a domain can be mistaken for, because the letters look alike or only accents differ', async () => {
    const add = async (as: typeof send, name: string) => {
      const { data } = await as(
        `mutation { addDomain(input: { name: "${name}" }) { domain { name lookalikeOf } } }`,
      )
      return data.addDomain.domain.lookalikeOf
    }
    const other = await platform.first.makeProject({ plan: 'pro' })
    const sendAsOther = graphqlOf(platform.first, other)
    await sendAsOther('mutation { deploy(input: {}) { id } }')
    await add(sendAsOther, 'kramer.test')

    expect(await add(send, 'раws.test')).toBe('paws.test')
    expect(await add(send, 'www.krämer.test')).toBe('www.kramer.test')
    expect(await add(sendAsOther, 'krämer.test')).toBeNull()
    expect(await add(send, 'müller.test')).toBeNull()
  })

  test('a domain shows the record that proves ownership and the addresses that can replace an ALIAS or CNAME', async () => {
    const { data } = await send(`mutation { addDomain(input: { name: "proven.test", withPartner: true }) {
      domain { ownershipRecord ${record} addressRecords { type name value ttl } }
      partner { ownershipRecord { name zoneLine } addressRecords { type name value ttl } }
    } }`)

    const { domain, partner } = data.addDomain
    const token = domain.ownershipRecord.value
    expect(domain.ownershipRecord).toEqual({
      type: 'TXT',
      alternativeType: null,
      name: '_animal-store',
      value: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ttl: 3600,
    })
    expect(domain.addressRecords).toMatchObject([
      { type: 'A', name: '@', value: '93.184.217.1' },
      { type: 'AAAA', name: '@', value: '2606:2800:1::1' },
    ])
    expect(partner).toEqual({
      ownershipRecord: {
        name: '_animal-store.www',
        zoneLine: `_animal-store.www.proven.test. 3600 IN TXT "${token}"`,
      },
      addressRecords: [
        { type: 'A', name: 'www', value: '93.184.217.1', ttl: 3600 },
        { type: 'AAAA', name: 'www', value: '2606:2800:1::1', ttl: 3600 },
      ],
    })
  })

  test('an apex that several projects have added needs the ownership record, and goes to the project that creates this record', async () => {
    const squatter = await platform.first.makeProject({ plan: 'pro' })
    const sendAsSquatter = graphqlOf(platform.first, squatter)
    await sendAsSquatter('mutation { deploy(input: {}) { id } }')
    await sendAsSquatter('mutation { addDomain(input: { name: "newco.test" }) { domain { id } } }')
    const { data } = await send(
      'mutation { addDomain(input: { name: "newco.test" }) { domain { id ownershipRecord { value } } } }',
    )
    const { id, ownershipRecord } = data.addDomain.domain
    const verify = async () => {
      clock.advance(11_000)
      const answer = await send(
        `mutation { verifyDomain(id: "${id}") { host verdict { code dnsProvider { name url } } } }`,
      )
      return answer.data.verifyDomain
    }
    const records = [
      'newco.test A 93.184.215.1',
      `${target} A 93.184.215.1`,
      'newco.test NS amy.ns.cloudflare.com',
      'amy.ns.cloudflare.com A 127.0.0.1',
    ]
    platform.setRecords(...records)

    expect(await verify()).toEqual({
      host: 'pending',
      verdict: {
        code: 'ownership_required',
        dnsProvider: { name: 'Cloudflare', url: expect.stringMatching(/^https:/) },
      },
    })
    platform.setRecords(...records, `_animal-store.newco.test TXT ${ownershipRecord.value}`)
    expect(await verify()).toMatchObject({ host: 'live', verdict: { code: 'verified' } })
  })

  test('verifyDomain names the conflicting record, and a live domain shows its certificate', async () => {
    const added = await send('mutation { addDomain(input: { name: "www.shop.test" }) { domain { id } } }')
    const { id } = added.data.addDomain.domain
    platform.setRecords('www.shop.test A 93.184.215.7')

    const before = clock.now()
    const blocked = await send(`mutation { verifyDomain(id: "${id}") ${whole} }`)
    const again = Date.parse(blocked.data.verifyDomain.verifyAgainAt) - askAgainMs
    expect(again).toBeGreaterThanOrEqual(before)
    expect(again).toBeLessThanOrEqual(clock.now())
    expect(blocked.data.verifyDomain.verdict).toMatchObject({
      code: 'address_record_conflict',
      recordInTheWay: { type: 'A', name: 'www.shop.test', value: '93.184.215.7' },
      nextLookAt: expect.any(String),
    })
    const tooSoon = await send(`mutation { verifyDomain(id: "${id}") { id } }`)
    expect(codesOf(tooSoon)).toEqual(['verify_too_soon'])

    const more = await send('mutation { addDomain(input: { name: "later.shop.test" }) { domain { id } } }')
    const { id: later } = more.data.addDomain.domain
    clock.advance(4_000)
    await send(`mutation { verifyDomain(id: "${later}") { id } }`)
    const both = await send(
      `mutation { a: verifyDomain(id: "${id}") { id } b: verifyDomain(id: "${later}") { id } c: verifyDomain(id: "${id}") { id } }`,
    )
    const waits = both.errors.map(({ extensions }) => Number(extensions.retryAfterSeconds))
    expect(new Set(waits).size).toBe(2)
    // `Retry-After` is the longest of the waits, because a retry repeats all of the operation's fields.
    expect(Number(both.headers['retry-after'])).toBe(Math.max(...waits))
    await send(`mutation { removeDomain(id: "${later}") { name } }`)

    platform.setRecords(`www.shop.test CNAME ${target}`)
    clock.advance(11_000)
    const right = await send(`mutation { reverifyDomain(id: "${id}") ${whole} }`)
    expect(right.data.reverifyDomain).toMatchObject({ host: 'live', verdict: { code: 'verified' } })
    const live = await until(
      async () => (await send(`{ domain(name: "WWW.shop.test.") ${whole} }`)).data.domain,
      domain => domain.certificate === 'issued',
    )
    expect(live.certificateDetails).toMatchObject({
      issuer: 'Animal Store local authority',
      problem: null,
      attempts: 0,
    })
  })

  test('a deploy makes a domain primary, and a rollback restores the former deploy', async () => {
    const second = await send(
      `mutation { deploy(input: { domains: { primary: "www.shop.test" } }) ${deployed} }`,
    )
    expect((await send('{ domain(name: "www.shop.test") { primary } }')).data.domain.primary).toBe(true)

    const failed = await send(
      `mutation { deploy(input: { domains: { primary: "unknown.test" } }) ${deployed} }`,
    )
    expect(failed.data.deploy).toMatchObject({ state: 'failed', current: false })
    expect(failed.data.deploy.log.at(-1)).toMatchObject({ level: 'error' })

    const page = (
      await send('{ deploys(first: 2) { nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } } }')
    ).data.deploys
    expect(page.nodes.map((node: { id: string }) => node.id)).toEqual([
      failed.data.deploy.id,
      second.data.deploy.id,
    ])
    const next = await send(
      `{ deploys(first: 5, after: "${page.pageInfo.endCursor}") { nodes ${deployed} pageInfo { hasNextPage hasPreviousPage } } }`,
    )
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
    expect(next.data.deploys.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true })
    const first = next.data.deploys.nodes.at(-1)
    expect(first.configuration.title).toBe('Shop')

    const back = await send(`mutation($to: ID!) { rollback(to: $to) ${deployed} }`, {
      variables: { to: first.id },
    })
    expect(back.data.rollback).toMatchObject({
      rollbackOf: first.id,
      current: true,
      configuration: { title: 'Shop' },
    })
    expect((await send('{ project { currentDeploy { id } domainGraceEndsAt } }')).data.project).toEqual({
      currentDeploy: { id: back.data.rollback.id },
      domainGraceEndsAt: null,
    })
  })

  test('removeDomain removes a domain and returns a note about its DNS record', async () => {
    const { id } = (await send('{ domain(name: "www.shop.test") { id } }')).data.domain

    const { data } = await send(`mutation { removeDomain(id: "${id}") { domainId name note } }`)

    expect(data.removeDomain).toMatchObject({
      domainId: id,
      name: 'www.shop.test',
      note: expect.stringContaining(target),
    })
    expect(codesOf(await send('{ domain(name: "www.shop.test") { id } }'))).toEqual(['domain_not_found'])
  })

  test('addDomain names the field withPartner if the www or apex partner is refused, and the field name if the name itself is refused', async () => {
    const own = graphqlOf(platform.first, await platform.first.makeProject({ plan: 'pro' }))
    const add = (name: string) =>
      own(`mutation { addDomain(input: { name: "${name}", withPartner: true }) { domain { id } } }`)
    await own('mutation { deploy(input: {}) { id } }')
    await add('round.test')

    const [ofPartner, ofName] = [await add('www.round.test'), await add('no name')]

    expect(ofPartner.errors[0]?.extensions.details).toMatchObject([{ field: 'input.withPartner' }])
    expect(ofName.errors[0]?.extensions.details).toMatchObject([{ field: 'input.name' }])
  })

  test('addDomain with a partner and removeDomain answer only when no process can still serve the former state', async () => {
    const took = async (mutation: string) => {
      const start = performance.now()
      const { data } = await send(`mutation { ${mutation} }`)
      return { data, ms: performance.now() - start }
    }

    const added = await took(
      'addDomain(input: { name: "pair.test", withPartner: true }) { domain { id } partner { id } }',
    )
    const { domain, partner } = added.data.addDomain
    const removals = [
      await took(`removeDomain(id: "${domain.id}") { name }`),
      await took(`removeDomain(id: "${partner.id}") { name }`),
    ]

    // After a change of a domain, a process may serve the former state from its cache for 500 ms, so each mutation
    // answers only after 500 ms.
    for (const { ms } of [added, ...removals]) expect(ms).toBeGreaterThanOrEqual(500)
  })

  test('the domain of another project is reported as missing', async () => {
    const stranger = graphqlOf(platform.first, await platform.first.makeProject({ plan: 'pro' }))
    const { id } = (await send('{ domain(name: "xn--bcher-kva.test") { id } }')).data.domain
    const acts = ['verifyDomain', 'reverifyDomain', 'removeDomain'].map(
      act => `mutation { ${act}(id: "${id}") { name } }`,
    )

    for (const act of [...acts, '{ domain(name: "xn--bcher-kva.test") { name } }']) {
      expect(codesOf(await stranger(act)), act).toEqual(['domain_not_found'])
    }
    expect((await stranger('{ domains { nodes { name } } }')).data.domains.nodes).toEqual([])
  })

  test('the first domain that goes live is primary until the configuration names another', async () => {
    const shop = await platform.first.makeProject({ plan: 'pro' })
    const ask = graphqlOf(platform.first, shop)
    const host = platformHostOf(shop.project, 'animals.localhost')
    await ask('mutation { deploy(input: {}) { id } }')
    const primaries = async () =>
      (await ask('{ domains { nodes { name primary } } }')).data.domains.nodes
        .filter((domain: { primary: boolean }) => domain.primary)
        .map((domain: { name: string }) => domain.name)
    for (const name of ['b.first.test', 'a.first.test']) {
      const { data } = await ask(`mutation { addDomain(input: { name: "${name}" }) { domain { id } } }`)
      platform.setRecords(`${name} CNAME ${host}`)
      expect(await primaries()).toEqual(name === 'b.first.test' ? [] : ['b.first.test'])
      clock.advance(1_000)
      await ask(`mutation { verifyDomain(id: "${data.addDomain.domain.id}") { host } }`)
    }

    expect(await primaries()).toEqual(['b.first.test'])
    await until(
      () => visit(`http://${host}/`, platform.first.port),
      page => page.text.includes('https://b.first.test/'),
    )
    await ask('mutation { deploy(input: { domains: { primary: "a.first.test" } }) { id } }')
    expect(await primaries()).toEqual(['a.first.test'])
  })

  test('custom domains need the scopes of project management', async () => {
    const seller = graphqlOf(platform.first, await owner.issueKey(['pets:read', 'pets:write']))
    const reader = graphqlOf(platform.first, await owner.issueKey(['project:read']))

    expect(codesOf(await seller('{ domains { nodes { name } } }'))).toEqual(['insufficient_scope'])
    expect((await reader(`{ domains { nodes ${whole} } }`)).data.domains.nodes).toHaveLength(8)
    for (const act of [
      'removeDomain(id: "domain_1") { name }',
      'deploy(input: {}) { id }',
      'rollback(to: "deploy_1") { id }',
    ]) {
      expect(codesOf(await reader(`mutation { ${act} }`)), act).toEqual(['insufficient_scope'])
    }
  })

  test.each(['*.shop.test', '192.0.2.1', 'localhost', 'co.uk', 'other.animals.localhost'])(
    'addDomain rejects %s and names the field',
    async name => {
      const { errors } = await send(
        'mutation($name: String!) { addDomain(input: { name: $name }) { domain { id } } }',
        { variables: { name } },
      )

      expect(errors[0]?.extensions).toMatchObject({
        code: 'invalid_input',
        details: [{ field: 'input.name' }],
      })
    },
  )
})
