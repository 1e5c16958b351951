import type { CaaIssuer } from './caa.ts'

/** Publishes the response that the authority will fetch under the name (http-01). */
export type PublishChallenge = (token: string, keyAuthorization: string) => Promise<void>

export type OrderStep =
  | { outcome: 'issued'; chain: string }
  /** `moved` is true if this step made progress, so the next step may be possible at once. */
  | { outcome: 'pending'; waitMs: number; moved?: boolean }
  /** The authority did not find the response under the name. The authority counts such failures. */
  | { outcome: 'invalid'; message: string }
  /** The authority no longer knows the order. */
  | { outcome: 'gone' }

type RenewalAdvice = { renewAt: Date; askAgainAt: Date }

/** Signs certificates. An order is a URL with which any process can continue at any time. */
export type CertificateAuthority = {
  issuer(name: string): Promise<CaaIssuer>
  startOrder(name: string, replacedChain: string | null): Promise<string>
  advance(name: string, orderUrl: string, csr: Buffer, publish: PublishChallenge): Promise<OrderStep>
  /** Returns when the authority suggests to renew the certificate (RFC 9773); null if it does not say. */
  adviseRenewal(name: string, chain: string): Promise<RenewalAdvice | null>
  /** True if the authority's revocation list has the certificate; false if it has none or cannot be read. */
  isRevoked(chain: string): Promise<boolean>
  /** Returns the root that visitors have to install; null if browsers trust the authority already. */
  root: (() => Promise<string>) | null
}

/** The authority rejected the request or is unreachable. If `retryAt` is set, nothing is sent to it before then. */
export class AuthorityRefusal extends Error {
  readonly code: 'ca_rate_limited' | 'ca_unreachable' | 'ca_refused' | 'key_unreadable'
  readonly retryAt: Date | null

  constructor(code: AuthorityRefusal['code'], message: string, retryAt: Date | null = null) {
    super(message)
    this.code = code
    this.retryAt = retryAt
  }
}

/** Nothing was sent, because the authority asked earlier for a pause that has not ended. */
export class KeptPause extends AuthorityRefusal {}
