import type { PrismaClient } from '../../generated/prisma/client.ts'
import { RedisOutage } from '../../limiter/circuit.ts'
import type { Decision } from '../../limiter/decision.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import { recordAct } from '../acts.ts'
import { invalidInput, StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { forgetLimitNotices } from './limit-notices.ts'
import { allWindows } from './limits.ts'

export type Ban = { endsAt: Date; retryAfterSeconds: number }

/** 30 days. To lock a key out for longer, revoke the key. */
export const longestBanSeconds = 30 * 24 * 60 * 60

/** Returns the ban in a limiter's decision. */
export function banOf({ banEndsAt, decidedAt }: Decision): Ban | null {
  if (banEndsAt === null) return null
  const retryAfterSeconds = Math.max(1, Math.ceil((banEndsAt - decidedAt) / 1000))
  return { endsAt: new Date(banEndsAt), retryAfterSeconds }
}

/** Returns the current ban of a key of the project. */
export async function findBan(limiter: Limiter, project: { id: number }, keyId: string): Promise<Ban | null> {
  // This call only reads the ban, so the numbers in this rule have no effect.
  const ban = { key: keyId, refusalsPerMinute: 0, seconds: 0, maxSeconds: 0 }
  return banOf(await limiter.get(String(project.id), { windows: [], ban }))
}

/** Bans a key from now on. Replaces a running ban, even one that would end later. */
export async function banApiKey(
  db: PrismaClient,
  limiter: Limiter,
  project: Project,
  keyId: string,
  seconds: number,
): Promise<Ban> {
  if (seconds < 1 || seconds > longestBanSeconds) {
    throw invalidInput([{ field: 'seconds', message: `must be from 1 to ${longestBanSeconds}` }])
  }
  const ban = banOf(await exactly(() => limiter.block(String(project.id), seconds, { key: keyId })))
  if (!ban) throw redisAway()
  const data = { id: keyId, seconds, endsAt: ban.endsAt.toISOString() }
  await recordAct(db, { projectId: project.id, type: 'api_key.banned', subject: `api_key:${keyId}`, data })
  return ban
}

/** Lifts a ban; true if the key was banned. Also forgets its earlier bans, so the next ban is as short as the first. */
export async function liftBan(
  db: PrismaClient,
  limiter: Limiter,
  project: Project,
  keyId: string,
): Promise<boolean> {
  const wasBanned = await exactly(() => limiter.delete(String(project.id), { key: keyId }))
  const entry = { projectId: project.id, type: 'api_key.ban_lifted', subject: `api_key:${keyId}` }
  if (wasBanned) await recordAct(db, { ...entry, data: { id: keyId } })
  return wasBanned
}

/** Resets the project's counts for the minute, the day and management. Bans stay. */
export async function resetRateLimit(db: PrismaClient, limiter: Limiter, project: Project): Promise<void> {
  await exactly(() => limiter.delete(String(project.id), { windows: allWindows(project) }))
  await forgetLimitNotices(db, project.id)
  const { id: projectId, slug } = project
  await recordAct(db, {
    projectId,
    type: 'project.rate_limit_reset',
    subject: `project:${slug}`,
    data: { slug },
  })
}

async function exactly<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof RedisOutage ? redisAway() : error
  }
}

const redisAway = () =>
  new StoreError(
    'unavailable',
    'Redis, which counts the limits, cannot be reached. The change may or may not have been made; try again in a moment.',
    { retryAfterSeconds: 1 },
  )
