import acme from 'acme-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'
import {
  openAuthority,
  type Reply,
  refused,
  type SaidAuthority,
  startSaidAuthority,
} from '../support/said-authority.ts'

const name = 'www.shop.test'

describe.skipIf(!canRace())('the steps of an order', () => {
  const own = prepareOwnDatabase()
  let said: SaidAuthority
  let clock: MovableClock
  let authority: CertificateAuthority
  let csr: Buffer
  /** The requests to the authority and the published responses, in order. */
  let events: string[]

  beforeAll(async () => {
    said = await startSaidAuthority()
    clock = movableClock()
    authority = openAuthority(said, { db: own.db, clock })
    ;[, csr] = await acme.crypto.createCsr({ altNames: [name] })
    await authority.startOrder(name, null)
  })
  afterAll(() => said?.stop())
  beforeEach(() => {
    events = []
  })

  const order = (status: string, more: object = {}) => ({
    ...{ status, identifiers: [], authorizations: [`${said.url}/authz`] },
    ...{ finalize: `${said.url}/finalize`, certificate: `${said.url}/certificate`, ...more },
  })
  const challenge = (status: string, more: object = {}) => ({
    ...{ type: 'http-01', status, token: 'a-token', url: `${said.url}/challenge`, ...more },
  })
  const authorization = (status: string, ...challenges: object[]) => ({ status, challenges })

  function step(replies: Record<string, unknown>, headers: Record<string, string> = {}) {
    said.instead(({ path, payload }) => {
      if (path in replies || path === '/challenge') events.push(path)
      if (path === '/finalize') expect(payload).toHaveProperty('csr')
      const reply: Reply = { status: 200, headers, body: replies[path] }
      return path in replies ? reply : null
    })
    return authority.advance(name, `${said.url}/order/1`, csr, async (token, answer, ask) => {
      // Publish the response to the challenge slowly. If the service did not wait for the end of this publication,
      // `/challenge` would be logged before `published`, and the test would fail.
      for (let n = 0; n < 10; n++) await fetch(`${said.url}/elsewhere`)
      events.push(`published ${token} ${answer.split('.')[0]}`)
      await ask()
      return true
    })
  }
  const proof = (authz: object, status = 'pending', more: object = {}) =>
    step({ '/order/1': order(status, more), '/authz': authz })

  it('the response to a challenge is published before the authority is asked to check it', async () => {
    const other = { type: 'dns-01', status: 'pending', token: 'no', url: `${said.url}/other` }

    const outcome = await proof(authorization('pending', other, challenge('pending')))

    expect(outcome).toEqual({ outcome: 'pending', waitMs: 0, moved: true })
    expect(events).toEqual(['/order/1', '/authz', 'published a-token a-token', '/challenge'])
  })

  it.each([
    ['the authority is already checking', () => authorization('pending', challenge('processing'))],
    ['the name is already proven', () => authorization('valid', challenge('valid'))],
    ['the name was proven by another challenge', () => authorization('valid', challenge('pending'))],
  ])('a step publishes nothing and asks for no check if %s', async (_, authz) => {
    expect(await proof(authz())).toEqual({ outcome: 'pending', waitMs: 0, moved: false })
    expect(events).toEqual(['/order/1', '/authz'])
  })

  it.each(['invalid', 'valid'])(
    'a refused request for a check is no refusal by the authority if the check has just ended: %s',
    async ended => {
      let isAsked = false
      said.instead(({ path }) => {
        if (path === '/challenge') isAsked = true
        if (path === '/challenge') return refused('malformed')
        const now = isAsked ? ended : 'pending'
        if (path === '/authz') return { status: 200, body: authorization(now, challenge(now)) }
        return path === '/order/1' ? { status: 200, body: order('pending') } : null
      })
      const advance = () =>
        authority.advance(name, `${said.url}/order/1`, csr, async (_token, _answer, ask) => {
          await ask()
          return true
        })

      expect(await advance()).toMatchObject({ outcome: 'pending', moved: true })
      expect(await advance()).toMatchObject({ outcome: ended === 'valid' ? 'pending' : 'invalid' })
    },
  )

  it('a refused request for a check is a refusal by the authority if the name is still to be checked', async () => {
    said.instead(({ path }) => {
      if (path === '/challenge') return refused('malformed')
      if (path === '/authz') return { status: 200, body: authorization('pending', challenge('pending')) }
      return path === '/order/1' ? { status: 200, body: order('pending') } : null
    })
    const advance = authority.advance(name, `${said.url}/order/1`, csr, async (_token, _answer, ask) => {
      await ask()
      return true
    })

    await expect(advance).rejects.toMatchObject({ code: 'ca_refused' })
  })

  const failed = { error: { detail: 'Found\nnothing.' } }
  it.each<[string, () => object, string, object, string]>([
    [
      'what the authority found',
      () => authorization('invalid', challenge('invalid', failed)),
      ...(['pending', {}, 'Found nothing.'] as const),
    ],
    [
      'what the authority found, if the order failed too',
      () => authorization('invalid', challenge('invalid', failed)),
      ...(['invalid', { error: { detail: 'It failed.' } }, 'Found nothing.'] as const),
    ],
    [
      'that the authorization was withdrawn',
      () => authorization('deactivated', challenge('pending')),
      ...(['pending', {}, 'the authorization is deactivated'] as const),
    ],
    [
      'that there is no way to prove the name',
      () => authorization('pending', { type: 'dns-01' }),
      ...(['pending', {}, expect.stringContaining('offers no http-01 challenge.')] as const),
    ],
    [
      'why the order failed',
      () => authorization('valid', challenge('valid')),
      ...(['invalid', { error: { detail: 'CAA\nforbids.' } }, 'CAA forbids.'] as const),
    ],
    [
      'that it failed, if the authority gives no reason',
      () => authorization('valid', challenge('valid')),
      ...(['invalid', {}, 'the order is invalid'] as const),
    ],
  ])('an invalid order reports %s', async (_, authz, status, more, message) => {
    expect(await proof(authz(), status, more)).toEqual({ outcome: 'invalid', message })
    expect(events).toEqual(['/order/1', '/authz'])
  })

  it('the CSR is sent once the order is ready, and the chain is read once the order is valid', async () => {
    expect(await step({ '/order/1': order('ready'), '/finalize': order('processing') })).toMatchObject({
      outcome: 'pending',
    })
    expect(await step({ '/order/1': order('processing') })).toMatchObject({ outcome: 'pending' })
    expect(await step({ '/order/1': order('valid'), '/certificate': 'a chain' })).toEqual({
      outcome: 'issued',
      chain: 'a chain',
    })
    expect(events).toEqual(['/order/1', '/finalize', '/order/1', '/order/1', '/certificate'])
  })

  it.each<[string, Record<string, string>, number, number]>([
    ['names no time', {}, 0, 0],
    ['names seconds', { 'retry-after': '90' }, 80_000, 100_000],
    ['names a time in the past', { 'retry-after': 'Mon, 01 Jan 2024 00:00:00 GMT' }, 0, 0],
  ])('the next step waits as long as the authority asks for when it %s', async (_, headers, least, most) => {
    const { waitMs = -1 } = (await step({ '/order/1': order('processing') }, headers)) as { waitMs?: number }

    expect(waitMs).toBeGreaterThanOrEqual(least)
    expect(waitMs).toBeLessThanOrEqual(most)
  })

  it.each([404, 403])('an order that the authority answers with %i is treated as gone', async status => {
    said.instead(({ path }) => (path === '/order/1' ? { status } : null))
    const advance = () => authority.advance(name, `${said.url}/order/1`, csr, async () => false)

    expect(await advance()).toEqual({ outcome: 'gone' })
    said.instead(({ path }) => (path === '/order/1' ? { status: 401 } : null))
    await expect(advance()).rejects.toMatchObject({ code: 'ca_refused' })
  })
})
