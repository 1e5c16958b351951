import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'
import { openAuthority, type SaidAuthority, startSaidAuthority } from '../support/said-authority.ts'

const hour = 3_600_000

describe.skipIf(!canRace())('pauses that a certificate authority asks for', () => {
  const own = prepareOwnDatabase()
  let said: SaidAuthority
  let clock: MovableClock
  let authority: CertificateAuthority

  beforeAll(async () => {
    said = await startSaidAuthority()
    clock = movableClock()
  })
  afterAll(() => said?.stop())
  beforeEach(async () => {
    said.instead(() => null)
    said.requests = []
    await own.db.acmePause.deleteMany()
    await own.db.acmeAccount.deleteMany()
    authority = openAuthority(said, { db: own.db, clock })
  })

  const pause = async (name: string) => {
    const until = new Date(clock.now() + hour)
    const more = { wholeDomain: false, until, reason: 'Slow down.', isExplained: true }
    await own.db.acmePause.create({ data: { directoryUrl: said.directoryUrl, name, ...more } })
    return until
  }
  const paths = () => said.requests.map(({ path }) => path)

  it('an order under way sends no further request after the certificate authority asks for a pause', async () => {
    let until = new Date(0)
    await authority.startOrder('www.shop.test', null)
    said.requests = []
    // While the order of one name is read, a pause of the whole account begins.
    said.instead(async ({ path }) => {
      if (path !== '/order/1') return null
      until = await pause('')
      const authorizations = [`${said.url}/authz`]
      return { status: 200, body: { status: 'pending', identifiers: [], authorizations } }
    })

    const url = `${said.url}/order/1`
    const advancing = authority.advance('www.shop.test', url, Buffer.from(''), async () => false)

    await expect(advancing).rejects.toMatchObject({ code: 'ca_rate_limited' })
    await expect(advancing).rejects.toHaveProperty('retryAt', until)
    expect(paths()).not.toContain('/authz')
  })

  it('while one name is paused, the authority gets no request for this name, not even for a new account, and other names continue', async () => {
    const retryAt = await pause('www.shop.test')
    const [, csr] = await acme.crypto.createCsr({ altNames: ['www.shop.test'] })
    const chain = await signLeaf(await makeRoot(clock), 'www.shop.test', csr, clock)
    const waits = { code: 'ca_rate_limited', message: 'Slow down.', retryAt }

    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject(waits)
    await expect(authority.adviseRenewal('www.shop.test', chain)).rejects.toMatchObject(waits)
    expect(paths()).toEqual([])

    expect(await authority.startOrder('www.zoo.test', null)).toBe(`${said.url}/order/1`)
  })

  it('a pause that the authority asks for covers the name of the order and ends at the given time', async () => {
    const detail = 'Too many orders for www.shop.test.'
    const body = { type: 'urn:ietf:params:acme:error:rateLimited', detail }
    const patience = { status: 429, headers: { 'retry-after': '600' }, body }
    said.instead(({ payload }) => (JSON.stringify(payload)?.includes('www.shop.test') ? patience : null))

    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({
      code: 'ca_rate_limited',
    })

    const [stored, ...more] = await own.db.acmePause.findMany()
    expect(more).toEqual([])
    expect(stored).toMatchObject({ name: 'www.shop.test', reason: expect.stringContaining(detail) })
    expect(Number(stored?.until) - clock.now()).toBeGreaterThan(500_000)
    expect(Number(stored?.until) - clock.now()).toBeLessThanOrEqual(600_000)
    await authority.startOrder('www.zoo.test', null)
    clock.advance(600_000)
    said.instead(() => null)
    await authority.startOrder('www.shop.test', null)
  })

  it('a request that is refused during a pause of the account adds no second pause', async () => {
    await pause('')

    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({
      code: 'ca_rate_limited',
      message: `The certificate authority ${new URL(said.url).host} asked to wait.`,
    })

    expect(said.requests).toEqual([])
    expect(await own.db.acmePause.findMany()).toMatchObject([{ name: '' }])
  })

  it('a server error of the authority for one name does not pause other names, even with a Retry-After', async () => {
    const trouble = { status: 500, headers: { 'retry-after': '600' } }
    said.instead(({ payload }) => (JSON.stringify(payload)?.includes('www.shop.test') ? trouble : null))

    await expect(authority.startOrder('www.shop.test', null)).rejects.toMatchObject({
      code: 'ca_unreachable',
      retryAt: expect.any(Date),
    })

    expect(await own.db.acmePause.count()).toBe(0)
    await authority.startOrder('www.zoo.test', null)
  })
})

it('an unreachable authority is reported as unreachable, and a request times out after 15 seconds', async () => {
  const gone = await startSaidAuthority()
  gone.stop()
  const db = { acmePause: { findMany: async () => [] } } as never
  const authority = openAuthority(gone, { db, clock: movableClock() })

  await expect(authority.issuer('www.shop.test')).rejects.toMatchObject({
    code: 'ca_unreachable',
    message: `The certificate authority ${new URL(gone.url).host} cannot be reached.`,
    retryAt: null,
  })
  expect(acme.axios.defaults.timeout).toBe(15_000)
})
