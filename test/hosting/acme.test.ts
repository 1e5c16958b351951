import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAcme } from '../../src/hosting/acme.ts'
import type { CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { keepAccount } from '../../src/hosting/kept-account.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { openSeal } from '../../src/hosting/own-seal.ts'
import { renewalIdOf } from '../../src/hosting/renewal-info.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { openLog } from '../../src/tools/log.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

type Asked = { path: string; payload: Record<string, unknown> | null }
type Reply = { status: number; headers?: Record<string, string>; body?: unknown }

const hour = 3_600_000
const refused = (type: string): Reply => ({
  status: 400,
  body: { type: `urn:ietf:params:acme:error:${type}` },
})

/** An authority that takes every order, and has the answers put into its mouth that the test wishes. */
describe.skipIf(!canRace())('to the authority', () => {
  const own = prepareOwnDatabase()
  let server: Server
  let url: string
  let clock: MovableClock
  let authority: CertificateAuthority
  let asked: Asked[]
  let instead: (asked: Asked) => Reply | null | Promise<Reply | null>

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const one = { path: request.url ?? '', payload: payloadOf(Buffer.concat(chunks).toString()) }
      asked.push(one)
      const { status, headers, body } = (await instead(one)) ?? usual(one.path)
      response.writeHead(status, { 'content-type': 'application/json', 'replay-nonce': 'nonce', ...headers })
      response.end(JSON.stringify(body ?? {}))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    clock = movableClock()
    const settings = { directoryUrl: `${url}/dir`, email: null, trustedRoots: null }
    const seal = openSeal(own.db, givenKeys([Buffer.alloc(32, 7)]), openLog('silent'))
    authority = openAcme({ ...settings, db: own.db, seal, clock })
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  beforeEach(async () => {
    ;[asked, instead] = [[], () => null]
    await own.db.acmePause.deleteMany()
  })

  const usual = (path: string): Reply => {
    const meta = { caaIdentities: ['CA.test'] }
    const at = { newNonce: `${url}/nonce`, newAccount: `${url}/account`, newOrder: `${url}/order` }
    if (path === '/dir') return { status: 200, body: { ...at, renewalInfo: `${url}/renewal`, meta } }
    if (path === '/account')
      return { status: 201, headers: { location: `${url}/account/1` }, body: { status: 'valid' } }
    if (path === '/order')
      return { status: 201, headers: { location: `${url}/order/1` }, body: { status: 'pending' } }
    return { status: 200 }
  }
  const count = (path: string) => asked.filter(one => one.path === path).length
  const account = () => own.db.acmeAccount.findFirst({ where: { directoryUrl: `${url}/dir` } })

  it('the key of an account is one for all who want it at once', async () => {
    const seal = openSeal(own.db, givenKeys([Buffer.alloc(32, 7)]), openLog('silent'))
    let made = 0

    const accounts = await Promise.all(
      Array.from({ length: 8 }, () => keepAccount(own.db, seal, 'at-once', async () => `key ${++made}`)),
    )

    expect(made).toBeGreaterThan(1)
    expect(new Set(accounts.map(({ key }) => key)).size).toBe(1)
  })

  it('an account is opened again after that failed, once for all who want it', async () => {
    instead = ({ path }) => (path === '/account' ? { status: 500 } : null)
    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({
      code: 'ca_unreachable',
    })
    expect(await account()).toMatchObject({ url: null })

    ;[asked, instead] = [[], () => null]
    const orders = await Promise.all(
      ['a', 'b', 'c'].map(letter => authority.startOrder(`${letter}.shop.test`, null)),
    )

    expect(orders).toEqual(Array(3).fill(`${url}/order/1`))
    expect([count('/account'), count('/order')]).toEqual([1, 3])
    expect(await account()).toMatchObject({ url: `${url}/account/1` })
    expect(await authority.issuer()).toEqual({ identities: ['ca.test'], accountUrl: `${url}/account/1` })
  })

  it('an account that it knows no more is opened anew with the next order', async () => {
    await authority.startOrder('www.shop.test', null)
    instead = ({ path }) => (path === '/order' ? refused('accountDoesNotExist') : null)
    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({ code: 'ca_refused' })
    expect(await account()).toMatchObject({ url: null })

    ;[asked, instead] = [[], () => null]
    await authority.startOrder('www.shop.test', null)

    expect(count('/account')).toBe(1)
    expect(await account()).toMatchObject({ url: `${url}/account/1` })
  })

  it.each([404, 403])('an order that it knows no more is gone: %i', async status => {
    instead = ({ path }) => (path === '/order/1' ? { status } : null)
    const [, csr] = await acme.crypto.createCsr({ altNames: ['www.shop.test'] })
    const advance = () => authority.advance('www.shop.test', `${url}/order/1`, csr, async () => {})

    expect(await advance()).toEqual({ outcome: 'gone' })
    instead = ({ path }) => (path === '/order/1' ? { status: 401 } : null)
    await expect(advance()).rejects.toMatchObject({ code: 'ca_refused' })
  })

  it('a renewal names the certificate that it replaces, and does not where that counts as replaced already', async () => {
    const [, csr] = await acme.crypto.createCsr({ altNames: ['www.shop.test'] })
    const chain = await signLeaf(await makeRoot(clock), 'www.shop.test', csr, clock)
    const wishes = () => asked.filter(({ path }) => path === '/order').map(({ payload }) => payload)
    const identifiers = [{ type: 'dns', value: 'www.shop.test' }]
    const replaces = renewalIdOf(chain)

    await authority.startOrder('www.shop.test', null)
    await authority.startOrder('www.shop.test', chain)
    expect(replaces).toMatch(/^[\w-]+\.[\w-]+$/)
    expect(wishes()).toEqual([{ identifiers }, { identifiers, replaces }])

    asked = []
    instead = ({ payload }) => (payload?.replaces ? refused('alreadyReplaced') : null)
    await authority.startOrder('www.shop.test', chain)
    expect(wishes()).toEqual([{ identifiers, replaces }, { identifiers }])
  })

  it('nothing goes any more of what is under way, once it asks for patience in between', async () => {
    await authority.startOrder('www.shop.test', null)
    const until = new Date(clock.now() + hour)
    const pause = { name: '', wholeDomain: true, until, reason: 'Slow down.', isExplained: true }
    asked = []
    // While the order of one name is answered, all are told to wait.
    instead = async ({ path }) => {
      if (path !== '/order/1') return null
      await own.db.acmePause.create({ data: { directoryUrl: `${url}/dir`, ...pause } })
      return { status: 200, body: { status: 'pending', identifiers: [], authorizations: [`${url}/authz`] } }
    }

    const advancing = authority.advance('www.shop.test', `${url}/order/1`, Buffer.from(''), async () => {})

    await expect(advancing).rejects.toMatchObject({ code: 'ca_rate_limited', retryAt: until })
    expect(asked.map(({ path }) => path)).not.toContain('/authz')
  })
})

function payloadOf(text: string): Asked['payload'] {
  if (!text.includes('"payload"')) return null
  const { payload } = JSON.parse(text) as { payload: string }
  return JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
}
