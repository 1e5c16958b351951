import type { CaaIssuer } from './caa.ts'

/** Publishes the answer that the authority will come to see under the name (http-01). */
export type PublishChallenge = (token: string, keyAuthorization: string) => Promise<void>

export type OrderStep =
  | { outcome: 'issued'; chain: string }
  /** `moved` if this step brought the order further; a later step may find the next one at once. */
  | { outcome: 'pending'; waitMs: number; moved?: boolean }
  /** The authority came to see and did not find the answer; it counts these. */
  | { outcome: 'invalid'; message: string }
  /** The authority knows the order no more. */
  | { outcome: 'gone' }

type RenewalAdvice = { renewAt: Date; askAgainAt: Date }

/** Who signs certificates. An order is one URL, with which any process can go on at any time. */
export type CertificateAuthority = {
  issuer(name: string): Promise<CaaIssuer>
  startOrder(name: string, replacedChain: string | null): Promise<string>
  advance(name: string, orderUrl: string, csr: Buffer, publish: PublishChallenge): Promise<OrderStep>
  /** When the authority itself wants a certificate renewed (RFC 9773), where it says so. */
  adviseRenewal(name: string, chain: string): Promise<RenewalAdvice | null>
  /** True if the authority's revocation list has the certificate; false if it has none or cannot be read. */
  isRevoked(chain: string): Promise<boolean>
  /** The root that visitors have to trust, where it is not one that they know already. */
  root: (() => Promise<string>) | null
}

/** The authority said no, or could not be asked. Nothing is sent to it before `retryAt`, where it named one. */
export class AuthorityRefusal extends Error {
  readonly code: 'ca_rate_limited' | 'ca_unreachable' | 'ca_refused' | 'key_unreadable'
  readonly retryAt: Date | null

  constructor(code: AuthorityRefusal['code'], message: string, retryAt: Date | null = null) {
    super(message)
    this.code = code
    this.retryAt = retryAt
  }
}

/** Nothing was sent, because of what the authority has said before. */
export class KeptPause extends AuthorityRefusal {}
