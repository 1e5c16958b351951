import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { deploy, rollback } from '../../src/core/deploys/deploys.ts'
import { addDomain, removeDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import type { Tools } from '../../src/tools.ts'
import { freshAddress } from '../support/ask.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
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
import { readStream } from '../support/read-stream.ts'
import { sendRaw } from '../support/send-raw.ts'
import { countStatements } from '../support/statements.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let platform: Platform
let clock: MovableClock
let tools: Tools
let port: number
let httpsPort: number
let root: string
let shop: Awaited<ReturnType<typeof makeDeployed>>
let zoo: Awaited<ReturnType<typeof makeDeployed>>
let lines: string[] = []
/** Connects before the tests and sends nothing. */
let silent: Socket
/** Connects before the tests and sends half of a request. */
let slow: Socket | null

beforeAll(async () => {
  clock = movableClock()
  platform = await startPlatform({ clock, env: { HTTPS_REDIRECT: '0', OPERATOR_KEY: operatorKey } })
  ;({ tools, port, httpsPort } = platform.first)
  silent = connect(httpsPort, '127.0.0.1')
    .on('error', () => {})
    .resume()
  root = (await tools.hosting.authorities[0].root?.()) ?? ''
  shop = await makeDeployed(platform)
  zoo = await makeDeployed(platform)
  await goLive(shop, 'www.shop.test', 'old.shop.test')
  slow = await until(
    () => shakesHands('www.shop.test', httpsPort),
    socket => socket !== null,
  )
  slow?.resume().write('GET / HTTP/1.1\r\n')
  await goLive(zoo, 'www.zoo.test')
  await until(
    () => visit('http://www.zoo.test/', port),
    answer => answer.status === 200,
  )
})
afterAll(() => platform.stop())

async function goLive({ project, target }: typeof shop, ...names: string[]) {
  lines = [...lines, ...names.map(name => `${name} CNAME ${target}`)]
  platform.setRecords(...lines)
  for (const name of names) {
    await addDomain(tools.db, tools.hosting, project, { name })
    await verifyDomain(tools.db, tools.hosting, project, name)
    tools.jobs.wake('domains')
    await until(
      () => certificateState(platform.first, name),
      state => state === 'issued',
    )
  }
}

const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })

