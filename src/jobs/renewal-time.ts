import { withinLife } from '../core/certificates/authority-pauses.ts'
import { AuthorityRefusal, type CertificateAuthority } from '../hosting/certificate-authority.ts'
import type { Clock } from '../tools/clock.ts'
import { dayMs, hourMs } from '../tools/durations.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { noteRefusal } from './note-refusal.ts'

export type RenewalTimes = { renewAt: Date; nextStepAt: Date }
type Lifetime = { notBefore: Date; notAfter: Date }
/** `issuedAt` is by our clock, because the authority's may be wrong; null if unknown. */
type Issued = Lifetime & { name: string; chain: string; issuedAt: Date | null }

const tenDaysMs = 10 * dayMs
const askAdviceEveryMs = 6 * hourMs

/**
 * Returns the time of renewal. If the certificate's issuer is still configured and suggests a time, returns the
 * suggested time within limits. Otherwise, returns the time when a third of the certificate's life is left, or half of
 * the life if the life is shorter than ten days.
 */
export async function findRenewalTimes(
  tools: CertificateTools,
  certificate: Issued,
  issuer: CertificateAuthority | null,
): Promise<RenewalTimes> {
  const { clock } = tools
  const usual = usualRenewal(certificate)
  try {
    const advice = await issuer?.adviseRenewal(certificate.name, certificate.chain)
    if (!issuer || !advice) return { renewAt: usual, nextStepAt: usual }
    const renewAt = await boundAdvice(clock, issuer, certificate, advice.renewAt)
    return { renewAt, nextStepAt: earlier(renewAt, advice.askAgainAt) }
  } catch (error) {
    if (!(error instanceof AuthorityRefusal)) throw error
    noteRefusal(tools, certificate.name, issuer, error)
    // Ignore the error: without a suggestion, the renewal time is computed from the certificate's life, which is early
    // enough.
    return { renewAt: usual, nextStepAt: earlier(usual, new Date(clock.now() + askAdviceEveryMs)) }
  }
}

/**
 * Limits the suggested time, because an authority with a wrong clock could suggest to renew at once or never. A
 * certificate younger than a day or a tenth of its life is renewed only if it is revoked, or if its usual time of renewal
 * has come. Every certificate is renewed when a tenth of its life is left.
 */
async function boundAdvice(
  clock: Clock,
  issuer: CertificateAuthority,
  { chain, notBefore, notAfter, issuedAt }: Issued,
  advised: Date,
): Promise<Date> {
  const tenthMs = (notAfter.getTime() - notBefore.getTime()) / 10
  const youngUntil = (issuedAt ?? notBefore).getTime() + Math.max(dayMs, tenthMs)
  const isTooEarly = advised.getTime() < youngUntil
  if (isTooEarly && advised.getTime() <= clock.now() && (await issuer.isRevoked(chain))) return advised
  const least = Math.min(youngUntil, usualRenewal({ notBefore, notAfter }).getTime())
  return new Date(Math.min(Math.max(advised.getTime(), least), notAfter.getTime() - tenthMs))
}

function usualRenewal({ notBefore, notAfter }: Lifetime): Date {
  const life = notAfter.getTime() - notBefore.getTime()
  return new Date(notAfter.getTime() - life / (life < tenDaysMs ? 2 : 3))
}

const firstPauseMs = 15_000
const longestPauseMs = 6 * hourMs

/**
 * Returns the next try. The pause doubles with each attempt and is random, so that not all names retry at once when an
 * authority recovers.
 */
export function nextTryAt(clock: Clock, attempts: number, random = Math.random): Date {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20))
  return new Date(clock.now() + pause * (0.75 + 0.5 * random()))
}

/**
 * Returns the next try, but not before the authority wants to be asked again. Obeys such a wish for at most a third of
 * the certificate's remaining life.
 */
export function nextTryAfter(
  clock: Clock,
  { attempts, notAfter }: { attempts: number; notAfter: Date | null },
  retryAt: Date | null,
): Date {
  const next = nextTryAt(clock, attempts)
  const retryTime = retryAt && withinLife(new Date(clock.now()), retryAt, notAfter)
  return retryTime && retryTime > next ? nextTryAt({ ...clock, now: () => retryTime.getTime() }, 0) : next
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
