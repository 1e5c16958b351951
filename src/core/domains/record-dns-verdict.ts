import { type Domain, Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import { setCertificateAside, wantCertificate } from '../certificates/certificates.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { driftForgivenMs, nextLiveCheck, nextPendingCheck } from '../hosts/dns-check-schedule.ts'
import type { DnsLook, DnsVerdict } from '../hosts/dns-verdict.ts'
import { claimed, noteHeld, requireTokenBesideAddresses, verifyOwnership } from './ownership.ts'

/** The request of a project, or a check of the schedule that began at this time. */
type Cause = { isRequested: true } | { isRequested: false; beganAt: number }

/** Stores the result of a DNS check: the owner of the name, the domain's state, and the time of the next check. */
export async function recordDnsVerdict(
  db: PrismaClient,
  clock: Clock,
  id: string,
  look: DnsLook,
  cause: Cause,
): Promise<Domain> {
  try {
    return await manage(db, tx => record(tx, clock, id, look, cause))
  } catch (error) {
    // A concurrent transaction proved the name for another project first, and the unique index refused this
    // transaction.
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')) throw error
    return manage(db, tx => record(tx, clock, id, { ...look, verdict: claimed(look.verdict) }, cause))
  }
}

async function record(tx: Db, clock: Clock, id: string, look: DnsLook, cause: Cause): Promise<Domain> {
  const stored = await tx.domain.findUnique({ where: { id }, include: { project: true } })
  if (!stored) throw new StoreError('domain_not_found', 'The domain has been removed.')
  // The project has requested a check since this one began, and the requested check sees newer records.
  if (!cause.isRequested && Number(stored.checkRequestedAt) > cause.beganAt) return stored
  const { isRequested } = cause
  const now = new Date(clock.now())
  const domain = { ...stored, zone: look.zone ?? stored.zone }
  const verdict = requireTokenBesideAddresses(domain, look)
  if (verdict.code !== null) {
    return domain.ownedName
      ? keepOrDrop(tx, now, domain, verdict)
      : goOnWaiting(tx, now, domain, verdict, isRequested)
  }
  if (domain.ownedName === null) {
    const ownership = await verifyOwnership(tx, domain, look)
    if (!ownership.free) return goOnWaiting(tx, now, domain, ownership.verdict, isRequested)
    if (ownership.owner) await takeFrom(tx, now, ownership.owner)
  }
  await noteHeld(tx, now, domain)
  const live = await write(tx, now, domain, verdict, {
    ownedName: domain.name,
    state: 'live',
    verifiedAt: domain.verifiedAt ?? now,
    driftedAt: null,
    nextLookAt: nextLiveCheck(false, now.getTime()),
  })
  if (domain.ownedName === null) await wantCertificate(tx, now, domain.name)
  return live
}

/** Takes the name from its former owner: a new proof outweighs an old one. */
async function takeFrom(tx: Db, now: Date, owner: Domain): Promise<void> {
  await tx.domain.updateMany({
    where: { id: owner.id, ownedName: owner.name },
    data: {
      ownedName: null,
      state: 'stale',
      driftedAt: null,
      nextLookAt: null,
      lookedAt: now,
      verdict: claimed({ ...nothingFound, expected: [] }),
    },
  })
}

async function goOnWaiting(
  tx: Db,
  now: Date,
  domain: Domain,
  verdict: DnsVerdict,
  isRequested: boolean,
): Promise<Domain> {
  // Verifying a stale domain starts its schedule of checks again.
  const looksSince = isRequested && domain.state === 'stale' ? now : domain.looksSince
  const nextLookAt = nextPendingCheck(looksSince, now.getTime(), verdict.code === 'spreading')
  return write(tx, now, domain, verdict, { state: nextLookAt ? 'pending' : 'stale', looksSince, nextLookAt })
}

/**
 * Keeps a live domain served for seven days after its record changed. An unanswered lookup does not count as a change.
 */
async function keepOrDrop(tx: Db, now: Date, domain: Domain, verdict: DnsVerdict): Promise<Domain> {
  const nextLookAt = nextLiveCheck(true, now.getTime())
  if (verdict.code === 'dns_unreachable' || verdict.code === 'spreading')
    return write(tx, now, domain, verdict, { nextLookAt })
  const driftedAt = domain.driftedAt ?? now
  if (now.getTime() - driftedAt.getTime() < driftForgivenMs) {
    return write(tx, now, domain, verdict, { state: 'drifted', driftedAt, nextLookAt })
  }
  await setCertificateAside(tx, domain.name)
  return write(tx, now, domain, verdict, {
    ownedName: null,
    state: 'stale',
    driftedAt: null,
    nextLookAt: null,
  })
}

function write(
  tx: Db,
  now: Date,
  domain: Domain,
  verdict: DnsVerdict,
  data: Prisma.DomainUpdateInput,
): Promise<Domain> {
  return tx.domain.update({
    where: { id: domain.id },
    data: { ...data, verdict, zone: domain.zone, lookedAt: now, leasedUntil: null },
  })
}

const nothingFound = { code: null, message: '', found: [], inTheWay: null }
