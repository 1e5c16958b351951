import acme from 'acme-client'
import { withinLife } from '../core/certificates/authority-pauses.ts'
import { turnEndOf } from '../core/certificates/authority-turns.ts'
import { noOrder } from '../core/certificates/certificates.ts'
import type { Certificate } from '../generated/prisma/client.ts'
import { AuthorityRefusal, type CertificateAuthority } from '../hosting/certificate-authority.ts'
import { certificateLabel } from '../hosting/seal.ts'
import { hourMs } from '../tools/durations.ts'
import type { Lease } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { type IssuedCertificate, readIssued } from './issued-certificate.ts'
import { noteRefusal } from './note-refusal.ts'
import { publishOnce } from './publish-challenge.ts'
import { endRefusedStep } from './refused-step.ts'
import { findRenewalTimes } from './renewal-time.ts'

const minRenewalMs = 60_000
/** Authorities finish an order within minutes. After this time it is probably lost. */
const orderDeadlineMs = hourMs
/** In milliseconds. A loss sooner than this after the order was sent counts as a refusal. */
const lostAtOnceMs = 10_000
/** In milliseconds. No pause between two polls of an order is shorter. */
const shortestPauseMs = 100
/** In milliseconds. A pause between two polls of an order is longer only if the authority asks for it. */
const longestPauseMs = 5 * 60_000
/** In milliseconds. Some authorities ask to wait a day for an order that they finish within seconds. */
const longestAdvisedMs = 10 * 60_000

/** An order, with the authority that it was sent to: no other authority can finish it. */
export type CertificateOrder = { url: string; authority: CertificateAuthority; orderedAt: number }

/**
 * Returns the time of the last step of an order, which gives the order up if the authority has not finished it. If
 * another authority is configured, this is at the latest the end of the turn of the order's authority.
 */
export function deadlineOf(
  { authorities }: CertificateTools,
  { orderedAt }: CertificateOrder,
  notAfter: Date | null,
): number {
  const deadline = orderedAt + orderDeadlineMs
  if (authorities.length === 1) return deadline
  return Math.min(deadline, turnEndOf(new Date(orderedAt), notAfter).getTime())
}

/**
 * Takes the next step of an order. An overdue order gets one last step, because the authority may have finished the
 * order since the step before.
 */
export async function followOrder(
  tools: CertificateTools,
  lease: Lease,
  order: CertificateOrder,
  failedValidations: Date[],
): Promise<void> {
  const row = await lease.read()
  const isOverdue = tools.clock.now() > deadlineOf(tools, order, row.notAfter)
  try {
    await takeOrderStep(tools, lease, order, { row, isOverdue, failedValidations })
  } catch (error) {
    if (!isOverdue || !(error instanceof AuthorityRefusal)) throw error
    noteRefusal(tools, lease.name, order.authority, error)
    await giveUpOrder(tools, lease, order)
  }
}

async function takeOrderStep(
  tools: CertificateTools,
  lease: Lease,
  order: CertificateOrder,
  { row, isOverdue, failedValidations }: { row: Certificate; isOverdue: boolean; failedValidations: Date[] },
): Promise<void> {
  const { clock, seal } = tools
  const { authority, url, orderedAt } = order
  const { sealedOrderKey, orderMovedAt: moved, notAfter } = row
  if (!sealedOrderKey) return lease.finish({ ...noOrder, nextStepAt: new Date(clock.now()) })
  if (seal.keyOf(sealedOrderKey, certificateLabel(lease.name)) === null) {
    await seal.requireKey()
    if (isOverdue) return giveUpOrder(tools, lease, order)
    const message = 'The key of the order for this name cannot be decrypted. Re-verify starts a new attempt.'
    return lease.giveUp({ code: 'key_unreadable', message, record: null })
  }
  const key = seal.open(sealedOrderKey, certificateLabel(lease.name))
  const [, csr] = await acme.crypto.createCsr({ altNames: [lease.name] }, key)

  const step = await authority.advance(lease.name, url, csr, publishOnce(tools, lease.name))
  if (step.outcome === 'issued') {
    return keepIssued(tools, lease, authority, readIssued(step.chain, key, lease.name, authority.host))
  }
  if (step.outcome === 'gone') return endLostOrder(tools, lease, order)
  if (step.outcome === 'invalid') return endOrder(tools, lease, authority, step.message, failedValidations)
  if (isOverdue) return giveUpOrder(tools, lease, order)
  const now = clock.now()
  const orderMovedAt = step.moved ? new Date(now) : (moved ?? new Date(orderedAt))
  const quietMs = now - orderMovedAt.getTime()
  const waitMs = Math.min(step.waitMs, longestAdvisedMs)
  const advisedMs = withinLife(new Date(now), new Date(now + waitMs), notAfter).getTime() - now
  const pauseMs = Math.max(advisedMs, shortestPauseMs, Math.min(longestPauseMs, quietMs / 4))
  // The last step is due at the deadline, even if the authority asks to wait longer.
  const endsInMs = Math.max(0, deadlineOf(tools, order, notAfter) + 1 - now)
  await lease.finish({ orderMovedAt, nextStepAt: new Date(now + Math.min(pauseMs, endsInMs)) })
}

