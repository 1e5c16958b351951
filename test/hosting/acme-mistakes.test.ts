import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'
import {
  openAuthority,
  type Reply,
  type SaidAuthority,
  startSaidAuthority,
} from '../support/said-authority.ts'

const name = 'www.shop.test'

describe.skipIf(!canRace())('answers of an authority that make it impossible to continue an order', () => {
  const own = prepareOwnDatabase()
  let said: SaidAuthority
  let csr: Buffer

  beforeAll(async () => {
    said = await startSaidAuthority()
    ;[, csr] = await acme.crypto.createCsr({ altNames: [name] })
  })
  afterAll(() => said?.stop())
  beforeEach(async () => {
    await own.db.acmeAccount.deleteMany()
  })

  /**
   * Returns the error that an order causes in a process that has just started, if the authority gives these answers.
   */
  async function mistake(replies: Record<string, Reply>): Promise<unknown> {
    said.instead(({ path }) => replies[path] ?? null)
    const authority = openAuthority(said, { db: own.db, clock: movableClock() })
    const following = async () => {
      const url = await authority.startOrder(name, null)
      await authority.advance(name, url, csr, async () => false)
    }
    return following().catch(error => error)
  }
  const made = (what: string) => ({
    code: 'ca_refused',
    message: `The certificate authority ${new URL(said.url).host} made a mistake: ${what}`,
  })
  const ok = (body: unknown): Reply => ({ status: 200, body })
  const valid = () =>
    ok({ status: 'valid', identifiers: [], authorizations: [], certificate: `${said.url}/certificate` })

  it.each<[string, Reply, string]>([
    ['an empty object', ok('{}'), '{}'],
    ['an HTML page', ok('<html>Please log in.</html>'), '<html>Please log in.</html>'],
    ['an empty body', ok(''), 'nothing'],
    ['an error', ok({ detail: 'Closed for maintenance.' }), 'Closed for maintenance.'],
    ['single letters', ok({ newNonce: 'a', newAccount: 'b', newOrder: 'c' }), '{"newNonce":"a",'],
  ])('a directory with %s instead of addresses is quoted', async (_, reply, words) => {
    const error = await mistake({ '/dir': reply })

    expect(error).toMatchObject({ code: 'ca_refused' })
    const { message } = made(`its directory has no addresses: ${words}`)
    expect((error as Error).message.slice(0, message.length)).toBe(message)
  })

  it('if an authority’s directory holds no addresses for an order under way, the error message quotes the text of the directory', async () => {
    await mistake({ '/order/1': ok({ status: 'processing' }) })
    const authority = openAuthority(said, { db: own.db, clock: movableClock() })
    said.instead(({ path }) => (path === '/dir' ? ok({ detail: 'Moved.' }) : null))

    const advancing = authority.advance(name, `${said.url}/order/1`, csr, async () => false)

    await expect(advancing).rejects.toMatchObject(made('its directory has no addresses: Moved.'))
  })

  it.each<[string, unknown, string]>([
    ['an error', { type: 'about:blank', detail: 'The signer\nis away.' }, 'The signer is away.'],
    ['other JSON', { status: 'done' }, '{"status":"done"}'],
    ['an empty object', {}, '{}'],
    ['a list', ['no'], '{"0":"no"}'],
  ])('%s instead of a certificate is quoted', async (_, body, words) => {
    const error = await mistake({ '/order/1': valid(), '/certificate': ok(body) })

    expect(error).toMatchObject(made(`it answered with no certificate: ${words}`))
  })

  it.each<[string, () => Record<string, Reply>, string]>([
    [
      'an order in an unknown state',
      () => ({ '/order/1': ok({ status: 'odd' }) }),
      'it answered with no order: {"status":"odd"}',
    ],
    ['an order that is not an object', () => ({ '/order/1': ok('Closed.') }), 'its answer cannot be used: '],
    [
      'a new order without an address',
      () => ({ '/order': ok({ status: 'pending' }) }),
      'its answer cannot be used: ',
    ],
    [
      'a valid order without a certificate',
      () => ({ '/order/1': ok({ status: 'valid' }) }),
      'its answer cannot be used: ',
    ],
    [
      'no nonce',
      () => ({ '/nonce': { status: 200, headers: { 'replay-nonce': '' } } }),
      'its answer cannot be used: ',
    ],
  ])('%s is reported as a mistake of the authority', async (_, replies, what) => {
    const error = await mistake(replies())

    expect(error).toMatchObject({ code: 'ca_refused' })
    const { message } = made(what)
    expect((error as Error).message.slice(0, message.length)).toBe(message)
  })
})
