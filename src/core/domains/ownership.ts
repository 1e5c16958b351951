import type { Domain, Project } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import type { DnsLook, DnsProof, DnsVerdict } from '../hosts/dns-verdict.ts'
import { ownershipName } from '../hosts/names.ts'

const tokensShown = 5

type DomainOfProject = Domain & { project: Project }
/**
 * `owner` is another project's domain that now loses the name. `verdict` says why the records do not prove ownership.
 */
export type Ownership = { free: true; owner: Domain | null } | { free: false; verdict: DnsVerdict }

/**
 * A TXT record with the project's token is the strongest proof, a CNAME to the project's platform host the next.
 * Addresses are the same for all projects, so they prove ownership only while no other project has claimed the name.
 */
export async function verifyOwnership(tx: Db, domain: DomainOfProject, look: DnsLook): Promise<Ownership> {
  const { verdict, proof } = look
  const owner = await tx.domain.findUnique({
    where: { ownedName: domain.name },
    include: { project: true },
  })
  const ownerShowsToken = owner !== null && showsAnywhere(proof, owner.project)
  if (shows(proof, domain.project)) {
    return ownerShowsToken ? { free: false, verdict: claimed(verdict) } : { free: true, owner }
  }
  // The record that was not read may be the owner's proof.
  if (owner && proof.tokens === null) return { free: false, verdict: tokenMissing(look, domain, '') }
  const isProven = proof.namesTarget ? !ownerShowsToken : !(await concernsAnother(tx, domain))
  if (isProven) return { free: true, owner }
  const why = 'another project has claimed or held the name, and addresses do not prove ownership'
  return { free: false, verdict: tokenMissing(look, domain, why) }
}

/** A name that could have a CNAME may use the platform's addresses only together with the project's TXT record. */
export function requireTokenBesideAddresses(domain: DomainOfProject, look: DnsLook): DnsVerdict {
  const { verdict, proof } = look
  if (verdict.code !== null || !proof.needsToken || shows(proof, domain.project)) return verdict
  return tokenMissing(
    look,
    domain,
    'it has addresses instead of a CNAME, and addresses do not prove ownership',
  )
}

const shows = ({ tokens }: DnsProof, project: Project) => tokens?.includes(project.ownershipToken) ?? false
const showsAnywhere = (proof: DnsProof, project: Project) =>
  shows(proof, project) || proof.partialTokens.includes(project.ownershipToken)

/** True if another project has added the name or has held it: a record from that time may still exist. */
async function concernsAnother(tx: Db, { name, projectId }: Domain): Promise<boolean> {
  const where = { name, projectId: { not: projectId } }
  const [claim, held] = [await tx.domain.findFirst({ where }), await tx.heldName.findFirst({ where })]
  return claim !== null || held !== null
}

/** Records that the project has just proven the name. The daily check of a live domain renews this record. */
export async function noteHeld(tx: Db, now: Date, { name, projectId }: Domain): Promise<void> {
  await tx.heldName.upsert({
    where: { name_projectId: { name, projectId } },
    create: { name, projectId, since: now },
    update: { since: now },
  })
}

const heldMs = 365 * 86_400_000

/**
 * Deletes a held name if its project no longer owns the name and last proved the name over a year ago. After a year,
 * the DNS record of the project is probably gone. Uses SQL, because Prisma has no relation from a held name to a
 * domain.
 */
export async function forgetOldHeldNames(db: Db, now: Date): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "held_names" h WHERE h.since <= ${new Date(now.getTime() - heldMs)}
      AND NOT EXISTS (SELECT FROM "domains" d WHERE d.owned_name = h.name AND d.project_id = h.project_id)`
}

function tokenMissing(
  { verdict, proof }: DnsLook,
  { name, project }: DomainOfProject,
  why: string,
): DnsVerdict {
  const owner = ownershipName(name)
  const { tokens, partialTokens } = proof
  if (tokens === null) {
    const message = `The DNS lookup for the TXT record of ${owner} failed. The record is needed to prove ownership, and is checked again automatically.`
    return { ...verdict, code: 'dns_unreachable', message }
  }
  const expected = [project.ownershipToken]
  const found = [...tokens, ...partialTokens]
    .slice(0, tokensShown)
    .map(value => ({ type: 'TXT', name: owner, value }))
  if (showsAnywhere(proof, project)) {
    const message = `Some name servers do not have the TXT record of ${owner} yet. It is checked again automatically.`
    return { ...verdict, code: 'spreading', message, found, expected, inTheWay: null }
  }
  const message =
    `${name} points here, but ${why}. ` +
    `Prove that it is yours with the record "${owner} TXT ${project.ownershipToken}"; the name then moves to this project at once.`
  return { ...verdict, code: 'ownership_required', message, found, expected, inTheWay: null }
}

export function claimed(verdict: DnsVerdict): DnsVerdict {
  return {
    ...verdict,
    code: 'claimed_elsewhere',
    message:
      'Another project has proven that it owns this name. The name becomes free when that project removes the domain or loses its DNS record.',
  }
}

/** Reads the tokens of many projects in one query. */
export async function findOwnershipTokens(db: Db, projectIds: readonly number[]): Promise<string[]> {
  const rows = await db.project.findMany({
    where: { id: { in: [...projectIds] } },
    select: { id: true, ownershipToken: true },
  })
  const found = new Map(rows.map(row => [row.id, row.ownershipToken]))
  return projectIds.map(id => found.get(id) ?? '')
}