describe('the hosts of a project', () => {
  test("a project's host shows no icon of the platform", async () => {
    const icon = await visit('https://www.shop.test/favicon.ico', httpsPort, { ca: root })

    expect([icon.status, icon.text]).toEqual([204, ''])
  })

  test("a new pet's URL uses the host of the request", async () => {
    const added = await visit('https://www.shop.test/v1/pets', httpsPort, {
      ca: root,
      method: 'POST',
      headers: { authorization: `Bearer ${shop.secret}`, 'content-type': 'application/json' },
      body: '{"name":"Max","categoryId":1}',
    })

    expect(added.status).toBe(201)
    expect(added.headers.location).toMatch(/^https:\/\/www\.shop\.test\/v1\/pets\/\d+$/)
    // The service sends no Strict-Transport-Security for the host of a project, because only the project may promise
    // that its host always has HTTPS.
    expect(added.headers).not.toHaveProperty('strict-transport-security')
  })

  test("a project's platform host is served only after the project is deployed", async () => {
    const fresh = await platform.first.makeProject()
    const address = `http://${fresh.project.slug}.animals.localhost/`
    expect((await visit(address, port)).status).toBe(421)

    await deploy(tools.db, tools.hosting, fresh.project, { title: 'Pets & <Friends>' })

    const page = await until(
      () => visit(address, port),
      answer => answer.status === 200,
      1_000,
    )
    expect(page.text).toContain('<h1>Pets &amp; &lt;Friends&gt;</h1>')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test("a project's host rejects the keys of other projects", async () => {
    expect((await visit('http://www.shop.test/v1/pets', port, bearer(shop.secret))).status).toBe(200)
    expect((await visit('http://www.shop.test/v1/pets', port, bearer(zoo.secret))).status).toBe(401)
    expect((await visit(`http://${shop.target}/v1/pets`, port, bearer(zoo.secret))).status).toBe(401)
    expect((await visit(`http://localhost:${port}/v1/pets`, port, bearer(zoo.secret))).status).toBe(200)
  })

  test("a project's host rejects keys of other projects and of the operator over GraphQL too", async () => {
    const answer = async (secret: string) => {
      const headers = { ...bearer(secret).headers, 'content-type': 'application/json' }
      const body = JSON.stringify({ query: '{ caller { projectSlug } }' })
      return (await visit('http://www.shop.test/graphql', port, { method: 'POST', headers, body })).status
    }

    expect(await answer(shop.secret)).toBe(200)
    expect(await answer(zoo.secret)).toBe(401)
    expect(await answer(operatorKey)).toBe(401)
  })

  test('the hosts of a project and the address of the service share one request budget of the project', async () => {
    const limited = await platform.first.makeProject({ perMinute: 60, perDay: 1_000, plan: 'enterprise' })
    await deploy(tools.db, tools.hosting, limited.project, {})
    const address = `http://${limited.project.slug}.animals.localhost`
    await until(
      () => visit(`${address}/`, port),
      page => page.status === 200,
    )
    const headers = { ...bearer(limited.secret).headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ pets { nodes { id } } }' })

    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        if (n % 3 === 0) return visit(`${address}/v1/pets`, port, { headers })
        if (n % 3 === 1) return visit(`http://localhost:${port}/v1/pets`, port, { headers })
        return visit(`${address}/graphql`, port, { method: 'POST', headers, body })
      }),
    )

    const passed = answers.filter(one => one.status === 200 && !one.text.includes('rate_limited'))
    expect(passed).toHaveLength(60)
  })

  test("a project's host serves the OpenAPI document, the GraphQL schema and the health checks", async () => {
    for (const path of ['/openapi.yaml', '/openapi.json', '/schema.graphql', '/livez', '/readyz']) {
      expect((await visit(`http://www.shop.test${path}`, port)).status, path).toBe(200)
    }
  })

  test("a project's host serves no other pages of the service", async () => {
    for (const path of ['/local-ca.pem', '/dashboard', '/metrics', '//', '/v1x']) {
      expect((await visit(`http://www.shop.test${path}`, port)).status, path).toBe(404)
    }
  })

  test("a project's host serves an OpenAPI document that names this host as the server", async () => {
    const at = (host: string, path: string) => visit(`http://${host}${path}`, port)

    const yaml = (await at(`www.shop.test:${port}`, '/openapi.yaml')).text
    const json = JSON.parse((await at('www.zoo.test', '/openapi.json')).text)

    expect(yaml).toContain(`url: http://www.shop.test:${port}/v1`)
    expect(json.servers.map((server: { url: string }) => server.url)).toEqual(['http://www.zoo.test/v1'])
    expect((await at('localhost', '/openapi.yaml')).text).not.toContain('shop.test')
  })

  test("a project's host serves the same OpenAPI document whatever port the Host header has", async () => {
    const texts = await Promise.all(
      [1, 65_535].map(
        async wrong =>
          (
            await visit(`http://www.shop.test/openapi.yaml`, port, {
              headers: { host: `www.shop.test:${wrong}` },
            })
          ).text,
      ),
    )
    for (const text of texts) expect(text).toContain('url: http://www.shop.test/v1')
  })

  test("a project's host serves a page that names this host and is counted in the metrics", async () => {
    for (const host of ['www.shop.test', shop.target, `www.shop.test:${port}`]) {
      const { text, headers } = await visit(`http://${host}/`, port)

      expect(text, host).toContain(`http://${host}/v1`)
      expect(text).toContain(`http://${host}/graphql`)
      expect(headers['content-security-policy']).toContain(`http://${host}`)
      expect(text).toContain('<link rel="canonical" href="https://www.shop.test/"')
    }
    expect(tools.metrics.text()).toMatch(/animal_store_[a-z_]+\{method="GET",route="\/",status="200"/)
  })

  test('a stream over plain HTTP at a domain ends when the domain is removed, and no other stream does', async () => {
    const name = `left-${randomUUID().slice(0, 8)}.shop.test`
    await goLive(shop, name)
    const open = (path: string, host: string, body?: string) => {
      const headers = { ...bearer(shop.secret).headers, host, 'content-type': 'application/json' }
      return readStream(`http://127.0.0.1:${port}${path}`, headers, body)
    }
    const streams = [
      await open('/v1/events', name),
      await open('/graphql', name, JSON.stringify({ query: 'subscription { events { id } }' })),
      await open('/v1/events', shop.target),
    ]
    onTestFinished(() => streams[2]?.close())
    const haveEnded = [false, false, false]
    for (const [n, { ended }] of streams.entries()) void ended.then(() => (haveEnded[n] = true))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])

    await removeDomain(tools.db, tools.hosting, shop.project, name)

    await expect.poll(() => haveEnded, { timeout: 5_000 }).toEqual([true, true, false])
  })

  test("a project's page shows the exact title and description of the latest deploy", async () => {
    const page = async () => (await visit('http://www.zoo.test/', port)).text
    for (const said of [
      { title: 'Zoo', description: 'All the lions.' },
      { title: 'Zoo', description: 'All the tigers.' },
      { title: 'Bears', description: 'All the tigers.' },
      { title: 'Bears' },
    ]) {
      await deploy(tools.db, tools.hosting, zoo.project, said)
      const { title, description = null } = said
      const shows = (text: string) =>
        text.includes(`<h1>${title}</h1>`) &&
        (description === null ? !text.includes('All the') : text.includes(description))
      await until(page, shows, 5_000)
    }
  })

  test("a project's page follows a deploy within a second, and a rollback too", async () => {
    const title = async () => /<h1>(.*)<\/h1>/.exec((await visit('http://www.zoo.test/', port)).text)?.[1]
    const first = await deploy(tools.db, tools.hosting, zoo.project, { title: 'First' })
    await until(title, now => now === 'First', 1_000)
    await deploy(tools.db, tools.hosting, zoo.project, { title: 'Second' })
    await until(title, now => now === 'Second', 1_000)

    const failed = await deploy(tools.db, tools.hosting, zoo.project, {
      title: 'Third',
      domains: { primary: 'unknown.test' },
    })
    expect(failed).toMatchObject({ succeeded: false })
    const back = await rollback(tools.db, tools.hosting, zoo.project, first.id ?? 0)

    expect(back).toMatchObject({ succeeded: true, rollbackOfId: first.id })
    await until(title, now => now === 'First', 1_000)
    await expect(rollback(tools.db, tools.hosting, shop.project, first.id ?? 0)).rejects.toMatchObject({
      code: 'deploy_not_found',
    })
  })
})

