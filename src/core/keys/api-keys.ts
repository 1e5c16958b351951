import type { ApiKey, DeprecatedUse, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { invalidInput, StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { changeProject } from '../project-lock.ts'
import { hashSecret, makeSecret, prefixOf } from '../secrets.ts'
import { validateText } from '../text.ts'
import { type Caller, personBehind, requireGrantable } from './caller.ts'
import { readIssuer } from './issuing-rights.ts'
import { removeEndedKeys, requireRoomForKey } from './room.ts'
import { type Scope, scopes } from './scopes.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type NewApiKey = {
  name: string
  scopes: readonly Scope[]
  expiresAt?: Date | null
  /** The person who issues the key, directly or through another API key. */
  issuedBy?: string | null
  /** The name of the machine, if `login` of the command line issues the key. */
  machine?: string | null
}
/** The only object with the readable secret; the database has only its hash. */
export type IssuedApiKey = { secret: string; apiKey: ApiKey }

/** Issues a key. `by` is the caller, whose person becomes the key's issuer; null for an operator. */
export async function issueApiKey(
  db: PrismaClient,
  clock: Clock,
  project: Project,
  input: Omit<NewApiKey, 'issuedBy' | 'machine'>,
  by: Caller | null = null,
): Promise<IssuedApiKey> {
  const { text, fault } = validateText('name', input.name, 100)
  const faults = fault ? [fault] : []
  if (input.scopes.length === 0) faults.push({ field: 'scopes', message: 'must hold at least one scope' })
  if (input.expiresAt && input.expiresAt.getTime() <= clock.now())
    faults.push({ field: 'expiresAt', message: 'must be in the future' })
  if (faults.length > 0) throw invalidInput(faults)
  return changeProject(db, project.id, async tx => {
    const now = new Date(clock.now())
    if (by) requireGrantable(await readIssuer(tx, now, by), input.scopes)
    const { isFull } = await requireRoomForKey(tx, now, project.id)
    const issuedBy = by && personBehind(by)
    const issued = await addApiKey(tx, clock, project, { ...input, name: text, issuedBy })
    if (isFull) await removeEndedKeys(tx, now, project.id)
    return issued
  })
}

/**
 * Issues a key in the caller's own transaction. Does not validate the input: a rotation keeps the name of the old key,
 * and older versions accepted names that `issueApiKey` refuses.
 */
export async function addApiKey(
  db: Db,
  clock: Clock,
  project: Project,
  input: NewApiKey,
): Promise<IssuedApiKey> {
  const secret = makeSecret()
  const apiKey = await db.apiKey.create({
    data: {
      projectId: project.id,
      name: input.name,
      prefix: prefixOf(secret),
      hash: new Uint8Array(hashSecret(secret)),
      scopes: scopes.filter(scope => input.scopes.includes(scope)),
      createdAt: new Date(clock.now()),
      expiresAt: input.expiresAt ?? null,
      issuedBy: input.issuedBy ?? null,
      machine: input.machine ?? null,
    },
  })
  return { secret, apiKey }
}

export const isKeyId = (id: string) => uuid.test(id)

/** Returns the times at which these keys were issued. A rotated key was issued at its rotation. */
export async function findIssueTimes(db: Db, ids: readonly string[]): Promise<Date[]> {
  const rows = await db.apiKey.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, createdAt: true },
  })
  const times = new Map(rows.map(row => [row.id, row.createdAt]))
  return ids.map(id => times.get(id) ?? new Date(0))
}

export type DeprecatedCalls = Omit<DeprecatedUse, 'count'> & { count: number }

/** Lists the calls of deprecated operations by each of these keys. */
export async function listDeprecatedUses(db: Db, apiKeyIds: readonly string[]): Promise<DeprecatedCalls[]> {
  const where = { apiKeyId: { in: [...apiKeyIds] } }
  const uses = await db.deprecatedUse.findMany({ where, orderBy: { field: 'asc' } })
  return uses.map(use => ({ ...use, count: Number(use.count) }))
}

