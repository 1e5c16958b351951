import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { addDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'

describe('a request over HTTP to a domain with a certificate', () => {
  const name = 'www.to-https.test'
  let platform: Platform
  let shop: Awaited<ReturnType<typeof makeDeployed>>

  beforeAll(async () => {
    platform = await startPlatform({ env: { PUBLIC_URL: 'https://store.example:8443' } })
    shop = await makeDeployed(platform)
    const { db, hosting, jobs } = platform.first.tools
    platform.setRecords(`${name} CNAME ${shop.target}`, `to-https.test ALIAS ${shop.target}`)
    await addDomain(db, hosting, shop.project, { name })
    await verifyDomain(db, hosting, shop.project, name)
    jobs.wake('domains')
    await until(
      () => certificateState(platform.first, name),
      state => state === 'issued',
    )
    await until(visitName, answer => answer.status === 308)
  })
  afterAll(() => platform?.stop())

  const visitName = (host = name) =>
    visit(`http://${name}/v1/pets?limit=1`, platform.first.port, { headers: { host } })
  const publish = (domains: object) => {
    const { db, hosting } = platform.first.tools
    return deploy(db, hosting, shop.project, { domains })
  }

  test.each([
    ['no port', () => '', () => ''],
    ['the default port', () => ':80', () => ''],
    ['the port of this process', ({ port }: Ports) => `:${port}`, ({ httpsPort }: Ports) => `:${httpsPort}`],
    ['the port of a proxy in front of this process', () => ':8080', () => ''],
  ])('an HTTP request that names %s is redirected to the matching HTTPS port', async (_, given, sentTo) => {
    const { status, headers } = await visitName(`${name}${given(platform.first)}`)

    expect([status, headers.location]).toEqual([
      308,
      `https://${name}${sentTo(platform.first)}/v1/pets?limit=1`,
    ])
  })

  test.each([':99999', ':65536', ':4294967376'])('an HTTP request to port %s is rejected', async given => {
    const { status, text } = await visitName(`${name}${given}`)

    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({
        code: 'malformed_request',
        message: 'The port in the Host header must be at most 65535.',
      }),
    ])
  })

  test.each([301, 302, 307, 308])(
    'an HTTP request is redirected with the configured status %i',
    async status => {
      await publish({ httpsRedirectStatus: status })

      const answer = await until(
        () => visitName(),
        one => one.status === status,
        5_000,
      )

      expect(answer.headers.location).toBe(`https://${name}/v1/pets?limit=1`)
    },
  )

  test('the configured redirect status stays when a partner domain is added, and a deploy without the setting restores 308', async () => {
    const { db, hosting } = platform.first.tools
    await publish({ httpsRedirectStatus: 302 })
    await addDomain(db, hosting, shop.project, { name: 'www.pair.test', withPartner: true })
    await hosting.hosts.waitUntilForgotten()
    expect((await visitName()).status).toBe(302)

    await publish({ httpsRedirectStatus: null })
    await until(
      () => visitName(),
      one => one.status === 308,
      5_000,
    )
  })

  test('the configuration rejects a redirect status other than 301, 302, 307 and 308', async () => {
    const failed = await publish({ httpsRedirectStatus: 303 })

    expect(failed).toMatchObject({ succeeded: false })
    expect(failed.log.map(({ message }) => message)).toContain(
      'domains.httpsRedirectStatus is 303; it must be 301, 302, 307 or 308.',
    )
  })

  test('a redirect to the platform host leads to HTTPS, at the port of PUBLIC_URL, if PUBLIC_URL is https', async () => {
    const { hosting } = platform.first.tools
    const ca = (await hosting.authorities[0].root?.()) ?? ''
    await publish({ redirects: [{ from: name, to: shop.target, status: 308 }] })
    await hosting.hosts.waitUntilForgotten()

    const overHttp = await visitName()
    const overHttps = await visit(`https://${name}/v1/pets?limit=1`, platform.first.httpsPort, { ca })

    const location = `https://${shop.target}:8443/v1/pets?limit=1`
    expect([overHttp.headers.location, overHttps.headers.location]).toEqual([location, location])
  })
})

type Ports = { port: number; httpsPort: number }
