import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { addDomain, findDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { noteGrace } from '../../src/core/hosts/grace-period.ts'
import { resumeProject, suspendProject } from '../../src/core/projects/operator.ts'
import type { Tools } from '../../src/tools.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'

const day = 86_400_000
const operatorKey = 'operator-of-the-tests-0123456789abcdef'

let platform: Platform
let clock: MovableClock
let tools: Tools
let root: string
let lines: string[] = []

beforeAll(async () => {
  clock = movableClock()
  const processes = inject('services').postgresUrl ? 2 : 1
  platform = await startPlatform({ processes, clock, env: { OPERATOR_KEY: operatorKey } })
  tools = platform.first.tools
  root = (await tools.hosting.authorities[0].root?.()) ?? ''
})
afterAll(() => platform.stop())

async function liveShop(...names: string[]) {
  const shop = await makeDeployed(platform)
  lines = [...lines, ...names.map(name => `${name} CNAME ${shop.target}`)]
  platform.setRecords(...lines)
  for (const name of names) {
    await addDomain(tools.db, tools.hosting, shop.project, { name })
    await verifyDomain(tools.db, tools.hosting, shop.project, name)
    tools.jobs.wake('domains')
    await issued(name)
  }
  return shop
}

const issued = (name: string) =>
  until(
    () => certificateState(platform.first, name),
    state => state === 'issued',
  )

/** Reads a domain over GraphQL, as the operator. */
async function statesOf(slug: string, name: string) {
  const query = `query ($slug: String, $name: String!) { project(slug: $slug) { domain(name: $name) {
    host certificate primary servedUntil certificateDetails { renewsAt nextAttemptAt problem { code } } } } }`
  const { json } = await platform.first.ask('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { slug, name } }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the answer to the query above
  return (json as any).data.project.domain
}

test('a suspended project shows its own page with 503 at every host and process until it is resumed', async () => {
  const suffix = randomUUID().slice(0, 8)
  const [name, old] = [`www.paused-${suffix}.test`, `old.paused-${suffix}.test`] as const
  const { project, target, secret } = await liveShop(name, old)
  await deploy(tools.db, tools.hosting, project, {
    title: 'Cats & <Dogs>',
    domains: { redirects: [{ from: old, to: name, status: 301 }] },
  })
  const bearer = { authorization: `Bearer ${secret}` }

  await suspendProject(tools.db, clock, project.slug)

  for (const { port, httpsPort } of platform.instances) {
    const acts = [
      ...[name, old, target].map(host => () => visit(`http://${host}:${port}/any/where?at=all`, port)),
      () => visit(`https://${name}:${httpsPort}/`, httpsPort, { ca: root }),
      () => visit(`http://${target}:${port}/`, port, { method: 'POST' }),
    ]
    for (const ask of acts) {
      const page = await until(ask, answer => answer.status === 503)
      expect(page.text).toContain(
        '<p class="soft">Cats &amp; &lt;Dogs&gt;</p><h1>This store is suspended</h1>',
      )
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': '3600',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    }
    const { text, headers } = await visit(`http://${target}:${port}/`, port)
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    const pets = await visit(`http://${target}:${port}/v1/pets`, port, { headers: bearer })
    expect([pets.status, JSON.parse(pets.text).code]).toEqual([403, 'project_suspended'])
  }
  expect(await statesOf(project.slug, name)).toMatchObject({
    host: 'paused',
    certificate: 'issued',
  })
  expect(tools.metrics.text()).toContain('route="suspended",status="503"')

  await resumeProject(tools.db, project.slug)

  for (const { port, httpsPort } of platform.instances) {
    await until(
      () => visit(`https://${name}:${httpsPort}/`, httpsPort, { ca: root }),
      answer => answer.status === 200,
    )
    expect((await visit(`http://${old}:${port}/`, port)).status).toBe(301)
  }
  expect(await statesOf(project.slug, name)).toMatchObject({ host: 'live' })
})

test('after the grace period of a downgraded project, its domains are not served, renewed or verified until a plan with domains restores them', async () => {
  const suffix = randomUUID().slice(0, 8)
  const [name, late] = [`www.lapsed-${suffix}.test`, `late.lapsed-${suffix}.test`] as const
  const { project, target } = await liveShop(name)
  const { port } = platform.first
  await addDomain(tools.db, tools.hosting, project, { name: late })
  const setPlan = async (planName: string) => {
    await tools.db.project.update({ where: { id: project.id }, data: { planName } })
    await noteGrace(tools.db, new Date(clock.now()))
  }
  const readCertificate = () => tools.db.certificate.findUniqueOrThrow({ where: { name } })
  const canonical = async () =>
    /rel="canonical" href="([^"]+)"/.exec((await visit(`http://${target}:${port}/`, port)).text)?.[1]
  const { chain, notAfter } = await readCertificate()
  await until(canonical, address => address === `https://${name}/`)

  await setPlan('free')
  platform.setRecords(...lines, `${late} CNAME ${target}`)

  const within = await until(
    () => statesOf(project.slug, name),
    domain => domain.servedUntil !== null,
  )
  expect(within).toMatchObject({ host: 'live', primary: true })
  expect(Date.parse(within.servedUntil) - clock.now()).toBeGreaterThan(13 * day)
  expect(within.certificateDetails.renewsAt).not.toBeNull()

  // The renewal becomes due, and in the end the certificate expires.
  clock.advance(Number(notAfter) - clock.now() + day)
  await until(readCertificate, ({ nextStepAt }) => Number(nextStepAt) > clock.now())
  expect((await readCertificate()).chain).toBe(chain)
  expect(await statesOf(project.slug, name)).toMatchObject({
    host: 'paused',
    certificate: 'none',
    primary: false,
    certificateDetails: { renewsAt: null, nextAttemptAt: null, problem: null },
  })
  expect((await visit(`http://${name}:${port}/`, port)).status).toBe(421)
  expect(await canonical()).toBe(`https://${target}/`)
  const { lookedAt } = await findDomain(tools.db, project, name)
  await until(
    () => findDomain(tools.db, project, name),
    domain => Number(domain.lookedAt) >= Number(lookedAt) && Number(domain.nextLookAt) > clock.now(),
  )
  expect(await findDomain(tools.db, project, late)).toMatchObject({ ownedName: null })

  await setPlan('pro')

  await issued(name)
  await until(
    () => findDomain(tools.db, project, late),
    domain => domain.ownedName !== null,
  )
  expect(await statesOf(project.slug, name)).toMatchObject({ host: 'live', servedUntil: null })
})
