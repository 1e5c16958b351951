import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent } from 'node:https'
import acme from 'acme-client'
import { findPause, notePause } from '../core/certificates/authority-pauses.ts'
import type { Db } from '../core/db.ts'
import type { Clock } from '../tools/clock.ts'
import { type AcmeSettings, forgetAccountUrl, openAccount, requireNonceRetries } from './acme-account.ts'
import { AcmeRefusal, cleaned, readRetryAfter, refusalIn } from './acme-errors.ts'
import {
  AuthorityRefusal,
  type CertificateAuthority,
  KeptPause,
  type OrderStep,
  type PublishChallenge,
} from './certificate-authority.ts'
import { readRenewalInfo, renewalIdOf } from './renewal-info.ts'
import { isRevoked } from './revocation.ts'
import type { ClaimedSeal } from './seal-claim.ts'

type Options = AcmeSettings & { trustedRoots: string | null; db: Db; seal: ClaimedSeal; clock: Clock }
type Directory = { renewalInfo?: string; meta?: { caaIdentities?: string[] } }

/** Errors for a `replaces` that is already replaced, or belongs to another authority or account. */
const noPredecessor = ['alreadyReplaced', 'malformed', 'unauthorized']
const requestTimeoutMs = 15_000
const directoryMs = 3_600_000
/** By default the library reports a rejection as an unreachable authority, without its Retry-After. */
const anyStatus = { validateStatus: null }

/** Opens a certificate authority that speaks ACME (RFC 8555). */
export function openAcme(options: Options): CertificateAuthority {
  const { db, seal, clock, directoryUrl } = options
  requireNonceRetries(directoryUrl)
  // The library must not retry: the durable job does, within the pauses that all processes share.
  Object.assign(acme.axios.defaults, {
    timeout: requestTimeoutMs,
    acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 0 },
    ...(options.trustedRoots && { httpsAgent: new Agent({ ca: options.trustedRoots, keepAlive: true }) }),
  })
  /** Holds the check to run before each request to the authority. The check may stop the request. */
  const asking = new AsyncLocalStorage<() => Promise<void>>()
  watchAnswers(new URL(directoryUrl).origin, asking, clock)

  let account: Promise<acme.Client> | null = null
  let directory: { body: Directory; until: number } | null = null

  /** Sends a request for `name`. A rejection pauses the name `about`, or the whole account if it is null. */
  async function ask<R>(name: string, act: () => Promise<R>, about: string | null = name): Promise<R> {
    try {
      return await asking.run(() => refuseWhilePaused(name), act)
    } catch (error) {
      throw await noteRefusal(about, error)
    }
  }

  async function withAccount<R>(name: string, act: (client: acme.Client) => Promise<R>): Promise<R> {
    await refuseWhilePaused(name)
    account ??= ask(name, () => openAccount(db, seal, options), null).catch(error => {
      account = null
      throw error
    })
    const client = await account
    return ask(name, () => act(client)).catch(async error => {
      if (error instanceof AcmeRefusal && error.type === 'accountDoesNotExist') {
        account = null
        await forgetAccountUrl(db, directoryUrl)
      }
      throw error
    })
  }

  async function refuseWhilePaused(name: string): Promise<void> {
    const pause = await findPause(db, new Date(clock.now()), directoryUrl, name)
    if (!pause) return
    const message = pause.reason ?? 'The certificate authority asked to wait.'
    throw new KeptPause('ca_rate_limited', message, pause.until)
  }

  /** Stores the pause that the authority asked for, for all processes. */
  async function noteRefusal(name: string | null, error: unknown): Promise<unknown> {
    if (!(error instanceof AuthorityRefusal) || error instanceof KeptPause) return error
    if (error.retryAt && error.code === 'ca_rate_limited') {
      const refused = { directoryUrl, name, until: error.retryAt, reason: error.message }
      await notePause(db, new Date(clock.now()), refused)
    }
    return error
  }

  async function readDirectory(name: string): Promise<Directory> {
    if (directory && directory.until > clock.now()) return directory.body
    const { data } = await ask(name, () => acme.axios.get<Directory>(directoryUrl, anyStatus), null)
    directory = { body: data, until: clock.now() + directoryMs }
    return data
  }

  return {
    root: null,

    async issuer(name) {
      const identities = (await readDirectory(name)).meta?.caaIdentities ?? []
      const row = await db.acmeAccount.findUnique({ where: { directoryUrl }, select: { url: true } })
      return { identities: identities.map(identity => identity.toLowerCase()), accountUrl: row?.url ?? null }
    },

    async startOrder(name, replacedChain) {
      const { renewalInfo } = await readDirectory(name)
      const replaces = renewalInfo && replacedChain ? renewalIdOf(replacedChain) : null
      const wish = { identifiers: [{ type: 'dns', value: name }], ...(replaces && { replaces }) }
      const order = await withAccount(name, client =>
        client.createOrder(wish).catch(error => {
          // Order again without a predecessor, which works as well.
          if (!(replaces && error instanceof AcmeRefusal && noPredecessor.includes(error.type))) throw error
          return client.createOrder({ identifiers: wish.identifiers })
        }),
      )
      return order.url
    },

    advance: (name, orderUrl, csr, publish) =>
      withAccount(name, client => advanceOrder(client, orderUrl, csr, publish, clock.now())),

    async adviseRenewal(name, chain) {
      const { renewalInfo } = await readDirectory(name)
      const id = renewalIdOf(chain)
      if (!renewalInfo || !id) return null
      const response = await ask(name, () => acme.axios.get(`${renewalInfo}/${id}`, anyStatus))
      return readRenewalInfo(response.data, readRetryAfter(response, clock.now()), clock.now())
    },

    isRevoked,
  }
}

