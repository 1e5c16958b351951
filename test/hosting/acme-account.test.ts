import { createHmac, randomBytes } from 'node:crypto'
import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'
import { openAuthority, refused, type SaidAuthority, startSaidAuthority } from '../support/said-authority.ts'

const name = 'www.shop.test'

describe.skipIf(!canRace())('the ACME account', () => {
  const own = prepareOwnDatabase()
  const clock = movableClock()
  let one: SaidAuthority
  let other: SaidAuthority
  const open = (said: SaidAuthority, settings: Parameters<typeof openAuthority>[2] = {}) =>
    openAuthority(said, { db: own.db, clock }, settings)

  beforeAll(async () => {
    ;[one, other] = [await startSaidAuthority(), await startSaidAuthority()]
  })
  afterAll(() => {
    one?.stop()
    other?.stop()
  })
  beforeEach(async () => {
    for (const said of [one, other]) {
      said.requests = []
      said.instead(() => null)
    }
    await own.db.acmeAccount.deleteMany()
  })

  const urls = async () => {
    const rows = await own.db.acmeAccount.findMany()
    const urlOf = ({ directoryUrl }: SaidAuthority) =>
      rows.find(row => row.directoryUrl === directoryUrl)?.url ?? null
    return [urlOf(one), urlOf(other)]
  }
  const opened = ({ requests }: SaidAuthority) =>
    requests.filter(({ path }) => path === '/account').map(({ payload }) => payload)

  it('the account is opened with the email address of the operator, if there is one, and reused by the next process, which sends its address once', async () => {
    await open(one, { email: 'ops@shop.test' }).startOrder(name, null)
    await open(other).startOrder(name, null)

    expect(opened(one)).toEqual([{ termsOfServiceAgreed: true, contact: ['mailto:ops@shop.test'] }])
    expect(opened(other)).toEqual([{ termsOfServiceAgreed: true }])

    one.requests = []
    one.instead(({ path }) => (path === '/account/1' ? refused('invalidContact') : null))
    const next = open(one, { email: 'new@shop.test' })
    for (let n = 0; n < 2; n++) await next.startOrder(name, null)

    expect(one.requests.filter(({ path }) => path.startsWith('/account'))).toMatchObject([
      { path: '/account/1', payload: { contact: ['mailto:new@shop.test'] } },
    ])
    expect(one.requests.at(-1)).toMatchObject({ path: '/order', kid: `${one.url}/account/1` })
  })

  it('if the operator has an external account at the certificate authority, a new ACME account carries a signed binding to the external account', async () => {
    const key = randomBytes(32)
    const externalAccount = { keyId: 'key-1', hmacKey: key.toString('base64url') }

    await open(one, { externalAccount }).startOrder(name, null)
    await open(other).startOrder(name, null)

    const [bound] = opened(one) as { externalAccountBinding: Record<string, string> }[]
    const { protected: header = '', payload = '', signature } = bound?.externalAccountBinding ?? {}
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      ...{ alg: 'HS256', kid: 'key-1', url: `${one.url}/account` },
    })
    expect(createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url')).toBe(signature)
    expect(opened(other)).toEqual([{ termsOfServiceAgreed: true }])
  })

  it('a changed key of the external account is used for the next account without a restart', async () => {
    const settings = { externalAccount: { keyId: 'old', hmacKey: 'b2xk' } }
    const authority = open(one, settings)
    one.instead(({ path }) => (path === '/account' ? refused('unauthorized', 401) : null))
    await expect(authority.startOrder(name, null)).rejects.toMatchObject({ code: 'ca_refused' })

    settings.externalAccount = { keyId: 'new', hmacKey: 'bmV3' }
    one.instead(() => null)
    await authority.startOrder(name, null)

    const keyIds = (opened(one) as { externalAccountBinding: { protected: string } }[]).map(
      ({ externalAccountBinding }) =>
        JSON.parse(Buffer.from(externalAccountBinding.protected, 'base64url').toString()).kid,
    )
    expect(keyIds).toEqual(['old', 'new'])
  })

  it('the names for CAA records come from the directory of the authority, or else from the configuration', async () => {
    const caaIdentities = ['ours.test']
    const { url } = other
    const addresses = { newNonce: `${url}/nonce`, newAccount: `${url}/account`, newOrder: `${url}/order` }
    const body = { ...addresses, meta: { caaIdentities: [] } }
    other.instead(({ path }) => (path === '/dir' ? { status: 200, body } : null))

    expect(await open(one, { caaIdentities }).issuer(name)).toMatchObject({ identities: ['ca.test'] })
    expect(await open(other, { caaIdentities }).issuer(name)).toMatchObject({ identities: ['ours.test'] })
    expect(await open(other).issuer(name)).toMatchObject({ identities: [] })
  })

  it('each authority has its own account, opened and forgotten independently', async () => {
    const [atOne, atOther] = [open(one), open(other)]
    other.instead(({ path }) => (path === '/account' ? { status: 500 } : null))
    await expect(atOther.startOrder(name, null)).rejects.toMatchObject({ code: 'ca_unreachable' })

    await atOne.startOrder(name, null)
    expect(await urls()).toEqual([`${one.url}/account/1`, null])

    other.instead(() => null)
    await atOther.startOrder(name, null)
    one.instead(({ path }) => (path === '/order' ? refused('accountDoesNotExist') : null))
    await expect(atOne.startOrder(name, null)).rejects.toMatchObject({ code: 'ca_refused' })
    expect(await urls()).toEqual([null, `${other.url}/account/1`])
  })

  it('opening an authority fails if the library acme-client has no maxBadNonceRetries', () => {
    const { Client } = acme
    onTestFinished(() => void Object.assign(acme, { Client }))
    Object.assign(acme, { Client: class {} })

    expect(() => open(one)).toThrow('This acme-client has no http.maxBadNonceRetries')
  })

  it('an order is sent again after up to twenty rejected nonces in a row', async () => {
    const authority = open(one)
    await authority.startOrder(name, null)
    one.requests = []
    one.instead(({ path }) => (path === '/order' && one.count(path) <= 20 ? refused('badNonce') : null))

    expect(await authority.startOrder(name, null)).toBe(`${one.url}/order/1`)
    expect(one.count('/order')).toBe(21)

    one.requests = []
    one.instead(({ path }) => (path === '/order' ? refused('badNonce') : null))
    await expect(authority.startOrder(name, null)).rejects.toThrow()
    expect(one.count('/order')).toBe(21)
  })
})
