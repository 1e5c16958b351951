import type { PublishChallenge } from '../hosting/certificate-authority.ts'
import { hourMs } from '../tools/durations.ts'
import type { CertificateTools } from './certificate-tools.ts'

/**
 * In milliseconds. If the authority has not ended a validation by then, it may not have received the request, because
 * the process ended before. Shorter than a lease lasts, so that the process that continues the order asks again.
 */
const mayBeLostMs = 60_000

/**
 * Publishes the responses to the challenges of a name, and asks the authority for one validation of each. Let's Encrypt
 * begins one more validation at each request, until the first one ends, and counts every failed validation.
 */
export function publishOnce({ db, clock }: CertificateTools, name: string): PublishChallenge {
  return async (token, keyAuthorization, ask) => {
    const now = new Date(clock.now())
    const challenge = { name, keyAuthorization, expiresAt: new Date(now.getTime() + 24 * hourMs) }
    const { answeredAt } = await db.acmeChallenge.upsert({
      ...{ where: { token }, create: { token, ...challenge }, update: challenge },
    })
    if (answeredAt && now.getTime() - answeredAt.getTime() < mayBeLostMs) return false
    // Write before the request: a process that ends between the two leaves no request that other processes do not know.
    const mark = { where: { token, answeredAt }, data: { answeredAt: now } }
    if ((await db.acmeChallenge.updateMany(mark)).count === 0) return false
    try {
      await ask()
    } catch (error) {
      // The authority did not accept the request, so the next step sends it again.
      await db.acmeChallenge.updateMany({ where: { token, answeredAt: now }, data: { answeredAt } })
      throw error
    }
    return answeredAt === null
  }
}
