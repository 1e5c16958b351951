import acme from 'acme-client'
import { withinLife } from '../core/certificates/authority-pauses.ts'
import { noOrder } from '../core/certificates/certificates.ts'
import { takeOrder } from '../core/certificates/orders.ts'
import { isGraceOverFor } from '../core/hosts/grace-period.ts'
import { checkCaa } from '../hosting/caa.ts'
import { AuthorityRefusal, KeptPause, type OrderStep } from '../hosting/certificate-authority.ts'
import { certificateLabel } from '../hosting/seal.ts'
import { type Lease, LeaseLost, openLease } from './certificate-lease.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { type IssuedCertificate, readIssued } from './issued-certificate.ts'
import { noteRefusal } from './note-refusal.ts'
import { findRenewalTimes, firstTryAt } from './renewal-time.ts'

const hourMs = 3_600_000
const minRenewalMs = 60_000
const dayMs = 24 * hourMs
const mostFailedValidations = 4
/** Authorities finish an order within minutes. After this time it is probably lost. */
const orderDeadlineMs = hourMs
const shortestPauseMs = 100
const longestPauseMs = 5 * 60_000

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
    await issue(tools, lease)
  } catch (error) {
    if (error instanceof LeaseLost) return null
    // Release the lease, so that a process with the right key continues.
    if (signal.aborted || tools.seal.refusal() !== null) {
      await lease.letGo()
      return null
    }
    if (!(error instanceof AuthorityRefusal) && !tools.database.outage.note(error))
      tools.log.error({ error, name }, 'a certificate cannot be issued')
    const refusal = error instanceof AuthorityRefusal ? error : null
    if (refusal) noteRefusal(tools, name, refusal)
    const problem = {
      code: refusal?.code ?? 'ca_refused',
      message: refusal?.message ?? 'Something went wrong on our side; it is tried again.',
      record: null,
    } as const
    await lease.giveUp(problem, refusal?.retryAt ?? null)
  }
  return lease.dueAt()
}

async function issue(tools: CertificateTools, lease: Lease): Promise<void> {
  const { clock, db } = tools
  const row = await lease.read()
  const now = new Date(clock.now())
  // The certificate becomes due again when the project's plan includes domains again.
  if (await isGraceOverFor(db, now, lease.name))
    return lease.finish({ nextStepAt: new Date(now.getTime() + dayMs) })
  if (row.chain && !row.orderUrl && row.notBefore && row.notAfter && row.notAfter.getTime() > clock.now()) {
    const times = await findRenewalTimes(tools, {
      name: row.name,
      chain: row.chain,
      notBefore: row.notBefore,
      notAfter: row.notAfter,
      issuedAt: row.issuedAt,
    })
    if (times.renewAt.getTime() > clock.now()) {
      return lease.finish({ renewAt: times.renewAt, nextStepAt: times.nextStepAt })
    }
  }

  const orderedAt = row.orderedAt?.getTime() ?? clock.now()
  if (row.orderUrl && clock.now() - orderedAt > orderDeadlineMs) return giveUpOrder(lease)
  // The previous version of the service sends orders without writing `ordered_at`.
  if (row.orderUrl && !row.orderedAt) await lease.save({ orderedAt: new Date(orderedAt) })

  const recent = row.failedValidations.filter(at => at.getTime() > clock.now() - hourMs)
  const oldest = recent[0]
  if (!row.orderUrl && oldest && recent.length >= mostFailedValidations) {
    // The authority counts failures, and would block the name for longer than this pause.
    const nextStepAt = new Date(oldest.getTime() + hourMs)
    const message = `Four validations of ${lease.name} failed within an hour; the next attempt is at ${nextStepAt.toISOString()}.`
    const problem = { code: 'validation_failed', message, record: null }
    return lease.finish({ nextStepAt, failedValidations: recent, problem })
  }
  const orderUrl = row.orderUrl ?? (await startOrder(tools, lease, row.chain))
  if (orderUrl) await followOrder(tools, lease, { url: orderUrl, orderedAt }, recent)
}