/**
 * Ends the lost order and plans the next step of the certificate. If the authority lost the order at once, the
 * authority would probably lose a new order too. So a loss at once counts as a refusal by the authority.
 */
async function endLostOrder(
  tools: CertificateTools,
  lease: Lease,
  { authority, orderedAt }: CertificateOrder,
): Promise<void> {
  const { clock } = tools
  await lease.save(noOrder)
  if (clock.now() - orderedAt > lostAtOnceMs) return lease.finish({ nextStepAt: new Date(clock.now()) })
  const message = `The certificate authority ${authority.host} does not know the order that it has just accepted.`
  const refusal = { code: 'ca_refused', message, retryAt: null } as const
  noteRefusal(tools, lease.name, authority, refusal)
  const problem = { code: 'ca_refused', message, record: null } as const
  await endRefusedStep(tools, lease, { authority, problem, retryAt: null, since: new Date(orderedAt) })
}

async function endOrder(
  tools: CertificateTools,
  lease: Lease,
  authority: CertificateAuthority,
  reason: string,
  earlier: Date[],
): Promise<void> {
  const { clock } = tools
  await lease.save(noOrder)
  // A failed validation is no refusal by the authority, so the authority's turn goes on.
  const failedValidations = [...earlier, new Date(clock.now())]
  await lease.save({ failedValidations, refusedSince: null, refusals: 0 })
  const message = `The certificate authority ${authority.host} could not validate ${lease.name}: ${reason}`
  noteRefusal(tools, lease.name, authority, { code: 'validation_failed', message, retryAt: null })
  await lease.giveUp({ code: 'validation_failed', message, record: null })
}

async function giveUpOrder(tools: CertificateTools, lease: Lease, order: CertificateOrder): Promise<void> {
  const { authority, orderedAt } = order
  await lease.save(noOrder)
  const time = tools.authorities.length === 1 ? 'within an hour' : 'in time'
  const message = `The certificate authority ${authority.host} did not finish the order ${time}; a new order follows.`
  const problem = { code: 'overdue', message, record: null } as const
  await endRefusedStep(tools, lease, { authority, problem, retryAt: null, since: new Date(orderedAt) })
}

async function keepIssued(
  tools: CertificateTools,
  lease: Lease,
  authority: CertificateAuthority,
  issued: IssuedCertificate,
) {
  const { seal, log } = tools
  const { chain, key, notBefore, notAfter } = issued
  const issuedAt = new Date(tools.clock.now())
  const certificate = { name: lease.name, chain, notBefore, notAfter, issuedAt }
  const times = await findRenewalTimes(tools, certificate, authority)
  await lease.keepIssued({
    chain,
    issuedBy: authority.directoryUrl,
    sealedKey: await seal.close(key, certificateLabel(lease.name)),
    notBefore,
    notAfter,
    issuedAt,
    ...times,
    // Without this pause, an authority whose new certificates need renewal at once would get one order after another.
    nextStepAt: new Date(Math.max(times.nextStepAt.getTime(), issuedAt.getTime() + minRenewalMs)),
  })
  log.info({ name: lease.name, notAfter, authority: authority.host }, 'a certificate was issued')
}
