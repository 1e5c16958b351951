import { randomInt } from 'node:crypto'
import type { DeviceCode, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { invalidInput, StoreError } from '../errors.ts'
import type { Role } from '../keys/roles.ts'
import { requireServed, toProject } from '../project.ts'
import { lockProject } from '../project-lock.ts'
import { hashSecret, makeSecretOf } from '../secrets.ts'
import { isStorable, validateText } from '../text.ts'

const lifetimeMs = 10 * 60 * 1000
/** How long a terminal waits between two polls at first (RFC 8628, 3.2). */
const firstIntervalSeconds = 5
/** A code is deleted after this many refused approvals. */
const mostTries = 3
/** No vowels, so that no code is a word, and no letters that look or sound alike (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const shape = new RegExp(`^[${letters}]{8}$`)

/** A terminal that asks to sign in: the machine's name as the terminal sends it, and the IP address. */
export type Terminal = { machine: unknown; address: string }

/** The only object with the terminal's secret, `deviceCode`. The database has only the hash of this secret. */
export type AskedCode = {
  deviceCode: string
  userCode: string
  expiresInSeconds: number
  intervalSeconds: number
}

/** Makes the two codes for a terminal: one that it keeps, and one that a person types in the dashboard. */
export async function askForCode(db: Db, clock: Clock, { machine, address }: Terminal): Promise<AskedCode> {
  const { text, fault } = validateText('machine', machine, 60)
  if (fault) throw invalidInput([fault])
  const deviceCode = makeSecretOf('device')
  const now = clock.now()
  for (;;) {
    const userCode = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
    const { count } = await db.deviceCode.createMany({
      data: {
        ...{ userCode, machine: text, address, intervalSeconds: firstIntervalSeconds },
        hash: new Uint8Array(hashSecret(deviceCode)),
        createdAt: new Date(now),
        expiresAt: new Date(now + lifetimeMs),
      },
      skipDuplicates: true,
    })
    // `count` is zero if another open code has the same letters. The loop then tries other letters.
    if (count === 1) {
      const expiresInSeconds = lifetimeMs / 1000
      return {
        ...{ deviceCode, expiresInSeconds, intervalSeconds: firstIntervalSeconds },
        userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
      }
    }
  }
}

/** Finds a code that is neither approved nor denied. A person may type it in any case, with or without the hyphen. */
export async function findOpenCode(db: Db, clock: Clock, typed: unknown): Promise<DeviceCode> {
  const userCode = typeof typed === 'string' ? typed.toUpperCase().replaceAll(/[\s-]/g, '') : ''
  const found = shape.test(userCode) ? await db.deviceCode.findUnique({ where: { userCode } }) : null
  const isOpen =
    found && found.personId === null && found.deniedAt === null && found.expiresAt.getTime() > clock.now()
  if (!isOpen) throw noSuchCode()
  return found
}

/**
 * Approves a code in the name of a member of the project, so that the code's terminal may get a key with the member's
 * scopes. If several approvals come at once, the database accepts only one.
 */
export async function approveCode(
  db: PrismaClient,
  clock: Clock,
  typed: unknown,
  personId: string,
  slug: unknown,
): Promise<{ machine: string; role: Role }> {
  const { hash, machine } = await findOpenCode(db, clock, typed)
  const wanted = typeof slug === 'string' && isStorable(slug) ? slug : ''
  const approved = await manage(db, async tx => {
    const membership = await tx.membership.findFirst({
      where: { personId, project: { slug: wanted } },
      select: { projectId: true },
    })
    if (!membership) return null
    const { projectId } = membership
    await lockProject(tx, projectId)
    // Read the membership again under the lock, because the member may have left the project or may have got another
    // role since the first read.
    const held = await tx.membership.findUnique({
      where: { projectId_personId: { projectId, personId } },
      include: { project: { include: { plan: true } } },
    })
    if (!held) return null
    requireServed(toProject(held.project))
    const { role } = held
    const { count } = await tx.deviceCode.updateMany({
      where: { ...openWithHash(hash), expiresAt: { gt: new Date(clock.now()) } },
      data: { projectId, personId, role },
    })
    if (count === 0) throw noSuchCode()
    return { machine, role }
  })
  if (approved) return approved
  await noteRefusal(db, hash)
  throw new StoreError('project_not_found', 'There is no such project among yours.')
}

/** Refuses a terminal. */
export async function denyCode(db: Db, clock: Clock, typed: unknown): Promise<void> {
  const { hash } = await findOpenCode(db, clock, typed)
  const { count } = await db.deviceCode.updateMany({
    where: openWithHash(hash),
    data: { deniedAt: new Date(clock.now()) },
  })
  if (count === 0) throw noSuchCode()
}

async function noteRefusal(db: Db, hash: DeviceCode['hash']): Promise<void> {
  await db.deviceCode.updateMany({ where: openWithHash(hash), data: { tries: { increment: 1 } } })
  await db.deviceCode.deleteMany({ where: { ...openWithHash(hash), tries: { gte: mostTries } } })
}

const openWithHash = (hash: DeviceCode['hash']) => ({ hash, personId: null, deniedAt: null })

export const noSuchCode = () =>
  new StoreError(
    'device_code_not_found',
    'This code is not valid: it may be mistyped, used, denied or expired. Run animal-store login again for a new one.',
  )