/** Starts an order. Checks CAA first, because the authority counts validations that fail because of CAA. */
async function startOrder(
  { authority, clock, db, dns, orderBounds, seal }: CertificateTools,
  lease: Lease,
  chain: string | null,
) {
  const caa = await checkCaa(dns, lease.name, await authority.issuer(lease.name))
  if (caa.outcome !== 'allowed') {
    const code = caa.outcome === 'blocked' ? 'caa_blocks' : 'dns_unreachable'
    const record = caa.outcome === 'blocked' ? caa.record : null
    await lease.giveUp({ code, message: caa.message, record }, null)
    return null
  }
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
  const orderUrl = await authority.startOrder(lease.name, chain).catch(async error => {
    if (error instanceof KeptPause) await taken.giveBack()
    throw error
  })
  await lease.save({ orderUrl, orderedAt: new Date(clock.now()) })
  return orderUrl
}

type Order = { url: string; orderedAt: number }

async function followOrder(
  tools: CertificateTools,
  lease: Lease,
  order: Order,
  failedValidations: Date[],
): Promise<void> {
  const { authority, clock, seal, db } = tools
  const { sealedOrderKey, orderMovedAt: moved, notAfter } = await lease.read()
  if (!sealedOrderKey) return lease.finish({ ...noOrder, nextStepAt: new Date(clock.now()) })
  if (seal.keyOf(sealedOrderKey, certificateLabel(lease.name)) === null) {
    await seal.requireKey()
    const message = "The key of the name's order cannot be opened. Re-verify starts a new attempt."
    return lease.giveUp({ code: 'key_unreadable', message, record: null }, null)
  }
  const key = seal.open(sealedOrderKey, certificateLabel(lease.name))
  const [, csr] = await acme.crypto.createCsr({ altNames: [lease.name] }, key)
  const expiresAt = new Date(clock.now() + 24 * hourMs)
  const publish = async (token: string, keyAuthorization: string) => {
    const challenge = { name: lease.name, keyAuthorization, expiresAt }
    await db.acmeChallenge.upsert({ where: { token }, create: { token, ...challenge }, update: challenge })
  }

  const step = await authority.advance(lease.name, order.url, csr, publish)
  if (step.outcome === 'issued') return keepIssued(tools, lease, readIssued(step.chain, key, lease.name))
  if (step.outcome !== 'pending') return endOrder(tools, lease, step, failedValidations)
  const now = clock.now()
  const orderMovedAt = step.moved ? new Date(now) : (moved ?? new Date(order.orderedAt))
  const quietMs = now - orderMovedAt.getTime()
  const askedMs = withinLife(new Date(now), new Date(now + step.waitMs), notAfter).getTime() - now
  const pauseMs = Math.max(askedMs, shortestPauseMs, Math.min(longestPauseMs, quietMs / 4))
  // Give up an overdue order even if the authority asks to wait longer.
  const endsInMs = Math.max(0, order.orderedAt + orderDeadlineMs + 1 - now)
  await lease.finish({ orderMovedAt, nextStepAt: new Date(now + Math.min(pauseMs, endsInMs)) })
}

async function endOrder(
  tools: CertificateTools,
  lease: Lease,
  step: Extract<OrderStep, { outcome: 'invalid' | 'gone' }>,
  earlier: Date[],
): Promise<void> {
  const { clock } = tools
  await lease.save(noOrder)
  if (step.outcome === 'gone') return lease.finish({ nextStepAt: firstTryAt(clock) })
  await lease.save({ failedValidations: [...earlier, new Date(clock.now())] })
  const message = `The certificate authority could not validate ${lease.name}: ${step.message}`
  noteRefusal(tools, lease.name, { code: 'validation_failed', message, retryAt: null })
  await lease.giveUp({ code: 'validation_failed', message, record: null }, null)
}

async function giveUpOrder(lease: Lease): Promise<void> {
  await lease.save(noOrder)
  const message = 'The certificate authority has not finished the order within an hour; another one follows.'
  await lease.giveUp({ code: 'overdue', message, record: null }, null)
}

async function keepIssued(tools: CertificateTools, lease: Lease, issued: IssuedCertificate) {
  const { seal, log } = tools
  const { chain, key, notBefore, notAfter } = issued
  const issuedAt = new Date(tools.clock.now())
  const times = await findRenewalTimes(tools, { name: lease.name, chain, notBefore, notAfter, issuedAt })
  await lease.keepIssued({
    chain,
    sealedKey: await seal.close(key, certificateLabel(lease.name)),
    notBefore,
    notAfter,
    issuedAt,
    ...times,
    // Without this pause, an authority whose new certificates are due for renewal at once would get one order after
    // another.
    nextStepAt: new Date(Math.max(times.nextStepAt.getTime(), issuedAt.getTime() + minRenewalMs)),
  })
  log.info({ name: lease.name, notAfter }, 'a certificate was issued')
}
