import { randomUUID } from 'node:crypto'
import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findOrCreateAccountKey } from '../../src/hosting/account-key.ts'
import type { CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { renewalIdOf } from '../../src/hosting/renewal-info.ts'
import { openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { openLog } from '../../src/tools/log.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'
import { openAuthority, refused, type SaidAuthority, startSaidAuthority } from '../support/said-authority.ts'

const hour = 3_600_000

describe.skipIf(!canRace())('requests to the authority', () => {
  const own = prepareOwnDatabase()
  let said: SaidAuthority
  let clock: MovableClock
  let authority: CertificateAuthority

  beforeAll(async () => {
    said = await startSaidAuthority()
    clock = movableClock()
    authority = openAuthority(said, { db: own.db, clock })
  })
  afterAll(() => said?.stop())
  beforeEach(async () => {
    said.instead(() => null)
    said.requests = []
    await own.db.acmePause.deleteMany()
  })

  const account = () => own.db.acmeAccount.findFirst({ where: { directoryUrl: said.directoryUrl } })
  const wishes = () => said.requests.filter(({ path }) => path === '/order').map(({ payload }) => payload)
  const issue = async (name: string) => {
    const [, csr] = await acme.crypto.createCsr({ altNames: [name] })
    return signLeaf(await makeRoot(clock), name, csr, clock)
  }

  it('processes that create the account concurrently get the same account key', async () => {
    const seal = openSeal(
      own.db,
      givenKeys(() => [Buffer.alloc(32, 7)]),
      openLog('silent'),
    )
    const directoryUrl = randomUUID()
    let made = 0

    const accounts = await Promise.all(
      Array.from({ length: 8 }, () =>
        findOrCreateAccountKey(own.db, seal, directoryUrl, async () => `key ${++made}`),
      ),
    )

    expect(made).toBeGreaterThan(1)
    expect(new Set(accounts.map(({ key }) => key)).size).toBe(1)
  })

  it('if the creation of the account fails, the next orders create the account again, and only once if they are concurrent', async () => {
    said.instead(({ path }) => (path === '/account' ? { status: 500 } : null))
    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({
      code: 'ca_unreachable',
    })
    expect(await account()).toMatchObject({ url: null })

    said.instead(() => null)
    said.requests = []
    const orders = await Promise.all(
      ['a', 'b', 'c'].map(letter => authority.startOrder(`${letter}.shop.test`, null)),
    )

    expect(orders).toEqual(Array(3).fill(`${said.url}/order/1`))
    expect([said.count('/account'), said.count('/order')]).toEqual([1, 3])
    expect(await account()).toMatchObject({ url: `${said.url}/account/1` })
    expect(await authority.issuer('www.shop.test')).toEqual({
      identities: ['ca.test'],
      accountUrl: `${said.url}/account/1`,
    })
  })

  it('an account that the authority no longer knows is opened again with the next order', async () => {
    await authority.startOrder('www.shop.test', null)
    said.instead(({ path }) => (path === '/order' ? refused('accountDoesNotExist') : null))
    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({ code: 'ca_refused' })
    expect(await account()).toMatchObject({ url: null })

    said.instead(() => null)
    said.requests = []
    await authority.startOrder('www.shop.test', null)

    expect(said.count('/account')).toBe(1)
    expect(await account()).toMatchObject({ url: `${said.url}/account/1` })
  })

  it('an order that the authority rejects is sent once, and the account stays', async () => {
    const chain = await issue('www.shop.test')
    await authority.startOrder('www.shop.test', null)
    said.requests = []
    said.instead(({ path }) => (path === '/order' ? refused('rejectedIdentifier') : null))

    await expect(authority.startOrder('www.shop.test', chain)).rejects.toMatchObject({
      ...{ code: 'ca_refused', type: 'rejectedIdentifier', status: 400 },
    })

    expect(said.count('/order')).toBe(1)
    expect(await account()).toMatchObject({ url: `${said.url}/account/1` })
    said.instead(() => null)
    await authority.startOrder('www.shop.test', null)
    expect(said.count('/account')).toBe(0)
  })

  it('the directory of the authority is read once an hour', async () => {
    await authority.startOrder('www.shop.test', null)
    clock.advance(hour)
    await authority.startOrder('www.shop.test', null)
    said.requests = []

    clock.advance(hour - 60_000)
    await authority.startOrder('www.shop.test', null)
    expect(said.count('/dir')).toBe(0)
    clock.advance(60_000)
    await authority.startOrder('www.shop.test', null)
    expect(said.count('/dir')).toBe(1)
  })

  it('a renewal names the certificate that it replaces', async () => {
    const chain = await issue('www.shop.test')
    const identifiers = [{ type: 'dns', value: 'www.shop.test' }]
    const replaces = renewalIdOf(chain)

    await authority.startOrder('www.shop.test', null)
    await authority.startOrder('www.shop.test', chain)
    expect(replaces).toMatch(/^[\w-]+\.[\w-]+$/)
    expect(wishes()).toEqual([{ identifiers }, { identifiers, replaces }])
  })

  it.each([
    ['is already replaced', refused('alreadyReplaced', 409)],
    ['is of another authority', refused('malformed', 404)],
    ['is of another account', refused('unauthorized', 403)],
  ])(
    'a renewal is ordered without naming the previous certificate if that certificate %s',
    async (_, refusal) => {
      const chain = await issue('www.shop.test')
      said.instead(({ payload }) => (payload?.replaces ? refusal : null))

      expect(await authority.startOrder('www.shop.test', chain)).toBe(`${said.url}/order/1`)

      const identifiers = [{ type: 'dns', value: 'www.shop.test' }]
      expect(wishes()).toEqual([{ identifiers, replaces: renewalIdOf(chain) }, { identifiers }])
      said.requests = []
      said.instead(({ path }) => (path === '/order' ? refusal : null))
      await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({ code: 'ca_refused' })
      expect(wishes()).toEqual([{ identifiers }])
    },
  )

  it('the reply of the authority decides when a certificate is renewed and when the authority is asked about the renewal again', async () => {
    const chain = await issue('www.shop.test')
    const window = { start: '2030-01-01T00:00:00Z', end: '2030-01-03T00:00:00Z' }
    const reply = { status: 200, headers: { 'retry-after': '7200' }, body: { suggestedWindow: window } }
    said.instead(({ path }) => (path === `/renewal/${renewalIdOf(chain)}` ? reply : null))

    const advice = await authority.adviseRenewal('www.shop.test', chain)

    expect(Number(advice?.renewAt)).toBeGreaterThanOrEqual(Date.parse(window.start))
    expect(Number(advice?.renewAt)).toBeLessThanOrEqual(Date.parse(window.end))
    const wait = Number(advice?.askAgainAt) - clock.now()
    expect(wait).toBeGreaterThan(hour)
    expect(wait).toBeLessThanOrEqual(2 * hour)

    // Without the identifier of its authority's key, a certificate has no identifier for renewal.
    const nameless = (await makeRoot(clock)).split(/(?=-----BEGIN CERTIFICATE)/)[1] ?? ''
    said.requests = []
    expect(await authority.adviseRenewal('www.shop.test', nameless)).toBeNull()
    await authority.startOrder('www.shop.test', nameless)
    expect(wishes()).toEqual([{ identifiers: [{ type: 'dns', value: 'www.shop.test' }] }])
    expect(said.requests.filter(({ path }) => path.includes('renewal'))).toEqual([])
  })

  it('an authority without renewal information is not asked about renewals, and its orders name no previous certificate', async () => {
    const chain = await issue('www.shop.test')
    const at = {
      newNonce: `${said.url}/nonce`,
      newAccount: `${said.url}/account`,
      newOrder: `${said.url}/order`,
    }
    said.instead(({ path }) => (path === '/dir' ? { status: 200, body: at } : null))
    clock.advance(hour)

    expect(await authority.adviseRenewal('www.shop.test', chain)).toBeNull()
    await authority.startOrder('www.shop.test', chain)

    expect(wishes()).toEqual([{ identifiers: [{ type: 'dns', value: 'www.shop.test' }] }])
    expect(said.requests.filter(({ path }) => path.includes('renewal'))).toEqual([])
    // This authority's directory also lacks the names for CAA records.
    expect((await authority.issuer('www.shop.test')).identities).toEqual([])
    clock.advance(hour)
  })
})
