import { Agent as SecureAgent } from 'node:https'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addDomain, removeDomain, verifyDomain } from '../../src/core/domains.ts'
import { type HoldingProxy, startHoldingProxy } from '../support/holding-proxy.ts'
import {
  certificateState,
  type Instance,
  makeDeployed,
  type Platform,
  refusalOf,
  shakesHands,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'
import { freePort } from '../support/programs.ts'
import { startApp } from '../support/start-app.ts'

let platform: Platform
let proxy: HoldingProxy
/** A process whose way to the database can be held up. */
let cutOff: Instance
let root: string

beforeAll(async () => {
  if (!inject('services').postgresUrl) return
  const env = { HTTPS_REDIRECT: '0', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
  platform = await startPlatform({ env })
  const { config, hosting } = platform.first.tools
  root = (await hosting.authority.root?.()) ?? ''
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
  cutOff = { ...(await startApp({ env: { ...env, ...own, DATABASE_URL: url.href } })), port, httpsPort }
})
afterAll(async () => {
  proxy?.release()
  await cutOff?.stop()
  proxy?.stop()
  await platform?.stop()
})

async function goLive(name: string) {
  const { project, target } = await makeDeployed(platform)
  const { db, hosting, jobs } = platform.first.tools
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(db, hosting, project, { name })
  await verifyDomain(db, hosting, project, name)
  jobs.wake()
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
  // By now the process has heard of all that led here.
  await hosting.hosts.waitUntilForgotten()
  expect(await overHttp()).toMatchObject({ status: 200 })
  expect(await overHttps()).toMatchObject({ status: 200 })
  return { project, overHttp, overHttps }
}

test('a domain is removed within a second, and a process that cannot hear of it refuses it as well', async ({
  skip,
}) => {
  if (!platform) return skip('PostgreSQL is not installed')
  const { project, overHttp, overHttps } = await goLive('www.gone.test')
  const { db, hosting } = platform.first.tools
  const agent = new SecureAgent({ keepAlive: true })
  expect(await overHttps(agent)).toMatchObject({ status: 200 })
  const idle = await shakesHands('www.gone.test', cutOff.httpsPort)

  proxy.hold()
  const startedAt = performance.now()
  await removeDomain(db, hosting, project, 'www.gone.test')
  await hosting.hosts.waitUntilForgotten()
  const tookMs = performance.now() - startedAt
  const answers = await Promise.all([overHttp(), overHttps(agent), overHttps()])

  expect(tookMs).toBeLessThan(1_000)
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

test('while the database is away a host answers 503 with Retry-After over HTTP and HTTPS, and is served again after', async ({
  skip,
}) => {
  if (!platform) return skip('PostgreSQL is not installed')
  const { overHttp, overHttps } = await goLive('www.stays.test')

  proxy.hold()
  await until(overHttp, ({ status }) => status === 503, 3_000)
  const startedAt = performance.now()
  const answers = await Promise.all([overHttp(), overHttps()])
  const tookMs = performance.now() - startedAt

  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'unavailable' })
  }
  expect(tookMs).toBeLessThan(2_500)
  expect((await visit('http://localhost/livez', cutOff.port)).status).toBe(200)
  // A name that was never asked for cannot be judged, which is no fault of the name.
  expect(await refusalOf('www.new.test', cutOff.httpsPort)).toBe('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')

  proxy.release()
  await until(
    () => Promise.all([overHttp(), overHttps()]),
    both => both.every(({ status }) => status === 200),
    10_000,
  )
})
