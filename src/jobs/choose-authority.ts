import { findPause } from '../core/certificates/authority-pauses.ts'
import { inTurns, noTurn } from '../core/certificates/authority-turns.ts'
import type { CertificateProblem } from '../core/certificates/certificates.ts'
import type { Certificate } from '../generated/prisma/client.ts'
import { type CaaVerdict, checkCaa } from '../hosting/caa.ts'
import type { Authorities, CertificateAuthority } from '../hosting/certificate-authority.ts'
import type { Lease } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { nextTryAt } from './renewal-time.ts'

/**
 * Returns the authority that is stored for the certificate: the authority that has the certificate's order, or the
 * authority whose turn it is to get the order. Returns null if the stored authority is no longer configured, or if no
 * authority is stored.
 */
export function authorityOf(
  { authorities }: CertificateTools,
  row: Certificate,
): CertificateAuthority | null {
  const { directoryUrl, orderUrl } = row
  if (directoryUrl) return authorities.find(one => one.directoryUrl === directoryUrl) ?? null
  // An older version sends orders without writing `directory_url`.
  return orderUrl ? (authorities.find(one => isAt(one, orderUrl)) ?? authorities[0]) : null
}

/**
 * Returns the authority that issued the certificate; null if it is no longer configured. Older versions had only one
 * authority, and do not store which one issued a certificate.
 */
export function authorityThatIssued(
  { authorities }: CertificateTools,
  { issuedBy }: Certificate,
): CertificateAuthority | null {
  if (!issuedBy) return authorities[0]
  return authorities.find(({ directoryUrl }) => directoryUrl === issuedBy) ?? null
}

function isAt({ directoryUrl }: CertificateAuthority, orderUrl: string): boolean {
  return URL.canParse(directoryUrl) && new URL(directoryUrl).origin === new URL(orderUrl).origin
}

/**
 * Chooses the authority of a new order: the one whose turn it is, unless CAA forbids it. Ends the step and returns null
 * if none may be asked now. Checks CAA first, because authorities count validations that fail because of CAA.
 */
export async function chooseAuthority(
  tools: CertificateTools,
  lease: Lease,
  row: Certificate,
): Promise<CertificateAuthority | null> {
  const { clock, dns } = tools
  const turns = inTurns(tools.authorities, row.issuedBy)
  const chosen = authorityOf(tools, row) ?? (await firstOf(tools, row, turns))
  const start = turns.indexOf(chosen)
  const blocked: Blocked[] = []
  let directoryUrl = row.directoryUrl
  for (const authority of [...turns.slice(start), ...turns.slice(0, start)]) {
    // Store the authority before it is asked, so that its refusals are counted as refusals by this authority.
    if (directoryUrl !== authority.directoryUrl) {
      directoryUrl = authority.directoryUrl
      await lease.save({ ...noTurn, directoryUrl })
    }
    if (row.attempts > 0 && turns.indexOf(authority) < start) {
      // All authorities had their turn: pause as after any attempt.
      await lease.finish({ nextStepAt: nextTryAt(clock, row.attempts) })
      return null
    }
    const issuer = await authority.issuer(lease.name)
    const caa = await checkCaa(dns, lease.name, issuer)
    if (caa.outcome === 'allowed') return authority
    if (caa.outcome === 'unreachable') {
      await lease.giveUp({ code: 'dns_unreachable', message: caa.message, record: null })
      return null
    }
    blocked.push({ ...caa, identities: issuer.identities })
  }
  await lease.giveUp(problemOf(blocked))
  return null
}

/**
 * Returns the authority that is asked first. A name without a valid certificate skips authorities that are paused for
 * this name, unless all of them are.
 */
async function firstOf(
  { clock, db }: CertificateTools,
  { name, notAfter }: Certificate,
  turns: Authorities,
): Promise<CertificateAuthority> {
  const [first] = turns
  const now = new Date(clock.now())
  if (turns.length === 1 || (notAfter && notAfter > now)) return first
  for (const one of turns) if (!(await findPause(db, now, one.directoryUrl, name))) return one
  return first
}

type Blocked = Extract<CaaVerdict, { outcome: 'blocked' }> & { identities: string[] }

/**
 * Reports the CAA record that blocks the first authority. Names the other authorities too, because a record for any of
 * them is enough.
 */
function problemOf([first, ...others]: Blocked[]): CertificateProblem {
  const names = others.flatMap(({ identities }) => identities)
  const more = names.length > 0 ? ` A CAA record for ${names.join(' or ')} is enough too.` : ''
  return { code: 'caa_blocks', message: `${first?.message ?? ''}${more}`, record: first?.record ?? null }
}
