import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { manage } from '../core/acts.ts'
import { endpointLabel } from '../core/events/endpoints.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import {
  type CertificateKeys,
  type EndpointSecrets,
  readCertificateKeys,
  readEndpointSecrets,
} from '../hosting/private-keys.ts'
import { accountLabel, certificateLabel } from '../hosting/seal.ts'
import type { ClaimedSeal } from '../hosting/seal-claim.ts'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import type { Metrics, SealedCounts } from '../tools/metrics.ts'
import type { Work } from './worker.ts'

export type ResealTools = { db: PrismaClient; clock: Clock; log: Logger; seal: ClaimedSeal; metrics: Metrics }

const everyMs = 5_000
/**
 * Scan all rows again after this pause, even if nothing was found: another process may still seal with an older key.
 */
const wholeEveryMs = 5 * 60_000
/**
 * The pause after a page, in multiples of the page's time, so that a scan takes at most a tenth of a core: without
 * pauses, 100,000 rows would delay requests for seconds. The pause has an upper limit, so that resealing many rows does
 * not take forever.
 */
const restAfter = 10
const mostRestMs = 250

/** Seals rows of older keys with the first key, and marks rows that no key opens. Each process uses its own keys. */
export function reseal(tools: ResealTools): Work<null> {
  const { db, log, seal } = tools
  const { sealed } = tools.metrics
  const processId = randomUUID()
  let dueAt = 0
  let wholeDueAt = 0
  let isScanning = false
  /** The fingerprints with which the last scan began. SIGHUP can change the keys, also during a scan. */
  let scannedWith = ''
  /** The keys of all running processes, as last read. */
  let running: string[][] = []
  /** True if every process seen since the scan began has this process' first key. */
  let allSealAlike = true

  function report({ older, unreadable }: SealedCounts): void {
    if (older === 0 && sealed.older !== 0 && seal.fingerprints().length > 1) {
      log.info(
        'every secret that can be opened is sealed with the first key of SECRETS_KEY; remove the other keys',
      )
    }
    if (unreadable > 0 && sealed.unreadable === 0) {
      const advice = 'give SECRETS_KEY the key that has sealed them, or have their domains verified again'
      log.error({ unreadable }, `private keys in the database cannot be opened: ${advice}`)
    }
    sealed.older = older
    sealed.unreadable = unreadable
  }

  return {
    everyMs,
    // Two loops: a scan can take minutes, while the other loop reports that this process still runs.
    mostAtOnce: 2,
    async claim() {
      if (performance.now() < dueAt) return []
      dueAt = performance.now() + everyMs / 2
      return [null]
    },
    async run(_job, signal) {
      const own = seal.fingerprints()
      running = own.length === 0 ? [] : await announceAndReadKeys(db, processId, own)
      const may = {
        // Only if all processes have the new key: one without it could not open the row.
        replace() {
          const [first = ''] = seal.fingerprints()
          return running.every(keys => keys.includes(first))
        },
        // Only if all processes have the same keys: another key might open the row.
        mark() {
          const known = seal.fingerprints()
          return known.length > 0 && running.every(keys => keys.every(key => known.includes(key)))
        },
      }
      allSealAlike &&= may.replace()
      const isDue = performance.now() >= wholeDueAt || own.join() !== scannedWith
      if (isScanning || !isDue) return
      isScanning = true
      scannedWith = own.join()
      allSealAlike = may.replace()
      try {
        const found = await lookThrough(tools, may, signal)
        if (signal.aborted || seal.fingerprints().join() !== scannedWith) return
        const isAllOurs = found.first > 0 && found.older + found.unreadable === 0
        if (isAllOurs && allSealAlike) await claimForFirstKey(db, own[0] ?? '')
        // While another process seals with a different key, more rows may appear.
        report({ ...found, older: found.older === 0 && !allSealAlike ? null : found.older })
      } finally {
        isScanning = false
        // Scan again until nothing is found: only then does no process seal with an older key.
        const isDone = sealed.older === 0 && sealed.unreadable === 0
        wholeDueAt = performance.now() + (isDone ? wholeEveryMs : everyMs / 2)
      }
    },

    end: () => db.secretsKeyHolder.deleteMany({ where: { processId } }),
  }
}

/** Reports this process, and returns the keys of all running processes. The database's clock decides which run. */
async function announceAndReadKeys(db: PrismaClient, processId: string, own: string[]): Promise<string[][]> {
  await db.$executeRaw`
    INSERT INTO "secrets_key_holders" (process_id, fingerprints) VALUES (${processId}::uuid, ${own})
    ON CONFLICT (process_id) DO UPDATE SET fingerprints = EXCLUDED.fingerprints, seen_at = now()`
  await db.$executeRaw`DELETE FROM "secrets_key_holders" WHERE seen_at < now() - interval '15 seconds'`
  const rows = await db.secretsKeyHolder.findMany({ select: { fingerprints: true } })
  return rows.map(row => row.fingerprints)
}

