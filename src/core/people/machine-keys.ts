import type { DeviceCode, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { actFromHereAs, manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { addApiKey, type IssuedApiKey, isKeyId } from '../keys/api-keys.ts'
import { roles, scopesOfRole } from '../keys/roles.ts'
import { removeEndedKeys, requireRoomForKey } from '../keys/room.ts'
import { toProject } from '../project.ts'
import { lockProject } from '../project-lock.ts'
import { hashSecret, isSecretOf } from '../secrets.ts'

const lifetimeMs = 90 * 24 * 60 * 60 * 1000
/** The most working terminal keys of a person in a project. */
const mostOfPerson = 20
/** A poll may arrive this much earlier than the interval says, because the delays of the network vary. */
const slackMs = 1_000
const mostIntervalSeconds = 60

/** Why a terminal has no key yet, or gets none, in the words of RFC 8628, 3.5. */
export type NoKey = 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied'

/** A terminal's key, and the slug of its project. */
export type MachineKey = IssuedApiKey & { project: string }

/**
 * Issues the key of an approved code and deletes the code in one transaction, so that a killed process leaves either
 * the code or the key. The key has the scopes of the member's role. If the role has changed since the approval, the
 * lower of the two roles decides.
 */
export async function collectKey(
  db: PrismaClient,
  clock: Clock,
  deviceCode: unknown,
): Promise<MachineKey | NoKey> {
  const hash = isSecretOf('device', deviceCode) ? new Uint8Array(hashSecret(deviceCode)) : null
  const code = hash && (await db.deviceCode.findUnique({ where: { hash } }))
  if (!code || code.expiresAt.getTime() <= clock.now()) return 'expired_token'
  if (code.deniedAt) return 'access_denied'
  const { projectId, personId, role: approvedRole } = code
  if (projectId === null || personId === null || approvedRole === null) return notePoll(db, clock, code)
  return manage(db, async tx => {
    await lockProject(tx, projectId)
    // If several polls come at once, the database lets only one of them delete the code. The end of a membership also
    // deletes the member's codes, so a code that could be deleted belongs to an existing membership.
    const { count } = await tx.deviceCode.deleteMany({ where: { hash: code.hash } })
    if (count === 0) return 'expired_token'
    const { person, project, role } = await tx.membership.findUniqueOrThrow({
      where: { projectId_personId: { projectId, personId } },
      include: { person: true, project: { include: { plan: true } } },
    })
    await actFromHereAs(tx, { type: 'person', id: personId, name: 'a person' })
    const now = new Date(clock.now())
    await endOldestKeys(tx, now, projectId, personId)
    const { isFull } = await requireRoomForKey(tx, now, projectId)
    const lower = roles[Math.min(roles.indexOf(role), roles.indexOf(approvedRole))] ?? 'viewer'
    const issued = await addApiKey(tx, clock, toProject(project), {
      name: `${[...person.name].slice(0, 36).join('')} on ${code.machine}`,
      scopes: scopesOfRole[lower],
      expiresAt: new Date(now.getTime() + lifetimeMs),
      ...{ issuedBy: personId, machine: code.machine },
    })
    if (isFull) await removeEndedKeys(tx, now, projectId)
    return { ...issued, project: project.slug }
  })
}

/**
 * Ends the person's oldest terminal keys in the project, so that there is room for one more. Without this limit, one
 * member could use up all the keys that the project may have.
 */
async function endOldestKeys(tx: Db, now: Date, projectId: number, personId: string): Promise<void> {
  const surplus = await tx.apiKey.findMany({
    where: {
      ...{ projectId, issuedBy: personId, machine: { not: null }, revokedAt: null },
      expiresAt: { gt: now },
    },
    orderBy: { id: 'desc' },
    skip: mostOfPerson - 1,
    select: { id: true },
  })
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  await tx.apiKey.updateMany({ where: { id: { in: ids } }, data: { revokedAt: now } })
}

/** Notes a poll of an open code. A terminal that polls too often must wait longer from now on. */
async function notePoll(db: Db, clock: Clock, code: DeviceCode): Promise<NoKey> {
  const now = clock.now()
  const { polledAt, intervalSeconds } = code
  const isEarly = polledAt !== null && now - polledAt.getTime() < intervalSeconds * 1000 - slackMs
  const longer = Math.min(intervalSeconds + 5, mostIntervalSeconds)
  await db.deviceCode.updateMany({
    where: { hash: code.hash },
    data: { polledAt: new Date(now), ...(isEarly && { intervalSeconds: longer }) },
  })
  return isEarly ? 'slow_down' : 'authorization_pending'
}

/** A working key that one of a person's terminals has. */
export type ListedMachineKey = {
  id: string
  machine: string | null
  prefix: string
  project: { slug: string; name: string }
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

/** Lists the working keys of a person's terminals in all projects, newest first. */
export async function listMachineKeys(db: Db, clock: Clock, personId: string): Promise<ListedMachineKey[]> {
  return db.apiKey.findMany({
    where: {
      ...{ issuedBy: personId, machine: { not: null }, revokedAt: null },
      expiresAt: { gt: new Date(clock.now()) },
    },
    orderBy: { id: 'desc' },
    take: 100,
    select: {
      ...{ id: true, machine: true, prefix: true, createdAt: true, lastUsedAt: true, expiresAt: true },
      project: { select: { slug: true, name: true } },
    },
  })
}

/** Ends the key of one of the person's terminals, even in a project where the person may not end other keys. */
export async function endMachineKey(
  db: PrismaClient,
  clock: Clock,
  personId: string,
  id: unknown,
): Promise<void> {
  const isEnded =
    typeof id === 'string' && isKeyId(id) && (await endWhere(db, clock, { id, issuedBy: personId }))
  if (!isEnded) throw new StoreError('api_key_not_found', 'You have no such key.')
}

/** Ends the calling key, if a terminal got this key by signing in. Returns false for all other keys. */
export function endOwnKey(db: PrismaClient, clock: Clock, id: string): Promise<boolean> {
  return endWhere(db, clock, { id })
}

async function endWhere(
  db: PrismaClient,
  clock: Clock,
  where: { id: string; issuedBy?: string },
): Promise<boolean> {
  const { count } = await manage(db, tx =>
    tx.apiKey.updateMany({
      where: { ...where, machine: { not: null }, revokedAt: null },
      data: { revokedAt: new Date(clock.now()) },
    }),
  )
  return count > 0
}
