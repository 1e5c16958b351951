import type { Db } from '../db.ts'
import { registeredName } from '../hosts/names.ts'

/** Until when the certificate authority wants nothing sent, and in its own words why, where they are about the name. */
export type Pause = { until: Date; reason: string | null }

/** Under no name stands what holds for the whole account. */
const account = ''

/** The pause that holds for a name: its own, its registered domain's, or the account's; for null the account's alone. */
export async function findPause(
  db: Db,
  now: Date,
  directoryUrl: string,
  name: string | null,
): Promise<Pause | null> {
  const own = name === null ? [] : [{ name }, { name: registeredName(name), wholeDomain: true }]
  const rows = await db.acmePause.findMany({
    where: { directoryUrl, until: { gt: now }, OR: [{ name: account }, ...own] },
  })
  if (rows.length === 0) return null
  const certificate = name !== null && (await db.certificate.findUnique({ where: { name } }))
  const notAfter = certificate ? certificate.notAfter : null
  const [longest] = rows
    .map(({ name: of, since, until, reason }) => ({
      until: since ? withinLife(since, until, notAfter) : until,
      reason: of === name ? reason : null,
    }))
    .filter(pause => pause.until > now)
    .toSorted((one, other) => Number(other.until) - Number(one.until))
  return longest ?? null
}

/**
 * The time of the next attempt, when the authority has asked for a longer pause than a third of what is left of the
 * certificate's life: no pause may let a certificate end.
 */
export function withinLife(since: Date, retryAt: Date, notAfter: Date | null): Date {
  const leftMs = notAfter ? notAfter.getTime() - since.getTime() : 0
  return leftMs > 0 ? new Date(Math.min(retryAt.getTime(), since.getTime() + leftMs / 3)) : retryAt
}

type Refused = { directoryUrl: string; name: string | null; until: Date; reason: string }

/**
 * Keeps the silence that the authority asked for, in all processes. What it counts is counted by name, by registered
 * domain or by account, and only its words tell which. Where they name nothing, the name alone is spared, its registered
 * domain once two of its names were refused, and the account once names of two projects were, so that none of them can
 * stop the certificates of all.
 */
export async function notePause(db: Db, now: Date, refused: Refused): Promise<void> {
  const { directoryUrl, name } = refused
  const registered = name && registeredName(name)
  const subject = name && subjectOf(refused.reason, name)
  const owner =
    name && (await db.domain.findUnique({ where: { ownedName: name }, select: { projectId: true } }))
  const projectId = owner ? owner.projectId : null
  const pause = (of: string, wholeDomain: boolean) =>
    keepPause(db, now, refused, {
      ...{ name: of, wholeDomain, projectId },
      isExplained: wholeDomain || subject !== null,
    })
  if (!name || !registered) return pause(account, true)
  await pause(name, false)
  if (subject === 'domain') await pause(registered, true)
  if (subject !== null) return
  // Written first and read then, so that of two refusals at the same time one sees the other.
  const others = await db.acmePause.findMany({
    where: { directoryUrl, until: { gt: now }, isExplained: false, name: { not: name } },
    select: { name: true, projectId: true },
  })
  const isOfDomain = (other: { name: string }) => registeredName(other.name) === registered
  if (others.some(isOfDomain)) await pause(registered, true)
  const elsewhere = others.filter(other => !isOfDomain(other) && other.projectId !== null)
  if (projectId !== null && elsewhere.some(other => other.projectId !== projectId)) await pause(account, true)
}

type Kept = { name: string; wholeDomain: boolean; projectId: number | null; isExplained: boolean }

async function keepPause(
  db: Db,
  since: Date,
  { directoryUrl, until, reason }: Refused,
  kept: Kept,
): Promise<void> {
  const { name, wholeDomain } = kept
  const row = { directoryUrl, since, until, reason, ...kept }
  await db.acmePause.upsert({
    where: { directoryUrl_name_wholeDomain: { directoryUrl, name, wholeDomain } },
    create: row,
    update: row,
  })
}

/** What the authority refused, if its reason names it. Let's Encrypt calls the names of one order an "exact set". */
export function subjectOf(reason: string, name: string): 'name' | 'domain' | null {
  if (mentions(reason, name) || /\bexact set\b/i.test(reason)) return 'name'
  return mentions(reason, registeredName(name)) ? 'domain' : null
}

/** True if the text has this name as a whole, and not as a part of a longer one. */
function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![a-z0-9-]\\.?)${name.replaceAll('.', '\\.')}(?!\\.?[a-z0-9-])`, 'i').test(text)
}

export type EndedPauses = { pauses: number; certificates: number }

/** Ends every pause in every process, and has the certificates that waited for its end tried again at once. */
export async function endPauses(db: Db, now: Date): Promise<EndedPauses> {
  const ended = await db.acmePause.deleteMany({ where: { until: { gt: now } } })
  const waiting = await db.certificate.updateMany({
    where: { nextStepAt: { gt: now }, problem: { path: ['code'], equals: 'ca_rate_limited' } },
    data: { nextStepAt: now },
  })
  return { pauses: ended.count, certificates: waiting.count }
}

export async function forgetOldPauses(db: Db, now: Date): Promise<void> {
  await db.acmePause.deleteMany({ where: { until: { lte: now } } })
}