export async function renameApiKey(
  db: PrismaClient,
  project: Project,
  id: string,
  newName: string,
): Promise<ApiKey> {
  const { text, fault } = validateText('name', newName, 100)
  if (fault) throw invalidInput([fault])
  const apiKey = await findApiKey(db, project, id)
  return manage(db, tx => tx.apiKey.update({ where: { id: apiKey.id }, data: { name: text } }))
}

/** Rotates a key. `by` is the caller, whose person becomes the new key's issuer; null for an operator. */
export function rotateApiKey(
  db: PrismaClient,
  clock: Clock,
  project: Project,
  id: string,
  overlapEndsAt: Date,
  by: Caller | null = null,
): Promise<IssuedApiKey> {
  return changeProject(db, project.id, async tx => {
    const now = new Date(clock.now())
    // Read the rights first, because a key that rotates itself without an overlap ends at once.
    const issuer = by && (await readIssuer(tx, now, by))
    const issued = await replaceApiKey(tx, clock, project, id, overlapEndsAt, by && personBehind(by))
    if (issuer) requireGrantable(issuer, issued.apiKey.scopes)
    await removeEndedKeys(tx, now, project.id)
    return issued
  })
}

/**
 * Issues a new secret now, in the caller's own transaction. The old secret works until `overlapEndsAt`, but not beyond
 * its own end. The new key's issuer is the person who rotates, or else the old key's issuer.
 */
export async function replaceApiKey(
  db: Db,
  clock: Clock,
  project: Project,
  id: string,
  overlapEndsAt: Date,
  rotatedBy: string | null = null,
): Promise<IssuedApiKey> {
  const now = new Date(clock.now())
  const old = await findUsableApiKey(db, now, project, id)
  const issued = await addApiKey(db, clock, project, {
    name: old.name,
    scopes: old.scopes as Scope[],
    expiresAt: old.expiresAt,
    issuedBy: rotatedBy ?? old.issuedBy,
    machine: old.machine,
  })
  const end = old.expiresAt && old.expiresAt < overlapEndsAt ? old.expiresAt : overlapEndsAt
  const { count } = await db.apiKey.updateMany({
    where: { id: old.id, successorId: null, revokedAt: null },
    data: { successorId: issued.apiKey.id, expiresAt: end < now ? now : end },
  })
  if (count === 0) throw alreadyReplaced()
  return issued
}

export async function revokeApiKey(
  db: PrismaClient,
  clock: Clock,
  project: Project,
  id: string,
): Promise<ApiKey> {
  const now = new Date(clock.now())
  const apiKey = await findApiKey(db, project, id)
  if (apiKey.revokedAt) return apiKey
  return manage(db, tx => tx.apiKey.update({ where: { id: apiKey.id }, data: { revokedAt: now } }))
}

export async function findApiKey(db: Db, project: Project, id: string): Promise<ApiKey> {
  const apiKey = uuid.test(id) ? await db.apiKey.findFirst({ where: { id, projectId: project.id } }) : null
  if (!apiKey) throw new StoreError('api_key_not_found', 'There is no such API key.')
  return apiKey
}

/** Finds keys by id, in all projects. */
export async function findApiKeys(db: Db, ids: readonly string[]): Promise<Map<string, ApiKey>> {
  const rows = await db.apiKey.findMany({ where: { id: { in: [...ids] } } })
  return new Map(rows.map(row => [row.id, row]))
}

async function findUsableApiKey(db: Db, now: Date, project: Project, id: string): Promise<ApiKey> {
  const apiKey = await findApiKey(db, project, id)
  if (apiKey.successorId) throw alreadyReplaced()
  if (!isUsable(apiKey, now))
    throw new StoreError('api_key_ended', 'This API key is revoked or expired; issue a new one.')
  return apiKey
}

export function isUsable(apiKey: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return !apiKey.revokedAt && (!apiKey.expiresAt || apiKey.expiresAt > now)
}

const alreadyReplaced = () =>
  new StoreError('api_key_ended', 'This API key has been rotated already; rotate its successor.')
