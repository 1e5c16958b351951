import { randomUUID } from 'node:crypto'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Logger } from '../tools/log.ts'
import type { Metrics, SealedCounts } from '../tools/metrics.ts'
import { checkRows, type RowTools } from './sealed-rows.ts'
import type { Work } from './worker.ts'

export type ResealTools = RowTools & { log: Logger; metrics: Metrics }

const everyMs = 5_000
/**
 * Scan all rows again after this pause, even if nothing was found: another process may still seal with an older key.
 */
const wholeEveryMs = 5 * 60_000

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
    // Two runs at once: while one run scans the rows, which can take minutes, the next runs report that this process
    // still runs.
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
        // True only if all running processes have the new key: a process without it could not open the row.
        replace() {
          const [first = ''] = seal.fingerprints()
          return running.every(keys => keys.includes(first))
        },
        // True only if this process has the keys of all running processes: a key that this process lacks might open the
        // row.
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
        const found = await checkRows(tools, may, signal)
        if (signal.aborted || seal.fingerprints().join() !== scannedWith) return
        const isAllOurs = found.first > 0 && found.older + found.unreadable === 0
        if (isAllOurs && allSealAlike) await claimForFirstKey(db, own[0] ?? '')
        // If a running process lacks our first key, that process seals new rows with another key. Report the number of
        // rows with older keys as unknown (null) in this case, instead of zero.
        report({ ...found, older: found.older === 0 && !allSealAlike ? null : found.older })
      } finally {
        isScanning = false
        // Scan again soon until a scan finds nothing: before that, another process may still seal with an older key.
        const isDone = sealed.older === 0 && sealed.unreadable === 0
        wholeDueAt = performance.now() + (isDone ? wholeEveryMs : everyMs / 2)
      }
    },

    end: () => db.secretsKeyHolder.deleteMany({ where: { processId } }),
  }
}

/**
 * Reports that this process runs, and returns the keys of all running processes. A process counts as running if it has
 * reported within the last 15 seconds by the database's clock.
 */
async function announceAndReadKeys(db: PrismaClient, processId: string, own: string[]): Promise<string[][]> {
  await db.$executeRaw`
    INSERT INTO "secrets_key_holders" (process_id, fingerprints) VALUES (${processId}::uuid, ${own})
    ON CONFLICT (process_id) DO UPDATE SET fingerprints = EXCLUDED.fingerprints, seen_at = now()`
  await db.$executeRaw`DELETE FROM "secrets_key_holders" WHERE seen_at < now() - interval '15 seconds'`
  const rows = await db.secretsKeyHolder.findMany({ select: { fingerprints: true } })
  return rows.map(row => row.fingerprints)
}

/** Claims the database for the first key. From then on, a process that has only older keys may not seal. */
async function claimForFirstKey(db: PrismaClient, fingerprint: string): Promise<void> {
  await db.secretsKey.updateMany({ where: { fingerprint: { not: fingerprint } }, data: { fingerprint } })
}
