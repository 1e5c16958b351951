import type { Request } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { platformHostOf } from '../../src/core/hosts/platform-host.ts'
import { hostNameOf, readHostName, serviceAddressTest, urlOfHost } from '../../src/http/host-name.ts'
import { requestUrl } from '../../src/http/request-url.ts'
import { startApp } from '../support/start-app.ts'

const publicUrl = 'HTTPS://Api.Store.Example/animals'
const stagingUrl = 'http://next.store.example:8080'
const config = readConfig({ PUBLIC_URL: publicUrl, STAGING_URL: stagingUrl, HOST: 'Inner.Store.Example' })

const requestTo = (host?: string, served?: string, protocol = 'http') =>
  ({
    protocol,
    secure: protocol === 'https',
    headers: { host },
    res: { locals: { host: served && { name: served } } },
  }) as Request

test.each([
  [undefined, publicUrl],
  ['', publicUrl],
  ['api.store.example', publicUrl],
  ['API.store.example.:443', publicUrl],
  ['api.store.example:80', 'http://api.store.example:80'],
  ['api.store.example:8443', 'http://api.store.example:8443'],
  ['next.store.example:8080', stagingUrl],
  ['next.store.example', 'http://next.store.example'],
  ['next.store.example:80', 'http://next.store.example:80'],
  ['localhost:8001', 'http://localhost:8001'],
])('a request to host %s gets links at %s', (host, address) => {
  // The second call reads the configured addresses from the cache.
  for (let n = 0; n < 2; n++) expect(requestUrl(config, requestTo(host))).toBe(address)
})

test('a link at a project’s host has the project’s spelling of the host, and the request’s port and scheme', () => {
  expect(requestUrl(config, requestTo('WWW.shop.test.:8001', 'www.shop.test'))).toBe(
    'http://www.shop.test:8001',
  )
  expect(requestUrl(config, requestTo('www.shop.test', 'www.shop.test', 'https'))).toBe(
    'https://www.shop.test',
  )
  const urlAt = (request: Request) => urlOfHost(request, 'www.shop.test', 'http://store.example:8080')
  const socket = { localPort: 8001 } as Request['socket']
  expect(urlAt({ ...requestTo('WWW.shop.test:8001'), socket } as Request)).toBe('http://www.shop.test:8001')
  expect(urlAt({ ...requestTo('www.shop.test:8080'), socket } as Request)).toBe('http://www.shop.test:8080')
  expect(urlAt({ ...requestTo('www.shop.test:8002'), socket } as Request)).toBe('http://www.shop.test')
  expect(urlAt({ ...requestTo(undefined, undefined, 'https'), socket } as Request)).toBe(
    'https://www.shop.test',
  )
})

test('a link has the scheme http or https, whatever scheme a trusted proxy names', () => {
  const request = { ...requestTo('www.shop.test', 'www.shop.test', '1'), socket: {} } as Request

  expect(requestUrl(config, request)).toBe('http://www.shop.test')
  expect(urlOfHost(request, 'www.shop.test', publicUrl)).toBe('http://www.shop.test')
})

test('a client cannot choose the scheme of a project’s pages behind a proxy that passes on what the client sent', async () => {
  const app = await startApp({ env: { TRUST_PROXY: '1' } })
  onTestFinished(() => app.stop())
  const { project } = await app.makeProject()
  await deploy(app.tools.db, app.tools.hosting, project, {})
  const host = platformHostOf(project, app.tools.hosting.platformHost)

  const { status, text } = await app.ask('/', { headers: { host, 'x-forwarded-proto': '1' } })

  expect(status).toBe(200)
  expect(text).toContain(`data-base-url="http://${host}/v1"`)
})

test('the address of a link omits the default port of http', () => {
  const plain = readConfig({ PUBLIC_URL: 'http://store.example' })

  for (const host of ['store.example', 'store.example:80', 'STORE.example.'])
    expect(requestUrl(plain, requestTo(host))).toBe('http://store.example')
  expect(requestUrl(plain, requestTo('store.example:443'))).toBe('http://store.example:443')
  expect(requestUrl(readConfig({}), requestTo('localhost:4000'))).toBe('http://localhost:4000')
})

test.each([
  ['WWW.Shop.TEST', 'www.shop.test'],
  ['www.shop.test.', 'www.shop.test'],
  ['www.shop.test:80', 'www.shop.test'],
  ['www.shop.test.:80', 'www.shop.test'],
  ['www.shop.test:', 'www.shop.test'],
  ['[2001:DB8::1]:80', '[2001:db8::1]'],
  ['[::1]', '[::1]'],
  ['', ''],
])(
  'the host name in the Host header %j is read as %j, even if another Host header was read before',
  (header, name) => {
    expect(readHostName(header)).toBe(name)
    expect(hostNameOf('other.test')).toBe('other.test')
    expect(hostNameOf(header)).toBe(name)
    expect(hostNameOf('other.test')).toBe('other.test')
    expect(hostNameOf()).toBe('')
  },
)

test('the service’s own addresses are the configured hosts, localhost and every IP address', () => {
  const isOwn = serviceAddressTest(config)
  const own = ['', 'localhost', 'inner.store.example', 'api.store.example', 'next.store.example']

  for (const name of [...own, '10.1.2.3', '[::1]', '[2001:db8::1]']) expect(isOwn(name), name).toBe(true)
  const others = ['store.example', 'www.shop.test', 'localhost.test', '10.1.2.3.test', '300.1.1.1']
  const malformed = ['[::1', '10.1.2.3]', '[10.1.2.3]', '[fe80::1%eth0]', 'fe80::a', '::']
  for (const name of [...others, ...malformed]) expect(isOwn(name), name).toBe(false)
  expect(serviceAddressTest(readConfig({ HOST: '::' }))('::')).toBe(false)
  expect(serviceAddressTest(readConfig({}))('next.store.example')).toBe(false)
})
