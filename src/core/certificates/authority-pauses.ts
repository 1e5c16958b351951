import { recordAct } from '../acts.ts'
import type { Db } from '../db.ts'
import { registeredName } from '../hosts/names.ts'

/**
 * A pause of a certificate authority: the service sends no requests to the authority before the time `until`. `reason`
 * is the text of the authority's rejection. `reason` is null if the pause is not stored for the name that was looked
 * up, but for the name's registered domain or for the whole account.
 */
export type Pause = { until: Date; reason: string | null }

/** Stored as the name of a pause that covers the whole account. */
const account = ''

/**
 * Returns the longest pause of the name, of its registered domain and of the account. If `name` is null, returns the
 * pause of the account.
 */
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
 * Returns when to try again: at the end of the pause, but at the latest after a third of the certificate's remaining
 * life, since no pause may let a certificate expire.
 */
export function withinLife(since: Date, retryAt: Date, notAfter: Date | null): Date {
  const leftMs = notAfter ? notAfter.getTime() - since.getTime() : 0
  return leftMs > 0 ? new Date(Math.min(retryAt.getTime(), since.getTime() + leftMs / 3)) : retryAt
}

type Refused = { directoryUrl: string; name: string | null; until: Date; reason: string }

/**
 * Stores the pause that the authority asked for. An authority counts by name, by registered domain or by account, but
 * only the text of a rejection tells what the authority counted. If the text does not tell what was counted, the
 * service pauses only the name. After unexplained rejections of two names of a registered domain, the service pauses
 * the registered domain. After unexplained rejections of names of two projects, the service pauses the account. So a
 * single project cannot stop the certificates of all projects.
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
  // Write before reading, so that one of two concurrent rejections sees the other.
  const others = await db.acmePause.findMany({
    where: { directoryUrl, until: { gt: now }, isExplained: false, name: { not: name } },
    select: { name: true, projectId: true },
  })
  const isOfDomain = (other: { name: string }) => registeredName(other.name) === registered
  if (others.some(isOfDomain)) await pause(registered, true)
  const elsewhere = others.filter(other => !isOfDomain(other) && other.projectId !== null)
  if (projectId !== null && elsewhere.some(other => other.projectId !== projectId)) await pause(account, true)
}

type NewPause = { name: string; wholeDomain: boolean; projectId: number | null; isExplained: boolean }

async function keepPause(
  db: Db,
  since: Date,
  { directoryUrl, until, reason }: Refused,
  newPause: NewPause,
): Promise<void> {
  const { name, wholeDomain } = newPause
  const row = { directoryUrl, since, until, reason, ...newPause }
  await db.acmePause.upsert({
    where: { directoryUrl_name_wholeDomain: { directoryUrl, name, wholeDomain } },
    create: row,
    update: row,
  })
}

/**
 * Returns the subject of the authority's limit, if its text names one. Let's Encrypt calls a single name an "exact
 * set".
 */
export function subjectOf(reason: string, name: string): 'name' | 'domain' | null {
  if (mentions(reason, name) || /\bexact set\b/i.test(reason)) return 'name'
  return mentions(reason, registeredName(name)) ? 'domain' : null
}

/** True if the text contains the name as a whole, not as part of a longer name. */
function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![a-z0-9-]\\.?)${name.replaceAll('.', '\\.')}(?!\\.?[a-z0-9-])`, 'i').test(text)
}

export type EndedPauses = { pauses: number; certificates: number }

/** Problems that an authority causes. */
const problemsOfAuthorities = ['ca_rate_limited', 'ca_unreachable', 'ca_refused', 'overdue']

/**
 * Ends every pause in every process, and schedules the waiting certificates at once if an authority caused their
 * problem.
 */
export async function endPauses(db: Db, now: Date): Promise<EndedPauses> {
  const ended = await db.acmePause.deleteMany({ where: { until: { gt: now } } })
  const waiting = await db.certificate.updateMany({
    where: {
      nextStepAt: { gt: now },
      OR: problemsOfAuthorities.map(equals => ({ problem: { path: ['code'], equals } })),
    },
    data: { nextStepAt: now },
  })
  const counts = { pauses: ended.count, certificates: waiting.count }
  await recordAct(db, { projectId: 0, type: 'certificates.resumed', subject: null, data: counts })
  return counts
}

export async function forgetOldPauses(db: Db, now: Date): Promise<void> {
  await db.acmePause.deleteMany({ where: { until: { lte: now } } })
}
