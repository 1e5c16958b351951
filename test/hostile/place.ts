import type { Certificate } from './certificate.ts'

/** All that an attack knows. It is sent to the attack's thread. */
export type Place = {
  urls: string[]
  httpsPorts: number[]
  /** `narrow` may only read pets. `big` belongs to a project with very many pets. */
  keys: { free: string; pro: string; narrow: string; big: string }
  /** The secret of a signed-in member's session; empty if the attacked revision of the service has no members. */
  session: string
  /** The service trusts webhook endpoints on this computer with this certificate. */
  receiver: Certificate
  /** The loopback address from which the attack comes. */
  address: string
  /** The victim's custom domain. */
  domain: string
  dnsAt: string
}

/** Counts of the attacker's answers by status; 0 is a connection that was cut or refused. */
export type Counts = Record<number, number>
