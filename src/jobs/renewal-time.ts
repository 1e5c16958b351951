import { AuthorityRefusal } from '../hosting/certificate-authority.ts'
import type { Clock } from '../tools/clock.ts'
import type { CertificateTools } from './certificate-tools.ts'
import { noteRefusal } from './note-refusal.ts'

export type RenewalTimes = { renewAt: Date; nextStepAt: Date }
type Lifetime = { notBefore: Date; notAfter: Date }

const tenDaysMs = 10 * 86_400_000
const askAdviceEveryMs = 6 * 3_600_000

/** When the authority says so; where it does not, with a third of the life left, or half of a life below ten days. */
export async function judgeRenewal(
  tools: CertificateTools,
  certificate: Lifetime & { name: string; chain: string },
): Promise<RenewalTimes> {
  const { authority, clock } = tools
  const usual = usualRenewal(certificate)
  try {
    const advice = await authority.adviseRenewal(certificate.name, certificate.chain)
    if (!advice) return { renewAt: usual, nextStepAt: usual }
    return { renewAt: advice.renewAt, nextStepAt: earlier(advice.renewAt, advice.askAgainAt) }
  } catch (error) {
    if (!(error instanceof AuthorityRefusal)) throw error
    noteRefusal(tools, certificate.name, error)
    // Advice is a courtesy; without it the certificate is renewed in good time all the same.
    return { renewAt: usual, nextStepAt: earlier(usual, new Date(clock.now() + askAdviceEveryMs)) }
  }
}

function usualRenewal({ notBefore, notAfter }: Lifetime): Date {
  const life = notAfter.getTime() - notBefore.getTime()
  return new Date(notAfter.getTime() - life / (life < tenDaysMs ? 2 : 3))
}

const firstPauseMs = 15_000
const longestPauseMs = 6 * 3_600_000

/** Ever longer pauses, each of another length for each name, so that a recovering authority is not met by all at once. */
export function nextTryAt(clock: Clock, attempts: number, random = Math.random): Date {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20))
  return new Date(clock.now() + pause * (0.75 + 0.5 * random()))
}

export function firstTryAt(clock: Clock): Date {
  return new Date(clock.now())
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