async function advanceOrder(
  client: acme.Client,
  url: string,
  csr: Buffer,
  publish: PublishChallenge,
  now: number,
): Promise<OrderStep> {
  const order = await client.getOrder({ url } as acme.Order).catch(error => {
    if (error instanceof AcmeRefusal && (error.status === 404 || error.status === 403)) return null
    throw error
  })
  if (!order) return { outcome: 'gone' }
  switch (order.status) {
    case 'pending':
    case 'invalid':
      return proveControl(client, order, publish, now)
    case 'ready':
      return patience(await client.finalizeOrder(order, csr), now, true)
    case 'processing':
      return patience(order, now)
    case 'valid':
      return { outcome: 'issued', chain: await client.getCertificate(order) }
  }
}

async function proveControl(
  client: acme.Client,
  order: acme.Order,
  publish: PublishChallenge,
  now: number,
): Promise<OrderStep> {
  let moved = false
  for (const authorization of await client.getAuthorizations(order)) {
    const challenge = authorization.challenges.find(one => one.type === 'http-01')
    if (!challenge)
      return { outcome: 'invalid', message: 'The certificate authority offers no http-01 challenge.' }
    if (!['pending', 'valid'].includes(authorization.status)) {
      const error = challenge.error as { detail?: string } | undefined
      return {
        outcome: 'invalid',
        message: cleaned(error?.detail) || `the authorization is ${authorization.status}`,
      }
    }
    if (authorization.status === 'pending' && challenge.status === 'pending') {
      await publish(challenge.token, await client.getChallengeKeyAuthorization(challenge))
      await client.completeChallenge(challenge)
      moved = true
    }
  }
  if (order.status === 'invalid') {
    return {
      outcome: 'invalid',
      message: cleaned((order.error as { detail?: string })?.detail) || 'the order is invalid',
    }
  }
  return patience(order, now, moved)
}

function patience(order: acme.Order, now: number, moved = false): OrderStep {
  const retryAt = (order as acme.Order & { retryAt?: Date | null }).retryAt
  return { outcome: 'pending', waitMs: retryAt ? Math.max(0, retryAt.getTime() - now) : 0, moved }
}

/** Turns every rejection into an AuthorityRefusal, with the Retry-After that the library would drop. */
function watchAnswers(origin: string, asking: AsyncLocalStorage<() => Promise<void>>, clock: Clock): void {
  const ours = (url: string | undefined) => url?.startsWith(origin) ?? false
  acme.axios.interceptors.request.use(async request => {
    // A new pause also stops running orders for other names, at their next request.
    if (ours(request.url)) await asking.getStore()?.()
    return request
  })
  acme.axios.interceptors.response.use(
    response => {
      if (!ours(response.config.url)) return response
      const refusal = refusalIn(response, clock.now())
      if (refusal) throw refusal
      if (response.data && typeof response.data === 'object') {
        response.data.retryAt = readRetryAfter(response, clock.now())
      }
      return response
    },
    error => {
      if (error instanceof AuthorityRefusal) throw error
      throw new AuthorityRefusal('ca_unreachable', 'The certificate authority cannot be reached.')
    },
  )
}