/** From here on the process ignores the older keys, as a newly started one does. */
async function claimForFirstKey(db: PrismaClient, fingerprint: string): Promise<void> {
  await db.secretsKey.updateMany({ where: { fingerprint: { not: fingerprint } }, data: { fingerprint } })
}

type May = { replace: () => boolean; mark: () => boolean }
type Found = { first: number; older: number; unreadable: number }

async function lookThrough(tools: ResealTools, may: May, signal: AbortSignal): Promise<Found> {
  const found = await lookAtAccounts(tools, may)
  await slowly(readEndpointSecrets(tools.db), row => lookAtEndpoint(tools, may, row))
  await slowly(readCertificateKeys(tools.db), row => lookAtCertificate(tools, may, row))
  return found

  /** Pauses after each page. */
  async function slowly<Row>(
    pages: AsyncGenerator<Row[]>,
    look: (row: Row) => Promise<Found>,
  ): Promise<void> {
    let beganAt = performance.now()
    for await (const page of pages) {
      for (const row of page) {
        const { first, older, unreadable } = await look(row)
        found.first += first
        found.older += older
        found.unreadable += unreadable
      }
      const restMs = Math.min(mostRestMs, restAfter * (performance.now() - beganAt))
      await wait(restMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      beganAt = performance.now()
    }
  }
}

async function lookAtEndpoint(
  { db, seal }: ResealTools,
  may: May,
  { id, sealedSecret, sealedPreviousSecret }: EndpointSecrets,
): Promise<Found> {
  const label = endpointLabel(id)
  const fresh = (sealed: Uint8Array) => seal.close(seal.open(sealed, label), label)
  const by = seal.keyOf(sealedSecret, label)
  const previousBy = sealedPreviousSecret ? seal.keyOf(sealedPreviousSecret, label) : 'none'
  if (by === 'older' && may.replace()) {
    const data = { sealedSecret: await fresh(sealedSecret) }
    await manage(db, tx => tx.webhookEndpoint.updateMany({ where: { id, sealedSecret }, data }))
  }
  if (sealedPreviousSecret && previousBy === 'older' && may.replace()) {
    const data = { sealedPreviousSecret: await fresh(sealedPreviousSecret) }
    await db.webhookEndpoint.updateMany({ where: { id, sealedPreviousSecret }, data })
  }
  return {
    first: [by, previousBy].filter(which => which === 'first').length,
    older: [by, previousBy].filter(which => which === 'older').length,
    unreadable: by === null ? 1 : 0,
  }
}

/** Updates the row only if its value has not changed: another process may have issued a new certificate. */
async function lookAtCertificate(
  { db, clock, seal }: ResealTools,
  may: May,
  { name, sealedKey, sealedOrderKey, unreadableSince }: CertificateKeys,
): Promise<Found> {
  const label = certificateLabel(name)
  const fresh = (sealed: Uint8Array) => seal.close(seal.open(sealed, label), label)
  const by = sealedKey ? seal.keyOf(sealedKey, label) : 'none'
  const orderBy = sealedOrderKey ? seal.keyOf(sealedOrderKey, label) : 'none'
  if (sealedKey && (by === null ? may.mark() && !unreadableSince : unreadableSince)) {
    const since = by === null ? new Date(clock.now()) : null
    await db.certificate.updateMany({ where: { name, sealedKey }, data: { unreadableSince: since } })
  }
  if (sealedKey && by === 'older' && may.replace()) {
    const data = { sealedKey: await fresh(sealedKey) }
    await db.certificate.updateMany({ where: { name, sealedKey }, data })
  }
  if (sealedOrderKey && orderBy === 'older' && may.replace()) {
    const data = { sealedOrderKey: await fresh(sealedOrderKey) }
    await db.certificate.updateMany({ where: { name, sealedOrderKey }, data })
  }
  return {
    first: [by, orderBy].filter(which => which === 'first').length,
    older: [by, orderBy].filter(which => which === 'older').length,
    unreadable: by === null ? 1 : 0,
  }
}

async function lookAtAccounts({ db, clock, seal }: ResealTools, may: May): Promise<Found> {
  const found = { first: 0, older: 0, unreadable: 0 }
  for (const { directoryUrl, sealedKey, unreadableSince } of await db.acmeAccount.findMany()) {
    const label = accountLabel(directoryUrl)
    const by = seal.keyOf(sealedKey, label)
    const where = { directoryUrl, sealedKey }
    if (by === null) found.unreadable++
    if (by === 'first') found.first++
    if (by === 'older') found.older++
    if (by === null ? may.mark() && !unreadableSince : unreadableSince) {
      const since = by === null ? new Date(clock.now()) : null
      await db.acmeAccount.updateMany({ where, data: { unreadableSince: since } })
    }
    if (by === 'older' && may.replace()) {
      const fresh = await seal.close(seal.open(sealedKey, label), label)
      await db.acmeAccount.updateMany({ where, data: { sealedKey: fresh } })
    }
  }
  return found
}
