import { setTimeout as pause } from 'node:timers/promises'
import { type ExitCode, exitCodes, Refused } from './exit.ts'
import {
  type DomainLineFragment,
  ReverifyDomainDocument,
  VerifyDomainDocument,
} from './generated/operations.ts'
import type { Connection } from './rest-client.ts'
import { send } from './send.ts'

export type VerifyOptions = { again?: boolean; wait?: boolean; timeout: number }
type Read = () => Promise<DomainLineFragment>

const readEveryMs = 2_000
/** The service checks a domain at most once in this time. */
const checkEverySeconds = 10

/** Checks DNS at once. With `again`, also starts a new attempt at the certificate. */
export async function verify(connection: Connection, id: string, again = false): Promise<DomainLineFragment> {
  const input = { id }
  return again
    ? (await send(connection, ReverifyDomainDocument, { input })).domainReverify.domain
    : (await send(connection, VerifyDomainDocument, { input })).domainVerify.domain
}

/** Verifies repeatedly, until the domain is verified and has a certificate or the timeout passes. */
export async function verifyAndWait(
  connection: Connection,
  read: Read,
  options: VerifyOptions,
): Promise<DomainLineFragment> {
  const giveUpAt = Date.now() + options.timeout * 1000
  let domain = await read()
  // Do not compare `verifyAgainAt` with this machine's clock, which may be wrong: check, and wait if it was too soon.
  let checkAt = 0
  for (let checked = false; ; ) {
    if (Date.now() >= checkAt && !(checked && isVerified(domain))) {
      let waitSeconds = checkEverySeconds
      try {
        domain = await verify(connection, domain.id, options.again && !checked)
        checked = true
      } catch (error) {
        waitSeconds = waitOf(error)
      }
      checkAt = Date.now() + waitSeconds * 1000
    } else {
      domain = await read()
    }
    if ((checked && isVerified(domain) && isCertified(domain)) || Date.now() >= giveUpAt) return domain
    await pause(readEveryMs)
  }
}

/** Sets the exit code. With `wait`, a missing certificate is a failure too. */
export function requireVerified(domain: DomainLineFragment, { wait = false }: VerifyOptions): void {
  const { verdict, certificateDetails } = domain
  if (!isVerified(domain)) {
    throw new Refused(verdict?.message ?? 'DNS was not checked yet.', codeOf(verdict?.code))
  }
  if (wait && !isCertified(domain)) {
    const problem = certificateDetails?.problem?.message ?? 'The certificate is still being issued.'
    throw new Refused(problem, exitCodes.notCertified)
  }
}

/** The domain of a suspended project is paused, even if its record is right. */
const isVerified = ({ host, verdict }: DomainLineFragment) =>
  host === 'live' || (host === 'paused' && verdict?.code === 'verified')
const isCertified = ({ certificate }: DomainLineFragment) =>
  certificate === 'issued' || certificate === 'expiring'

function codeOf(verdict: string | undefined): ExitCode {
  if (verdict === 'ownership_required' || verdict === 'claimed_elsewhere') return exitCodes.ownershipNotProven
  if (verdict === 'spreading') return exitCodes.recordSpreading
  return verdict === 'dns_unreachable' ? exitCodes.dnsUnreachable : exitCodes.recordNotRight
}

/** Returns the wait after `verify_too_soon`, which is no failure: the domain was checked a moment ago. */
function waitOf(error: unknown): number {
  if (error instanceof Refused && error.code === 'verify_too_soon')
    return error.retryAfterSeconds ?? checkEverySeconds
  throw error
}
