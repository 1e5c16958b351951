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

export type RowTools = { db: PrismaClient; clock: Clock; seal: ClaimedSeal }

/**
 * The pause after a page, in multiples of the page's time, so that a scan takes at most a tenth of a core: without
 * pauses, 100,000 rows would delay requests for seconds. The pause has an upper limit, so that resealing many rows does
 * not take forever.
 */
const restAfter = 10
const mostRestMs = 250

/**
 * Returns true if the keys of the other processes now allow this process to seal a row again, or to mark a row as
 * unreadable.
 */
export type May = { replace: () => boolean; mark: () => boolean }
type Found = { first: number; older: number; unreadable: number }

/** Seals, marks and counts all rows that hold a secret. */
export async function checkRows(tools: RowTools, may: May, signal: AbortSignal): Promise<Found> {
  const found = await checkAccounts(tools, may)
  await slowly(readEndpointSecrets(tools.db), row => checkEndpoint(tools, may, row))
  await slowly(readCertificateKeys(tools.db), row => checkCertificate(tools, may, row))
  return found

  /** Pauses after each page. */
  async function slowly<Row>(
    pages: AsyncGenerator<Row[]>,
    check: (row: Row) => Promise<Found>,
  ): Promise<void> {
    let beganAt = performance.now()
    for await (const page of pages) {
      for (const row of page) {
        const { first, older, unreadable } = await check(row)
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

async function checkEndpoint(
  { db, seal }: RowTools,
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
async function checkCertificate(
  { db, clock, seal }: RowTools,
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

async function checkAccounts({ db, clock, seal }: RowTools, may: May): Promise<Found> {
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
