import type { CaaIssuer } from './caa.ts'

/**
 * Publishes the response that the authority will fetch under the name (http-01), and then calls `ask`, which asks the
 * authority to validate. Does not call `ask` if a process has already asked. Returns true if this is the first time.
 */
export type PublishChallenge = (
  token: string,
  keyAuthorization: string,
  ask: () => Promise<void>,
) => Promise<boolean>

export type OrderStep =
  | { outcome: 'issued'; chain: string }
  /** `moved`: this step made progress, so the next step may be possible at once. */
  | { outcome: 'pending'; waitMs: number; moved?: boolean }
  /** The authority did not find the response under the name. It counts such failures. */
  | { outcome: 'invalid'; message: string }
  /** The authority no longer knows the order. */
  | { outcome: 'gone' }

type RenewalAdvice = { renewAt: Date; askAgainAt: Date }

/** Signs certificates. An order is a URL, with which any process can continue at any time. */
export type CertificateAuthority = {
  /** Identifies the authority in the database. */
  directoryUrl: string
  /** Names the authority in messages. */
  host: string
  issuer(name: string): Promise<CaaIssuer>
  startOrder(name: string, replacedChain: string | null): Promise<string>
  advance(name: string, orderUrl: string, csr: Buffer, publish: PublishChallenge): Promise<OrderStep>
  /** Returns when to renew the certificate, as the authority suggests (RFC 9773); null without a suggestion. */
  adviseRenewal(name: string, chain: string): Promise<RenewalAdvice | null>
  /**
   * True if the authority's revocation list contains the certificate. False if there is no list or it cannot be read.
   */
  isRevoked(chain: string): Promise<boolean>
  /** Returns the root that visitors must install; null if browsers trust the authority. */
  root: (() => Promise<string>) | null
}

/** All configured authorities, in the order of the configuration. */
export type Authorities = readonly [CertificateAuthority, ...CertificateAuthority[]]

/**
 * The authority rejected a request or is unreachable. If `retryAt` is set, send the authority nothing before that time.
 */
export class AuthorityRefusal extends Error {
  readonly code: 'ca_rate_limited' | 'ca_unreachable' | 'ca_refused' | 'key_unreadable'
  readonly retryAt: Date | null

  constructor(code: AuthorityRefusal['code'], message: string, retryAt: Date | null = null) {
    super(message)
    this.code = code
    this.retryAt = retryAt
  }
}

/** The request was not sent, because an earlier pause that the authority asked for has not ended. */
export class StoredPause extends AuthorityRefusal {}
