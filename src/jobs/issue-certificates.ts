import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import acme from 'acme-client'
import { noTurn } from '../core/certificates/authority-turns.ts'
import { noOrder } from '../core/certificates/certificates.ts'
import { takeOrder } from '../core/certificates/orders.ts'
import { isGraceOverFor } from '../core/hosts/grace-period.ts'
import { type Certificate, Prisma } from '../generated/prisma/client.ts'
import { AuthorityRefusal, type CertificateAuthority, StoredPause } from '../hosting/certificate-authority.ts'
import { certificateLabel } from '../hosting/seal.ts'
import { dayMs, hourMs } from '../tools/durations.ts'
import { type Lease, LeaseLost, openLease } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { authorityOf, authorityThatIssued, chooseAuthority } from './choose-authority.ts'
import { type CertificateOrder, deadlineOf, followOrder } from './follow-order.ts'
import { noteRefusal } from './note-refusal.ts'
import { endRefusedStep } from './refused-step.ts'
import { findRenewalTimes } from './renewal-time.ts'

const mostFailedValidations = 4
/** How long a process that shuts down still waits for a certificate authority, which may be silent for 15 s. */
const endingMs = 1_000

/**
 * Takes the next step of one certificate. A pending order does not occupy the worker: the lease is released, and the
 * next step is due later.
 */
export async function issueCertificate(
  tools: CertificateTools,
  name: string,
  leasedUntil: Date,
  signal: AbortSignal,
): Promise<Date | null> {
  const lease = openLease(tools.db, tools.clock, name, leasedUntil)
  try {
    await takeStep(tools, lease, signal)
  } catch (error) {
    if (error instanceof LeaseLost) return null
    throw error
  }
  return lease.dueAt()
}

async function takeStep(tools: CertificateTools, lease: Lease, signal: AbortSignal): Promise<void> {
  const stepEnded = new AbortController()
  try {
    await Promise.race([issue(tools, lease), endOfProcess(signal, stepEnded.signal)])
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    // If this process shuts down, or if its SECRETS_KEY does not open the keys, release the lease, so that another
    // process continues.
    if (signal.aborted || tools.seal.refusal() !== null) await lease.letGo()
    else await endFailedStep(tools, lease, error)
  } finally {
    stepEnded.abort()
  }
}

/**
 * Rejects `endingMs` after the process has begun to shut down. The step goes on, but cannot write, because its lease is
 * released.
 */
async function endOfProcess(ending: AbortSignal, stepEnded: AbortSignal): Promise<never> {
  if (!ending.aborted) await once(ending, 'abort', { signal: stepEnded })
  await wait(endingMs, undefined, { signal: stepEnded })
  throw new Error('The process ends.')
}

async function endFailedStep(tools: CertificateTools, lease: Lease, error: unknown): Promise<void> {
  const { clock, database, log } = tools
  if (!(error instanceof AuthorityRefusal)) {
    if (!database.outage.note(error)) log.error({ error, name: lease.name }, 'a certificate cannot be issued')
    const message = 'Something went wrong on our side; it is tried again.'
    return lease.giveUp({ code: 'ca_refused', message, record: null })
  }
  const authority = authorityOf(tools, await lease.read()) ?? tools.authorities[0]
  noteRefusal(tools, lease.name, authority, error)
  const { code, message, retryAt } = error
  const problem = { code, message, record: null }
  // Our own account key cannot be opened: this is no refusal by the authority.
  if (code === 'key_unreadable') return lease.giveUp(problem)
  await endRefusedStep(tools, lease, { authority, problem, retryAt, since: new Date(clock.now()) })
}

