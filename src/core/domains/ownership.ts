import type { Domain, Project } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import type { DnsLook, DnsVerdict } from '../hosts/dns-verdict.ts'
import { ownershipName } from '../hosts/names.ts'

type DomainOfProject = Domain & { project: Project }
/** Whom the name has to be taken from, or the verdict where the records do not prove whose it is. */
export type Ownership = { free: true; owner: Domain | null } | { free: false; verdict: DnsVerdict }

/**
 * A TXT record with the project's token is the strongest proof, a CNAME that names its platform host the next. Addresses
 * are the same for all projects, so they prove a name only while no other project has to do with it.
 */
export async function judgeOwnership(
  tx: Db,
  domain: DomainOfProject,
  { verdict, proof }: DnsLook,
): Promise<Ownership> {
  const owner = await tx.domain.findUnique({
    where: { ownedName: domain.name },
    include: { project: true },
  })
  const shows = (project: Project) => proof.tokens?.includes(project.ownershipToken) ?? false
  const ownerShowsToken = owner !== null && shows(owner.project)
  if (shows(domain.project)) {
    return ownerShowsToken ? { free: false, verdict: claimed(verdict) } : { free: true, owner }
  }
  const isProven = proof.namesTarget ? !ownerShowsToken : !(await concernsAnother(tx, domain))
  if (isProven) return { free: true, owner }
  return { free: false, verdict: tokenMissing(verdict, proof.tokens, domain) }
}

/** Another project has the name in its list, or has held it: a record of its time may still be there. */
async function concernsAnother(tx: Db, { name, projectId }: Domain): Promise<boolean> {
  const where = { name, projectId: { not: projectId } }
  const [claim, held] = [await tx.domain.findFirst({ where }), await tx.heldName.findFirst({ where })]
  return claim !== null || held !== null
}

/** Remembers who has held a name, for as long as there are records. */
export async function noteHeld(tx: Db, now: Date, { name, projectId }: Domain): Promise<void> {
  await tx.heldName.createMany({ data: [{ name, projectId, since: now }], skipDuplicates: true })
}

function tokenMissing(
  verdict: DnsVerdict,
  tokens: string[] | null,
  { name, project }: DomainOfProject,
): DnsVerdict {
  const owner = ownershipName(name)
  if (tokens === null) {
    const message = `DNS could not be asked for the TXT record of ${owner}, which has to prove whose the name is. It is asked again.`
    return { ...verdict, code: 'dns_unreachable', message }
  }
  const message =
    `${name} leads here, but another project has claimed or held it, and addresses do not show whose it is. ` +
    `Prove that it is yours by the record "${owner} TXT ${project.ownershipToken}"; it takes the name over at once.`
  const found = tokens.map(value => ({ type: 'TXT', name: owner, value }))
  return {
    ...verdict,
    code: 'ownership_required',
    message,
    found,
    expected: [project.ownershipToken],
    inTheWay: null,
  }
}

export function claimed(verdict: DnsVerdict): DnsVerdict {
  return {
    ...verdict,
    code: 'claimed_elsewhere',
    message:
      'Another project has proven this name. It becomes free when that project removes it or loses its record.',
  }
}

/** Of many projects at once, in one statement. */
export async function findOwnershipTokens(db: Db, projectIds: readonly number[]): Promise<string[]> {
  const rows = await db.project.findMany({
    where: { id: { in: [...projectIds] } },
    select: { id: true, ownershipToken: true },
  })
  const found = new Map(rows.map(row => [row.id, row.ownershipToken]))
  return projectIds.map(id => found.get(id) ?? '')
}
