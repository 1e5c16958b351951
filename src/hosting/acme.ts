import { Agent } from 'node:https'
import { createSecureContext, getCACertificates } from 'node:tls'
import acme from 'acme-client'
import { findPause, notePause } from '../core/certificates/authority-pauses.ts'
import type { Db } from '../core/db.ts'
import type { Clock } from '../tools/clock.ts'
import { type AcmeSettings, forgetAccountUrl, openAccount, requireNonceRetries } from './acme-account.ts'
import { AcmeRefusal, readRetryAfter, understood } from './acme-errors.ts'
import { advanceOrder } from './acme-order.ts'
import { sendTo, watchRequests } from './acme-requests.ts'
import { AuthorityRefusal, type CertificateAuthority, StoredPause } from './certificate-authority.ts'
import { readRenewalInfo, renewalIdOf } from './renewal-info.ts'
import { isRevoked } from './revocation.ts'
import type { ClaimedSeal } from './seal-claim.ts'

type Settings = AcmeSettings & {
  /** The authority's names in CAA records, for an authority whose directory does not list them. */
  caaIdentities?: string[]
}
type Tools = { trustedRoots: string | null; db: Db; seal: ClaimedSeal; clock: Clock }
type Directory = { renewalInfo?: string; meta?: { caaIdentities?: unknown } }

/**
 * The types of the errors that the authority may return because of an order's field `replaces`. The reason is that the
 * certificate to replace is already replaced, or that this certificate belongs to another authority or account.
 */
const noPredecessor = ['alreadyReplaced', 'malformed', 'unauthorized']
const directoryMs = 3_600_000
/**
 * Accept every status. By default the library reports a rejection as an unreachable authority, without its Retry-After.
 */
const anyStatus = { validateStatus: null }

/** Opens a certificate authority that speaks ACME (RFC 8555). */
export function openAcme(settings: Settings, { db, seal, clock, trustedRoots }: Tools): CertificateAuthority {
  const { directoryUrl } = settings
  const { host } = new URL(directoryUrl)
  const who = `The certificate authority ${host}`
  requireNonceRetries(directoryUrl)
  watchRequests()
  const terms = {
    directoryUrl,
    who,
    clock,
    agent: trustedRoots === null ? null : agentThatTrusts(trustedRoots),
  }

  let account: Promise<acme.Client> | null = null
  let directory: { body: Directory; until: number } | null = null

  /**
   * Sends a request for the domain `name`. If the authority limits the rate, the pause applies to the domain `about`,
   * or to the whole account if `about` is null.
   */
  async function ask<R>(name: string, act: () => Promise<R>, about: string | null = name): Promise<R> {
    try {
      return await sendTo(terms, () => refuseWhilePaused(name), act)
    } catch (error) {
      throw await noteRefusal(about, error)
    }
  }

  async function withAccount<R>(name: string, act: (client: acme.Client) => Promise<R>): Promise<R> {
    await refuseWhilePaused(name)
    account ??= ask(name, () => openAccount(db, seal, settings, who), null).catch(error => {
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
    const message = pause.reason ?? `${who} asked to wait.`
    throw new StoredPause('ca_rate_limited', message, pause.until)
  }

  /** Stores the pause that the authority asked for, for all processes. */
  async function noteRefusal(name: string | null, error: unknown): Promise<unknown> {
    if (!(error instanceof AuthorityRefusal) || error instanceof StoredPause) return error
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
    directoryUrl,
    host,
    root: null,

    async issuer(name) {
      const { meta } = await readDirectory(name)
      const identities = identitiesIn(meta?.caaIdentities) ?? settings.caaIdentities ?? []
      const row = await db.acmeAccount.findUnique({ where: { directoryUrl }, select: { url: true } })
      return { identities, accountUrl: row?.url ?? null }
    },

    async startOrder(name, replacedChain) {
      const { renewalInfo } = await readDirectory(name)
      const replaces = renewalInfo && replacedChain ? renewalIdOf(replacedChain) : null
      const wish = { identifiers: [{ type: 'dns', value: name }], ...(replaces && { replaces }) }
      const order = await withAccount(name, client =>
        understood(who, client.createOrder(wish)).catch(error => {
          // The authority may return one of these errors only because of the field `replaces`. The field is optional,
          // so order again without `replaces`.
          if (!(replaces && error instanceof AcmeRefusal && noPredecessor.includes(error.type))) throw error
          return understood(who, client.createOrder({ identifiers: wish.identifiers }))
        }),
      )
      return order.url
    },

    advance: (name, orderUrl, csr, publish) =>
      withAccount(name, client => advanceOrder({ client, url: orderUrl, who }, csr, publish, clock.now())),

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

/** Returns the names for CAA records from the authority's directory; null if it lists none. */
function identitiesIn(given: unknown): string[] | null {
  const names = Array.isArray(given) ? given.filter(name => typeof name === 'string') : []
  return names.length === 0 ? null : names.map(name => name.toLowerCase())
}

/** Trusts the given roots in addition to the usual ones, because other authorities may be public. */
function agentThatTrusts(roots: string): Agent {
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), roots] })
  return new Agent({ secureContext, keepAlive: true })
}
