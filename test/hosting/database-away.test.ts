import { Agent as SecureAgent } from 'node:https'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { addDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type HoldingProxy, startHoldingProxy } from '../support/holding-proxy.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  refusalOf,
  shakesHands,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'
import { freePort } from '../support/programs.ts'
import { watchStalls } from '../support/stalls.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

let platform: Platform
let proxy: HoldingProxy
/** A separate process, whose connection to the database the test can cut. */
let cutOff: Running & { port: number; httpsPort: number }
let root: string

beforeAll(async () => {
  if (!inject('services').postgresUrl) return
  const env = { HTTPS_REDIRECT: '0', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
  platform = await startPlatform({ env })
  const { config, hosting } = platform.first.tools
  root = (await hosting.authorities[0].root?.()) ?? ''
  const url = new URL(config.databaseUrl ?? '')
  proxy = await startHoldingProxy(Number(url.port))
  url.port = String(proxy.port)
  const [port, httpsPort] = [await freePort(), await freePort()]
  const own = {
    PORT: String(port),
    HTTPS_PORT: String(httpsPort),
    DNS_SERVERS: platform.dns.at,
    DATA_DIR: config.dataDir,
  }
  const names = { DOMAIN_SUFFIXES: 'test,example' }
  cutOff = {
    ...(await startProcess({ ...env, ...own, ...names, DATABASE_URL: url.href })),
    ...{ port, httpsPort },
  }
  await cutOff.printed(answersAt)
})
afterAll(async () => {
  proxy?.release()
  cutOff?.child.kill('SIGTERM')
  await cutOff?.ended
  proxy?.stop()
  await platform?.stop()
})

async function goLive(name: string) {
  const owner = await makeDeployed(platform)
  const { project, target } = owner
  const { db, hosting, jobs } = platform.first.tools
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(db, hosting, project, { name })
  await verifyDomain(db, hosting, project, name)
  jobs.wake('domains')
  await until(
    () => certificateState(platform.first, name),
    state => state === 'issued',
  )
  const overHttp = () => visit(`http://${name}:${cutOff.port}/`, cutOff.port)
  const overHttps = (agent?: SecureAgent) =>
    visit(`https://${name}:${cutOff.httpsPort}/`, cutOff.httpsPort, { ca: root, ...(agent && { agent }) })
  await until(
    () => overHttps().catch(() => null),
    answer => answer?.status === 200,
  )
  // After this wait, the process has read all earlier changes.
  await hosting.hosts.waitUntilForgotten()
  expect(await overHttp()).toMatchObject({ status: 200 })
  expect(await overHttps()).toMatchObject({ status: 200 })
  return { send: graphqlOf(platform.first, owner), overHttp, overHttps }
}

function hold(): void {
  proxy.hold()
  onTestFinished(() => proxy.release())
}

test('once the removal of a domain is confirmed, even a process that cannot reach the database no longer serves this domain', async ({
  skip,
}) => {
  if (!platform) return skip('PostgreSQL is not installed')
  const { send, overHttp, overHttps } = await goLive('www.gone.test')
  const agent = new SecureAgent({ keepAlive: true })
  expect(await overHttps(agent)).toMatchObject({ status: 200 })
  const idle = await shakesHands('www.gone.test', cutOff.httpsPort)

  const { id } = (await send('{ domain(name: "www.gone.test") { id } }')).data.domain

  hold()
  const { data } = await send(`mutation { removeDomain(id: "${id}") { name } }`)
  const answers = await Promise.all([overHttp(), overHttps(agent), overHttps()])

  expect(data.removeDomain).toEqual({ name: 'www.gone.test' })
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  proxy.release()
  await until(overHttp, ({ status }) => status === 421)
  await until(
    () => shakesHands('www.gone.test', cutOff.httpsPort),
    socket => socket === null,
  )
  await until(
    async () => idle?.destroyed,
    isClosed => isClosed === true,
  )
})

test('a host answers 503 with Retry-After over HTTP and HTTPS while the database is down, and answers 200 once the database returns', async ({
  skip,
}) => {
  if (!platform) return skip('PostgreSQL is not installed')
  const { overHttp, overHttps } = await goLive('www.stays.test')

  hold()
  await until(overHttp, ({ status }) => status === 503, 3_000)
  const stalledMs = watchStalls()
  const startedAt = performance.now()
  const answers = await Promise.all([overHttp(), overHttps()])
  const tookMs = performance.now() - startedAt - stalledMs()

  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'unavailable' })
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
  }
  // Each look-up of a host times out after 1.9 s. Two in a row would take 3.8 s.
  expect(tookMs).toBeLessThan(3_500)
  expect((await visit('http://localhost/livez', cutOff.port)).status).toBe(200)
  // The unknown name cannot be looked up now, so the alert must not say that the name is unknown.
  expect(await refusalOf('www.new.test', cutOff.httpsPort)).toBe('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')

  proxy.release()
  await until(
    () => Promise.all([overHttp(), overHttps()]),
    both => both.every(({ status }) => status === 200),
    10_000,
  )
})
