import type { Person, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { invalidInput } from '../errors.ts'
import { lockProject } from '../project-lock.ts'
import { validateText } from '../text.ts'
import { barIdentity, hashOfIdentity } from './barred.ts'
import { atProvider } from './issuers.ts'
import { requireOtherOwner } from './last-owner.ts'
import { listSessions } from './sessions.ts'

/** A person at an identity provider. */
export type IssuerIdentity = { issuer: string; subject: string }

/** U+2800 is an empty Braille pattern. Unicode calls it a symbol, but it looks like a space. */
const visible = /[^\p{Cc}\p{Cf}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Refuses also names that only have invisible characters, because the list of members would show an empty row. */
export function validatePersonName(name: unknown): ReturnType<typeof validateText> {
  const { text, fault } = validateText('name', name, 100)
  const isHidden = !fault && !visible.test(text)
  return { text, fault: isHidden ? { field: 'name', message: 'must have a visible character' } : fault }
}

export async function createPerson(
  db: Db,
  clock: Clock,
  name: unknown,
  identity: IssuerIdentity | null = null,
): Promise<Person> {
  const { text, fault } = validatePersonName(name)
  if (fault) throw invalidInput([fault])
  return db.person.create({ data: { name: text, createdAt: new Date(clock.now()), ...identity } })
}

export async function renamePerson(db: PrismaClient, id: string, name: string): Promise<Person> {
  const { text, fault } = validatePersonName(name)
  if (fault) throw invalidInput([fault])
  return manage(db, tx => tx.person.update({ where: { id }, data: { name: text } }))
}

/**
 * True if the person has a passkey or an account at the configured identity provider. Others cannot sign in by
 * themselves. `issuer` is null if no provider is configured.
 */
export async function canSignIn(db: Db, id: string, issuer: string | null): Promise<boolean> {
  const hasWay = [atProvider(issuer), { passkeys: { some: {} } }]
  return (await db.person.count({ where: { id, OR: hasWay } })) > 0
}

/**
 * Finds the person of an identity. Does not search by e-mail address, because an issuer may give an address to another
 * person later.
 */
export function findPersonOfIssuer(db: Db, identity: IssuerIdentity): Promise<Person | null> {
  return db.person.findUnique({ where: { issuer_subject: identity } })
}

export function findPerson(db: Db, id: string): Promise<Person> {
  return db.person.findUniqueOrThrow({ where: { id } })
}

/** Returns the names of these people; null for people who were deleted. */
export async function findNames(db: Db, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.person.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } })
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map(id => names.get(id) ?? null)
}

/** Counts the API keys that a person issued, each of which is a row of the person's export. */
export function countIssuedKeys(db: Db, id: string): Promise<number> {
  return db.apiKey.count({ where: { issuedBy: id } })
}

/** Returns everything that the store knows about a person, except secrets. */
export async function exportPerson(db: Db, clock: Clock, id: string) {
  const person = await db.person.findUniqueOrThrow({
    where: { id },
    include: {
      memberships: {
        select: { role: true, joinedAt: true, project: { select: { slug: true, name: true } } },
      },
      passkeys: { omit: { publicKey: true, counter: true, personId: true } },
    },
  })
  const sessions = await listSessions(db, clock, id)
  const { issuer, subject } = person
  const hash = issuer && subject ? hashOfIdentity({ issuer, subject }) : null
  const former = hash ? await db.barredIdentity.findMany({ where: { hash }, include: { project: true } }) : []
  return {
    ...person,
    formerMemberships: former.map(({ hash, project }) => ({
      ...{ identityHash: Buffer.from(hash).toString('hex'), project: { slug: project.slug } },
    })),
    sessions: sessions.map(({ id, device, createdAt, lastUsedAt, expiresAt }) => ({
      ...{ id, device, createdAt, lastUsedAt, expiresAt },
    })),
    apiKeys: await db.apiKey.findMany({
      where: { issuedBy: id },
      select: { name: true, prefix: true, createdAt: true, project: { select: { slug: true } } },
    }),
  }
}

/**
 * Deletes a person with the passkeys, sessions and memberships. Throws for the last owner of a project. API keys stay
 * and keep the person's id, which no longer leads to a name.
 */
export async function deletePerson(db: PrismaClient, id: string): Promise<void> {
  let isDeleted = false
  while (!isDeleted) isDeleted = await manage(db, tx => tryDeletePerson(tx, id))
}

/** Returns false, and changes nothing, if the person joined another project before all locks were taken. */
async function tryDeletePerson(tx: Db, id: string): Promise<boolean> {
  const memberships = () => tx.membership.findMany({ where: { personId: id }, orderBy: { projectId: 'asc' } })
  const known = await memberships()
  // Lock the projects in a fixed order, so that two people who leave the same projects at once cannot deadlock.
  for (const { projectId } of known) await lockProject(tx, projectId)
  await lockPerson(tx, id)
  const locked = new Set(known.map(({ projectId }) => projectId))
  const current = await memberships()
  if (!current.every(({ projectId }) => locked.has(projectId))) return false
  for (const { projectId } of current) {
    await requireOtherOwner(tx, projectId, id)
    // Let the person join again only by an invitation. Otherwise a member whose role was lowered could leave, and
    // join again with the role that a mail domain gives.
    await barIdentity(tx, projectId, id)
  }
  await tx.invitation.deleteMany({ where: { invitedBy: id } })
  // Delete the memberships before the person, because the trigger that writes the audit entry of a removed membership
  // reads the person's name.
  await tx.membership.deleteMany({ where: { personId: id } })
  await tx.person.deleteMany({ where: { id } })
  return true
}

/** Deletes the person if no membership is left and the person is not an operator. */
export async function deleteIfWithoutProject(tx: Db, id: string): Promise<void> {
  await lockPerson(tx, id)
  await tx.person.deleteMany({ where: { id, operator: false, memberships: { none: {} } } })
}

/** Locks a person, so that the person joins no project until the transaction ends. Lock projects before a person. */
async function lockPerson(tx: Db, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM people WHERE id = ${id}::uuid FOR UPDATE`
}