async function issue(tools: CertificateTools, lease: Lease): Promise<void> {
  const { clock, db } = tools
  const row = await lease.read()
  const now = new Date(clock.now())
  // The plan of the project includes no domains, and the grace period is over. Look again only after a day. If the
  // project moves back to a plan with domains, the next run of `noteGrace` makes the certificate due.
  if (await isGraceOverFor(db, now, lease.name))
    return lease.finish({ nextStepAt: new Date(now.getTime() + dayMs) })
  if (row.chain && !row.orderUrl && row.notBefore && row.notAfter && row.notAfter.getTime() > clock.now()) {
    const { name, chain, notBefore, notAfter, issuedAt } = row
    const issued = { name, chain, notBefore, notAfter, issuedAt }
    const times = await findRenewalTimes(tools, issued, authorityThatIssued(tools, row))
    if (times.renewAt.getTime() > clock.now()) {
      // The renewal may have failed before, and the authority may have suggested a later time after the failure. Clear
      // the problem of the failed renewal, because a renewal that is not due has no problem.
      const { renewAt, nextStepAt } = times
      return lease.finish({ renewAt, nextStepAt, ...(row.problem && { problem: Prisma.DbNull }) })
    }
  }

  const order = await findOrder(tools, lease, row)
  // The previous version of the service sends orders without writing `ordered_at`.
  if (order && !row.orderedAt) await lease.save({ orderedAt: new Date(order.orderedAt) })

  const recent = row.failedValidations.filter(at => at.getTime() > clock.now() - hourMs)
  const oldest = recent[0]
  if (!order && oldest && recent.length >= mostFailedValidations) {
    // Pause before the authority does: the authority counts failed validations too, and after more of them, the
    // authority would block the name for longer than this pause.
    const nextStepAt = new Date(oldest.getTime() + hourMs)
    const message = `Four validations of ${lease.name} failed within an hour; the next attempt is at ${nextStepAt.toISOString()}.`
    const problem = { code: 'validation_failed', message, record: null }
    return lease.finish({ nextStepAt, failedValidations: recent, problem })
  }
  const followed = order ?? (await startOrder(tools, lease, row))
  if (followed) await followOrder(tools, lease, followed, recent)
}

/**
 * Returns the certificate's order. Abandons an order of an authority that is no longer configured. Also abandons an
 * order whose deadline passed while no job followed it, because its domain was removed and later added again.
 */
async function findOrder(
  tools: CertificateTools,
  lease: Lease,
  row: Certificate,
): Promise<CertificateOrder | null> {
  const { orderUrl: url, wantedSince, notAfter } = row
  if (!url) return null
  const authority = authorityOf(tools, row)
  const orderedAt = row.orderedAt?.getTime() ?? tools.clock.now()
  if (authority) {
    const order = { url, authority, orderedAt }
    const isOverdue = tools.clock.now() > deadlineOf(tools, order, notAfter)
    if (!isOverdue || wantedSince.getTime() <= orderedAt) return order
    await lease.save(noOrder)
    return null
  }
  tools.log.warn(
    { name: lease.name, directory: row.directoryUrl },
    'an order is abandoned, because its certificate authority is not configured any more',
  )
  await lease.save({ ...noOrder, ...noTurn })
  return null
}

async function startOrder(
  tools: CertificateTools,
  lease: Lease,
  row: Certificate,
): Promise<CertificateOrder | null> {
  const { clock, db, orderBounds, seal } = tools
  const authority = await chooseAuthority(tools, lease, row)
  if (!authority) return null
  const key = (await acme.crypto.createPrivateEcdsaKey()).toString()
  const sealedOrderKey = await seal.close(key, certificateLabel(lease.name))
  const taken = await takeOrder(db, new Date(clock.now()), orderBounds, lease.name)
  if (taken.outcome === 'unwanted') {
    await lease.finish({ nextStepAt: null })
    return null
  }
  if (taken.outcome === 'bounded') {
    const problem = { code: 'too_many_orders', message: taken.message, record: null }
    await lease.finish({ nextStepAt: taken.nextAt, problem })
    return null
  }
  // Store the key first: if this process ends, another one needs the key to finish the order.
  await lease.save({ sealedOrderKey })
  const url = await authority.startOrder(lease.name, replacedBy(tools, authority, row)).catch(async error => {
    if (error instanceof StoredPause) await taken.giveBack()
    throw error
  })
  const orderedAt = clock.now()
  await lease.save({ orderUrl: url, orderedAt: new Date(orderedAt) })
  return { url, authority, orderedAt }
}

/**
 * Returns the certificate that an order replaces; null at any authority other than its issuer, because other
 * authorities do not know it.
 */
function replacedBy(
  tools: CertificateTools,
  authority: CertificateAuthority,
  row: Certificate,
): string | null {
  return authority === authorityThatIssued(tools, row) ? row.chain : null
}
