import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRoot } from '../../src/hosting/local-signing.ts'
import { graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-fields-0123456789abcdef'
// The clock does not move, so that the tests can compare exact times.
const now = Date.parse('2029-03-04T05:06:07.890Z')
const [second, minute, day] = [1000, 60_000, 86_400_000]
const at = (ms: number) => new Date(now + ms)
const shown = (ms: number) => at(ms).toISOString()
let app: App
let store: TestProject
let chain: string
beforeAll(async () => {
  const clock = { now: () => now, aheadMs: () => now - Date.now() }
  app = await startApp({ clock, env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  const pem = await makeRoot(clock)
  chain = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----'))
})
afterAll(() => app.stop())

let names = 0
const freshName = () => `www.shop${++names}.test`

/** Stores a domain that DNS checks and jobs ignore for a year. */
async function give(of: TestProject, data: object, certificate?: object): Promise<string> {
  const name = 'name' in data ? String(data.name) : freshName()
  const always = { projectId: of.project.id, name, createdAt: at(-day), looksSince: at(-day) }
  const owned = certificate && { ownedName: name, verifiedAt: at(-day), state: 'live' as const }
  await app.tools.db.domain.create({ data: { nextLookAt: at(365 * day), ...always, ...owned, ...data } })
  const waits = { wantedSince: at(-minute), nextStepAt: at(365 * day) }
  if (certificate) await app.tools.db.certificate.create({ data: { name, ...waits, ...certificate } })
  return name
}
const send = (of: TestProject, query: string) => graphqlOf(app, of)(query)
async function show(of: TestProject, name: string, fields: string) {
  const { data, errors } = await send(of, `{ domain(name: "${name}") { ${fields} } }`)
  expect(errors).toEqual([])
  return data.domain
}
const falls = (of: TestProject, graceEndsAt: Date) =>
  app.tools.db.project.update({
    where: { id: of.project.id },
    data: { planName: 'free', domainsGraceEndsAt: graceEndsAt },
  })

describe('the times of a domain', () => {
  const fields = 'host addedAt verifiedAt servedUntil verifyAgainAt'

  test('a new domain can be verified at once', async () => {
    expect(await show(store, await give(store, {}), fields)).toEqual({
      ...{ host: 'pending', addedAt: shown(-day), verifiedAt: null, servedUntil: null },
      verifyAgainAt: shown(-day),
    })
  })

  test('a domain can be verified again ten seconds after the last request', async () => {
    const name = await give(store, { checkRequestedAt: at(-3 * second) })

    expect((await show(store, name, fields)).verifyAgainAt).toBe(shown(7 * second))
  })

  test('servedUntil is null for a live domain, and seven days after the start of the drift for a domain whose DNS has drifted', async () => {
    const owned = (name: string) => ({ name, ownedName: name, verifiedAt: at(-9 * day) })
    const live = await give(store, { ...owned(freshName()), state: 'live' })
    const drifted = await give(store, { ...owned(freshName()), state: 'drifted', driftedAt: at(-2 * day) })

    expect(await show(store, live, fields)).toMatchObject({
      host: 'live',
      verifiedAt: shown(-9 * day),
      servedUntil: null,
    })
    expect(await show(store, drifted, fields)).toMatchObject({ host: 'drifted', servedUntil: shown(5 * day) })
  })

  test('if the plan of a project includes no domains, servedUntil is the end of the grace period or an earlier time', async () => {
    const own = await app.makeProject()
    const owned = (name: string) => ({ name, ownedName: name, verifiedAt: at(-9 * day) })
    const [live, drifted, waiting] = [
      await give(own, { ...owned(freshName()), state: 'live' }),
      await give(own, { ...owned(freshName()), state: 'drifted', driftedAt: at(-6 * day) }),
      await give(own, {}),
    ]
    const all = () => Promise.all([live, drifted, waiting].map(name => show(own, name, 'host servedUntil')))

    await falls(own, at(3 * day))
    await expect.poll(all, { timeout: 5000 }).toEqual([
      { host: 'live', servedUntil: shown(3 * day) },
      { host: 'drifted', servedUntil: shown(day) },
      { host: 'pending', servedUntil: null },
    ])
    const { data } = await send(own, '{ project { domainGraceEndsAt limits { domains } } }')
    expect(data.project).toEqual({ domainGraceEndsAt: shown(3 * day), limits: { domains: 0 } })

    await falls(own, at(0))
    await expect
      .poll(all, { timeout: 5000 })
      .toMatchObject([{ host: 'paused' }, { host: 'paused' }, { host: 'pending' }])
  })
})

describe('the verdict on a domain', () => {
  const record = (name: string) => ({ type: 'A', name, value: '93.184.215.7' })
  const said = {
    ...{ code: 'address_record_conflict', message: 'It is in the way.', expected: ['here.test'] },
    ...{ found: [record('a.test'), record('b.test')], inTheWay: record('b.test') },
  }
  const fields = `verdict {
    code message expected found { type name value } recordInTheWay { type name value } dnsProvider { name url } lookedAt nextLookAt
  }`

  test('the verdict on a domain shows all details of the DNS check, when it ran and when the next check is due', async () => {
    const provider = { name: 'Cloudflare', url: 'https://dash.cloudflare.com/' }
    const looked = { lookedAt: at(-minute), nextLookAt: at(99 * day) }
    const name = await give(store, { verdict: { ...said, provider }, ...looked })

    const { inTheWay: recordInTheWay, ...rest } = said
    expect((await show(store, name, fields)).verdict).toEqual({
      ...{ ...rest, recordInTheWay, dnsProvider: provider },
      ...{ lookedAt: shown(-minute), nextLookAt: shown(99 * day) },
    })
  })

  test('a verdict without a fault has the code verified, and null for its unknown parts', async () => {
    const verdict = { ...said, code: null, inTheWay: null, found: [] }
    const name = await give(store, { verdict, lookedAt: at(-minute), nextLookAt: null })

    expect((await show(store, name, fields)).verdict).toMatchObject({
      ...{ code: 'verified', recordInTheWay: null, dnsProvider: null },
      ...{ lookedAt: shown(-minute), nextLookAt: null },
    })
  })

  test('the verdict on a domain is null before the first DNS check', async () => {
    for (const data of [{}, { verdict: said }, { lookedAt: at(-minute) }])
      expect(await show(store, await give(store, data), fields)).toEqual({ verdict: null })
  })
})

describe('the certificate of a domain', () => {
  const caa = { type: 'CAA', name: 'b.test', value: '0 issue "other.test"' }
  const problem = { code: 'caa_blocks', message: 'Another authority.', record: caa }
  const fields = `certificate certificateDetails {
    issuer notBefore notAfter renewsAt attempts nextAttemptAt problem { code message recordInTheWay { type name value } }
  }`
  const issued = () => ({ chain, notBefore: at(-day), notAfter: at(60 * day), renewAt: at(30 * day) })
  const none = { issuer: null, notBefore: null, notAfter: null, renewsAt: null }
  const whole = { notBefore: shown(-day), notAfter: shown(60 * day), renewsAt: shown(30 * day) }

  test('a certificate that is being issued shows only its next step', async () => {
    const name = await give(store, {}, { nextStepAt: at(200 * day) })

    expect(await show(store, name, fields)).toEqual({
      certificate: 'issuing',
      certificateDetails: { ...none, attempts: 0, problem: null, nextAttemptAt: shown(200 * day) },
    })
  })

  test('a certificate that could not be issued shows its problem and the next attempt', async () => {
    const name = await give(store, {}, { problem, attempts: 3, nextStepAt: at(200 * day) })

    const { record: recordInTheWay, ...said } = problem
    expect(await show(store, name, fields)).toEqual({
      certificate: 'failed',
      certificateDetails: {
        ...none,
        ...{ attempts: 3, problem: { ...said, recordInTheWay }, nextAttemptAt: shown(200 * day) },
      },
    })
  })

  test('a valid certificate shows its renewal, and one with a problem shows its next attempt', async () => {
    const [fine, failing] = [
      await give(store, {}, { ...issued(), nextStepAt: at(200 * day) }),
      await give(store, {}, { ...issued(), problem, attempts: 1, nextStepAt: at(200 * day) }),
    ]

    expect(await show(store, fine, fields)).toMatchObject({
      certificate: 'issued',
      certificateDetails: {
        ...whole,
        problem: null,
        nextAttemptAt: shown(30 * day),
        issuer: expect.any(String),
      },
    })
    expect(await show(store, failing, fields)).toMatchObject({
      certificate: 'expiring',
      certificateDetails: { ...whole, problem: { code: 'caa_blocks' }, nextAttemptAt: shown(200 * day) },
    })
  })

  test.each([
    ['just under half an hour', 30 * minute - 1, null],
    ['half an hour', 30 * minute, 'overdue'],
  ])(
    'a certificate that is still missing after half an hour is reported as overdue: missing for %s',
    async (_, ms, code) => {
      const name = await give(store, {}, { wantedSince: at(-ms) })

      expect((await show(store, name, fields)).certificateDetails.problem?.code ?? null).toBe(code)
    },
  )

  test('a certificate is no longer renewed after the grace period', async () => {
    const own = await app.makeProject()
    const stored = await give(own, {}, { ...issued(), problem, attempts: 2 })
    const gone = await give(own, {}, { ...issued(), notAfter: at(-second), problem })
    await falls(own, at(-second))

    await expect
      .poll(() => show(own, stored, fields), { timeout: 5000 })
      .toMatchObject({
        certificate: 'expiring',
        certificateDetails: { ...whole, attempts: 2, renewsAt: null, problem: null, nextAttemptAt: null },
      })
    expect((await show(own, gone, fields)).certificate).toBe('none')
  })

  test('a certificate is shown only to the project that has proven the name', async () => {
    const name = await give(store, {}, issued())
    const other = await app.makeProject()
    await give(other, { name })

    expect(await show(other, name, fields)).toEqual({ certificate: 'none', certificateDetails: null })
  })
})

describe('the domains of a project', () => {
  const configuration = (domains: object) => ({
    ...{ title: null, description: null, domains: { primary: null, redirects: [], ...domains } },
  })
  const publish = (of: TestProject, domains = {}) =>
    app.tools.db.deploy.create({
      data: { projectId: of.project.id, succeeded: true, configuration: configuration(domains), log: [] },
    })
  const primaries = async (of: TestProject) =>
    (await send(of, '{ domains { nodes { name primary } } }')).data.domains.nodes
      .filter(({ primary }: { primary: boolean }) => primary)
      .map(({ name }: { name: string }) => name)

  test('the primary domain is the proven domain that went live first; if two proven domains went live together, the lower id is primary', async () => {
    const own = await app.makeProject()
    const owned = (name: string, verifiedAt: Date) => ({
      name,
      ownedName: name,
      verifiedAt,
      state: 'live' as const,
    })
    const id = (n: number) => ({ id: `00000000-0000-7000-8000-00000000000${n}` })
    await give(own, { name: 'a.first.test', verifiedAt: at(-9 * day) })
    await give(own, { ...owned('b.first.test', at(-2 * day)), ...id(3) })
    await give(own, { ...owned('c.first.test', at(-3 * day)), ...id(2) })
    await give(own, { ...owned('d.first.test', at(-3 * day)), ...id(1) })

    expect(await primaries(own)).toEqual([])
    await publish(own)
    expect(await primaries(own)).toEqual(['d.first.test'])
    await publish(own, { primary: 'b.first.test' })
    expect(await primaries(own)).toEqual(['b.first.test'])
    await falls(own, at(-second))
    await expect.poll(() => primaries(own), { timeout: 5000 }).toEqual([])
  })

  test('a domain shows the redirect that starts at its name, and its partner, which is the name with or without www', async () => {
    const own = await app.makeProject()
    for (const name of ['www.pair.test', 'pair.test', 'www.alone.test', 'deep.www.pair.test'])
      await give(own, { name })
    const redirects = [
      { from: 'pair.test', to: 'www.pair.test', status: 301 },
      { from: 'www.alone.test', to: 'pair.test', status: 308 },
    ]
    await publish(own, { redirects })

    const { nodes } = (
      await send(
        own,
        '{ domains { nodes { name apex redirect { from to status } partner { name added record { name type } } } } }',
      )
    ).data.domains

    const record = (name: string, type: string) => ({ record: { name, type } })
    expect(nodes).toEqual([
      { name: 'deep.www.pair.test', apex: false, redirect: null, partner: null },
      {
        ...{ name: 'pair.test', apex: true, redirect: redirects[0] },
        partner: { name: 'www.pair.test', added: true, ...record('www', 'CNAME') },
      },
      {
        ...{ name: 'www.alone.test', apex: false, redirect: redirects[1] },
        partner: { name: 'alone.test', added: false, ...record('@', 'ALIAS') },
      },
      {
        ...{ name: 'www.pair.test', apex: false, redirect: null },
        partner: { name: 'pair.test', added: true, ...record('@', 'ALIAS') },
      },
    ])
  })

  test('domains of several projects on one page show their own project’s data', async () => {
    const [one, other] = [await app.makeProject(), await app.makeProject()]
    for (const [of, letter] of [
      [one, 'a'],
      [other, 'b'],
    ] as const) {
      const name = `${letter}.apart.test`
      await give(of, { name, ownedName: name, verifiedAt: at(-day), state: 'live' })
      await publish(of, {
        primary: letter === 'a' ? name : null,
        redirects: [{ from: name, to: `${letter}.to`, status: 302 }],
      })
    }
    await falls(other, at(2 * day))
    const fields = `name projectSlug servedUntil primary redirect { to } record { value } ownershipRecord { value }`
    const all = `{ domains(name: "apart.test") { nodes { ${fields} } } }`

    const { nodes } = (await sendGraphql(app.url, operatorKey, all)).data.domains
    const own = [(await send(one, all)).data.domains.nodes[0], (await send(other, all)).data.domains.nodes[0]]

    expect(nodes).toMatchObject([
      { projectSlug: one.project.slug, servedUntil: null, redirect: { to: 'a.to' } },
      { projectSlug: other.project.slug, servedUntil: shown(2 * day), redirect: { to: 'b.to' } },
    ])
    expect(nodes[0].ownershipRecord.value).not.toBe(nodes[1].ownershipRecord.value)
    expect(nodes.map(({ record }: { record: { value: string } }) => record.value)).toEqual(
      [one, other].map(({ project }) => `${project.slug}.animals.localhost`),
    )
    expect(nodes[0]).toEqual(own[0])
    await expect
      .poll(async () => (await send(other, all)).data.domains.nodes[0], { timeout: 5000 })
      .toEqual(nodes[1])
  })
})
