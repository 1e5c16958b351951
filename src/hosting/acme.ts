import { Agent } from 'node:https'
import acme from 'acme-client'
import type { Db } from '../core/db.ts'
import type { Clock } from '../tools/clock.ts'
import { type AcmeSettings, forgetAccountUrl, openAccount, requireNonceRetries } from './acme-account.ts'
import { AcmeRefusal, cleaned, readRetryAfter, refusalIn } from './acme-errors.ts'
import {
  AuthorityRefusal,
  type CertificateAuthority,
  type OrderStep,
  type PublishChallenge,
} from './certificate-authority.ts'
import { readRenewalInfo, renewalIdOf } from './renewal-info.ts'
import type { Seal } from './sealing.ts'

type Options = AcmeSettings & { trustedRoots: string | null; db: Db; seal: Seal; clock: Clock }
type Directory = { renewalInfo?: string; meta?: { caaIdentities?: string[] } }

const requestTimeoutMs = 15_000
const directoryMs = 3_600_000

/** A certificate authority that speaks ACME (RFC 8555). */
export function openAcme(options: Options): CertificateAuthority {
  const { db, seal, clock, directoryUrl } = options
  requireNonceRetries(directoryUrl)
  // Repeating is the durable job's part, with everyone's patience in mind, and not the library's.
  Object.assign(acme.axios.defaults, {
    timeout: requestTimeoutMs,
    acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 0 },
    ...(options.trustedRoots && { httpsAgent: new Agent({ ca: options.trustedRoots, keepAlive: true }) }),
  })
  watchAnswers(new URL(directoryUrl).origin, clock)

  let account: Promise<acme.Client> | null = null
  let directory: { body: Directory; until: number } | null = null

  async function withAccount<R>(act: (client: acme.Client) => Promise<R>): Promise<R> {
    await refuseWhilePaused()
    try {
      account ??= openAccount(db, seal, options).catch(error => {
        account = null
        throw error
      })
      return await act(await account)
    } catch (error) {
      if (error instanceof AcmeRefusal && error.type === 'accountDoesNotExist') {
        account = null
        await forgetAccountUrl(db, directoryUrl)
      }
      throw await noteRefusal(error)
    }
  }

  async function refuseWhilePaused(): Promise<void> {
    const row = await db.acmeAccount.findUnique({ where: { directoryUrl }, select: { pausedUntil: true } })
    if (!row?.pausedUntil || row.pausedUntil.getTime() <= clock.now()) return
    throw new AuthorityRefusal('ca_rate_limited', 'The certificate authority asked to wait.', row.pausedUntil)
  }

  /** All processes keep the silence that the authority asked one of them for. */
  async function noteRefusal(error: unknown): Promise<unknown> {
    if (!(error instanceof AuthorityRefusal)) return error
    if (error.retryAt && error.code === 'ca_rate_limited') {
      await db.acmeAccount.updateMany({
        where: { directoryUrl, OR: [{ pausedUntil: null }, { pausedUntil: { lt: error.retryAt } }] },
        data: { pausedUntil: error.retryAt },
      })
    }
    return error
  }

  async function readDirectory(): Promise<Directory> {
    if (directory && directory.until > clock.now()) return directory.body
    await refuseWhilePaused()
    const { data } = await acme.axios.get<Directory>(directoryUrl).catch(async error => {
      throw await noteRefusal(error)
    })
    directory = { body: data, until: clock.now() + directoryMs }
    return data
  }

  return {
    rootPem: null,

    async issuer() {
      const identities = (await readDirectory()).meta?.caaIdentities ?? []
      const row = await db.acmeAccount.findUnique({ where: { directoryUrl }, select: { url: true } })
      return { identities: identities.map(identity => identity.toLowerCase()), accountUrl: row?.url ?? null }
    },

    async startOrder(name, replacedChain) {
      const { renewalInfo } = await readDirectory()
      const replaces = renewalInfo && replacedChain ? renewalIdOf(replacedChain) : null
      const wish = { identifiers: [{ type: 'dns', value: name }], ...(replaces && { replaces }) }
      const order = await withAccount(client =>
        client.createOrder(wish).catch(error => {
          // The old certificate counts as replaced already; an order without a predecessor is as good.
          if (!(error instanceof AcmeRefusal && error.type === 'alreadyReplaced')) throw error
          return client.createOrder({ identifiers: wish.identifiers })
        }),
      )
      return order.url
    },

    advance: (orderUrl, csr, publish) =>
      withAccount(client => advanceOrder(client, orderUrl, csr, publish, clock.now())),

    async adviseRenewal(chain) {
      const { renewalInfo } = await readDirectory()
      const id = renewalIdOf(chain)
      if (!renewalInfo || !id) return null
      await refuseWhilePaused()
      const response = await acme.axios.get(`${renewalInfo}/${id}`).catch(async error => {
        throw await noteRefusal(error)
      })
      return readRenewalInfo(response.data, readRetryAfter(response, clock.now()), clock.now())
    },
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
      return patience(await client.finalizeOrder(order, csr), now)
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
    }
  }
  if (order.status === 'invalid') {
    return {
      outcome: 'invalid',
      message: cleaned((order.error as { detail?: string })?.detail) || 'the order is invalid',
    }
  }
  return patience(order, now)
}

function patience(order: acme.Order, now: number): OrderStep {
  const retryAt = (order as acme.Order & { retryAt?: Date | null }).retryAt
  return { outcome: 'pending', waitMs: retryAt ? Math.max(0, retryAt.getTime() - now) : 0 }
}

/** Turns every refusal into one error, and keeps the Retry-After that the library would drop. */
function watchAnswers(origin: string, clock: Clock): void {
  const ours = (url: string | undefined) => url?.startsWith(origin) ?? false
  let quietUntil = 0
  acme.axios.interceptors.request.use(request => {
    // What is under way for other names stops here as well, between two of its requests.
    if (!ours(request.url) || clock.now() >= quietUntil) return request
    throw new AuthorityRefusal(
      'ca_rate_limited',
      'The certificate authority asked to wait.',
      new Date(quietUntil),
    )
  })
  acme.axios.interceptors.response.use(
    response => {
      if (!ours(response.config.url)) return response
      const refusal = refusalIn(response, clock.now())
      if (refusal?.code === 'ca_rate_limited' && refusal.retryAt) quietUntil = refusal.retryAt.getTime()
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