describe('redirects between hosts', () => {
  test.each([301, 302, 307, 308])('a redirect with %i keeps path and query', async status => {
    const redirects = [{ from: 'old.shop.test', to: 'www.shop.test', status }]
    await deploy(tools.db, tools.hosting, shop.project, { domains: { primary: 'www.shop.test', redirects } })

    const answer = await until(
      () => visit('http://old.shop.test/v1/pets?limit=2&status=sold', port, { method: 'POST' }),
      one => one.status === status,
      1_000,
    )

    expect(answer.headers.location).toBe('http://www.shop.test/v1/pets?limit=2&status=sold')
    expect(answer.headers['x-ratelimit-limit']).toBe('60')
  })

  test('a redirect from HTTPS stays on HTTPS and keeps the port', async () => {
    const answer = await visit(`https://old.shop.test:${httpsPort}//evil.test/x?y=1`, httpsPort, {
      ca: root,
    })

    expect(answer.headers.location).toBe(`https://www.shop.test:${httpsPort}//evil.test/x?y=1`)
  })

  test('no redirect or refusal at a project’s host has a Strict-Transport-Security header', async () => {
    const answers = [
      await visit('https://old.shop.test/', httpsPort, { ca: root }),
      await visit('https://old.shop.test/', httpsPort, { ca: root, headers: { host: 'localhost' } }),
      await visit('http://unknown.test/', port),
      await visit('http://www.shop.test/', port, { headers: { host: 'www.shop.test:99999' } }),
      await visit('https://www.shop.test/', httpsPort, { ca: root, headers: { x: 'x'.repeat(20_000) } }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([308, 421, 421, 400, 431])
    for (const { headers } of answers) expect(headers).not.toHaveProperty('strict-transport-security')
  })

  test.each([
    ['http', ':80', 'http://www.shop.test:80/x'],
    ['http', ':8080', 'http://www.shop.test:8080/x'],
    ['https', ':8443', 'https://www.shop.test:8443/x'],
    ['https', ':443', 'https://www.shop.test:443/x'],
  ])('a redirect over %s keeps the port %s of the request', async (scheme, given, location) => {
    const answer = await visit(`${scheme}://old.shop.test/x`, scheme === 'http' ? port : httpsPort, {
      ca: root,
      headers: { host: `old.shop.test${given}` },
    })

    expect(answer.headers.location).toBe(location)
  })

  test('a CORS preflight is answered and not redirected', async () => {
    const answer = await visit('http://old.shop.test/v1/pets', port, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    })

    expect([answer.status, answer.headers.location]).toEqual([204, undefined])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('a redirect does not apply while its target is not served', async () => {
    await addDomain(tools.db, tools.hosting, zoo.project, { name: 'later.zoo.test' })
    const redirects = [{ from: 'www.zoo.test', to: 'later.zoo.test', status: 301 }]
    await deploy(tools.db, tools.hosting, zoo.project, { domains: { redirects } })
    await tools.hosting.hosts.waitUntilForgotten()

    expect((await visit('http://www.zoo.test/', port)).status).toBe(200)
  })

  test('a host that belongs to another project is no redirect target and no canonical URL', async () => {
    // The zoo recorded this deploy while it still owned www.shop.test.
    const domains = {
      primary: 'www.shop.test',
      redirects: [{ from: 'www.zoo.test', to: 'www.shop.test', status: 301 }],
    }
    const configuration = { title: null, description: null, domains }
    await tools.db.deploy.create({
      data: { projectId: zoo.project.id, succeeded: true, configuration, log: [] },
    })
    await tools.hosting.hosts.waitUntilForgotten()

    const answer = await visit('http://www.zoo.test/', port)

    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/<link rel="canonical" href="https:\/\/www\.zoo\.test\/"/)
    expect(answer.text).not.toContain('www.shop.test')
  })

  test('a redirect over HTTPS leads to HTTPS only if its target has a certificate, and otherwise to HTTP', async () => {
    const name = `bare-${randomUUID().slice(0, 8)}.shop.test`
    await goLive(shop, name)
    const redirects = [{ from: 'old.shop.test', to: name, status: 301 }]
    await deploy(tools.db, tools.hosting, shop.project, { domains: { primary: 'www.shop.test', redirects } })
    const location = async () =>
      (await visit(`https://old.shop.test:${httpsPort}/x`, httpsPort, { ca: root })).headers.location
    await until(location, now => now === `https://${name}:${httpsPort}/x`)

    await tools.db.certificate.update({
      where: { name },
      data: { chain: null, nextStepAt: null },
    })
    await until(location, now => now === `http://${name}:${port}/x`)
    // The request names port 443, the default of HTTPS. The redirect must use the default port of HTTP.
    const byDefault = { ca: root, headers: { host: 'old.shop.test:443' } }
    expect((await visit('https://old.shop.test/x', httpsPort, byDefault)).headers.location).toBe(
      `http://${name}/x`,
    )
  })
})

test('a client that guesses challenge tokens is rate limited, but can still read pending challenges', async () => {
  const from = freshAddress()
  const ask = (token: string, name = 'www.shop.test') =>
    visit(`http://${name}/.well-known/acme-challenge/${token}`, port, { from })
  const expiresAt = new Date(clock.now() + 60_000)
  const challenge = { name: 'www.shop.test', keyAuthorization: 'pending.of-the-account', expiresAt }
  await tools.db.acmeChallenge.create({ data: { token: 'pending', ...challenge } })
  onTestFinished(async () => void (await tools.db.acmeChallenge.deleteMany({ where: challenge })))

  const answers = []
  for (let n = 0; n < 60; n++) answers.push((await ask('guess')).status)
  const { status, headers } = await ask('guess')
  const inStranger = (await ask('guess', 'www.unknown-guess.test')).status
  const pending = await ask('pending')
  const statements = await countStatements(['acme_challenges'], () =>
    Promise.all(Array.from({ length: 100 }, () => ask('guess'))),
  )

  expect(answers).toEqual(Array(60).fill(404))
  expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([429, '60', '0'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(inStranger).toBe(429)
  expect([pending.status, pending.text]).toEqual([200, 'pending.of-the-account'])
  // Concurrent guesses share queries, so they do not use up the connections.
  expect(statements).toBeLessThan(60)
})

test('a challenge is answered at its own name and at no other', async () => {
  const challenge = { token: 'a-token', name: 'www.shop.test', keyAuthorization: 'a-token.of-the-account' }
  await tools.db.acmeChallenge.create({ data: { ...challenge, expiresAt: new Date(clock.now() + 60_000) } })
  onTestFinished(async () => void (await tools.db.acmeChallenge.deleteMany({ where: challenge })))
  const servedBy = async (name: string) => {
    const { status, text, headers } = await visit(`http://${name}/.well-known/acme-challenge/a-token`, port, {
      from: freshAddress(),
    })
    if (status === 200) expect(headers['content-type']).toBe('application/octet-stream')
    return [status, text.includes('of-the-account')]
  }

  expect(await servedBy('www.shop.test')).toEqual([200, true])
  for (const other of ['www.zoo.test', 'old.shop.test', shop.target])
    expect([other, ...(await servedBy(other))]).toEqual([other, 404, false])
  const counted = tools.metrics.text()
  expect(counted).toContain('route="/.well-known/acme-challenge/",status="200"')
  expect(counted).not.toContain('a-token')
})

describe('requests for hosts that are not served', () => {
  test.each([
    'unknown.test',
    'animals.localhost',
    'nobody.animals.localhost',
    'xwww.shop.test',
    'www.shop.test.evil.test',
    'www.shop.test.evil.test:80',
    'www.shop.test@evil.test',
    'evil.test#www.shop.test',
    'www.shop.test,evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '__proto__',
  ])('a request for the host %s is rejected', async host => {
    const answer = await visit('http://x/', port, { headers: { host } })

    expect(answer.status).toBe(421)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'misdirected_host', status: 421 })
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain('evil')
  })

  test('a host is served whatever case, final dot or port the Host header has', async () => {
    for (const host of ['WWW.Shop.TEST', 'www.shop.test.', `www.shop.test:${port}`, 'www.shop.test:']) {
      expect((await visit('http://x/', port, { headers: { host } })).status, host).toBe(200)
    }
  })

  test.each([
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: www.shop.test\r\nHost: www.zoo.test\r\n\r\n', 400],
    [
      'another host in the request line',
      'GET http://www.zoo.test/ HTTP/1.1\r\nHost: www.shop.test\r\n\r\n',
      421,
    ],
    ['no Host header', 'GET / HTTP/1.1\r\n\r\n', 400],
    [
      'an X-Forwarded-Host',
      'GET / HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: www.shop.test\r\n\r\n',
      421,
    ],
    ['a line folded into Host', 'GET / HTTP/1.1\r\nHost: evil.test\r\n www.shop.test\r\n\r\n', 400],
  ])('a request with %s is rejected', async (_, bytes, status) => {
    const answer = await sendRaw(
      platform.first.url,
      bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )

    expect(answer.status).toBe(status)
    expect(answer.body).not.toContain('<h1>')
  })

  test('the service still answers at its own address and at IP addresses', async () => {
    for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:80', '10.1.2.3']) {
      expect((await visit('http://x/livez', port, { headers: { host } })).status, host).toBe(200)
    }
    expect(await visit(`http://localhost:${port}/`, port)).toMatchObject({
      ...{ status: 302, headers: { location: '/reference' } },
    })
  })
})

describe('the HTTPS server', () => {
  test('a handshake succeeds only for a served name', async () => {
    expect(await shakesHands('www.shop.test', httpsPort)).not.toBeNull()
    for (const name of ['unknown.test', shop.target, 'localhost', '']) {
      expect(await shakesHands(name, httpsPort), name).toBeNull()
    }
  })

  test('a handshake for an unknown name gets an alert, and concurrent handshakes for a served name succeed', async () => {
    const rounds = Array.from({ length: 20 }, async (_, n) => {
      const [refusal, older, served] = await Promise.all([
        refusalOf(`unknown${n}.test`, httpsPort),
        refusalOf(`older${n}.test`, httpsPort, 'TLSv1.2'),
        visit('https://www.shop.test/livez', httpsPort, { ca: root }),
      ])
      return [refusal, older, served.status]
    })

    for (const answers of await Promise.all(rounds)) {
      const alert = 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME'
      expect(answers).toEqual([alert, alert, 200])
    }
  })

  test('a connection for one host serves no other host', async () => {
    const options = { ca: root, servername: 'www.shop.test' }
    for (const host of ['www.zoo.test', 'localhost', `127.0.0.1:${httpsPort}`]) {
      const answer = await visit(`https://www.shop.test:${httpsPort}/`, httpsPort, {
        ...options,
        headers: { host },
      })
      expect(answer.status, host).toBe(421)
    }
  })

  test('the server supports TLS 1.3, and TLS 1.2 with AEAD suites only', async () => {
    const modern = await shakesHands('www.shop.test', httpsPort)
    const older = await shakesHands('www.shop.test', httpsPort, { maxVersion: 'TLSv1.2' })
    const weak = await shakesHands('www.shop.test', httpsPort, {
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA',
    })

    expect(modern?.getProtocol()).toBe('TLSv1.3')
    expect(older?.getCipher().name).toMatch(/GCM|CHACHA20/)
    expect(weak).toBeNull()
    modern?.destroy()
    older?.destroy()
  })

  test.each([
    ['TLS_AES_128_GCM_SHA256', 'TLSv1.3'],
    ['TLS_AES_256_GCM_SHA384', 'TLSv1.3'],
    ['TLS_CHACHA20_POLY1305_SHA256', 'TLSv1.3'],
    ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLSv1.2'],
    ['ECDHE-ECDSA-AES256-GCM-SHA384', 'TLSv1.2'],
    ['ECDHE-ECDSA-CHACHA20-POLY1305', 'TLSv1.2'],
  ] as const)('a client that supports only %s can connect', async (ciphers, version) => {
    const range = { minVersion: version, maxVersion: version }

    const socket = await shakesHands('www.shop.test', httpsPort, { ciphers, ...range })

    expect(socket?.getCipher().name).toBe(ciphers)
    socket?.destroy()
  })

  test('a connection that sends nothing, or half of a request, is closed after some seconds', async () => {
    await expect.poll(() => [silent.destroyed, slow?.destroyed], { timeout: 10_000 }).toEqual([true, true])
  })

  test('a renewed certificate comes into use without a failed handshake', async () => {
    const serial = async () => {
      const socket = await shakesHands('www.shop.test', httpsPort)
      const number = socket?.getPeerCertificate().serialNumber ?? 'refused'
      socket?.destroy()
      return number
    }
    const before = await serial()
    const seen = new Set<string>()
    const note = (number: string) => seen.add(number) && number !== before

    clock.advance(61 * 86_400_000)
    tools.jobs.wake('domains')
    await until(serial, note)

    expect(seen).not.toContain('refused')
  })
})
