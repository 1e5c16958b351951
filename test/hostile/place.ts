/** All that an attack knows; it is sent to the thread that attacks. */
export type Place = {
  urls: string[]
  httpsPorts: number[]
  /** `narrow` may only read pets; `big` belongs to a project with very many. */
  keys: { free: string; pro: string; narrow: string; big: string }
  /** The loopback address that the attack comes from. */
  address: string
  /** The victim's custom domain. */
  domain: string
  dnsAt: string
}

/** Counts of the attacker's answers by status; 0 is a connection that was cut or refused. */
export type Counts = Record<number, number>
