import type { Invitation } from '../../generated/prisma/client.ts'
import type { Charge } from '../../limiter/charge.ts'
import { acceptedOrRefused } from '../../limiter/decision.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Logger } from '../../tools/log.ts'
import type { Mail } from '../../tools/mail.ts'
import type { Db } from '../db.ts'
import { invalidInput } from '../errors.ts'
import type { Project } from '../project.ts'
import { hashInHex } from '../secrets.ts'

/**
 * Parses an e-mail address in ASCII, without quotes, comments or a list. All mail servers read such an address alike,
 * also in a header.
 */
export function parseMailAddress(field: string, given: string): string {
  const address = given.trim()
  const [local = '', domain = '', ...more] = address.split('@')
  const isLocal = local.length <= 64 && /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local)
  const labels = domain.split('.')
  const isDomain =
    labels.length > 1 && labels.every(label => /^[a-z0-9-]{1,63}$/i.test(label) && !/^-|-$/.test(label))
  if (address.length <= 254 && more.length === 0 && isLocal && isDomain) return address
  const message =
    'must be an e-mail address such as ada@example.com; a domain with other letters begins with xn--'
  throw invalidInput([{ field, message }])
}

/**
 * A project sends at most 20 invitations an hour, and five a day to one address. The limiter stores only a hash of the
 * address.
 */
const limitsOf = ({ id }: Project, address: string): Record<'ofAddress' | 'ofProject', Charge> => ({
  ofAddress: {
    ...{ subject: `mail:${id}:${hashInHex(address.toLowerCase())}`, points: 1 },
    windows: [{ name: 'day', seconds: 24 * 60 * 60, limit: 5 }],
  },
  ofProject: {
    ...{ subject: `mail:${id}`, points: 1 },
    windows: [{ name: 'hour', seconds: 60 * 60, limit: 20 }],
  },
})

/** Counts a message towards both limits. A message over one of the limits counts towards neither. */
async function isWithinLimits(limiter: Limiter, project: Project, address: string): Promise<boolean> {
  const { ofAddress, ofProject } = limitsOf(project, address)
  const charge = async ({ subject, points, ...rules }: Charge) =>
    (await acceptedOrRefused(limiter.consume(subject, points, rules))).outcome === 'accepted'
  if (!(await charge(ofAddress))) return false
  if (await charge(ofProject)) return true
  await limiter.reward(ofAddress.subject, ofAddress.points, ofAddress)
  return false
}

type Post = { db: Db; limiter: Limiter; log: Logger; mail: Mail | null }
export type MailedInvitation = { project: Project; invitation: Invitation; url: string }

/** Mails the link of an invitation. Never throws, because the invitation already exists. */
export async function mailInvitation(
  { db, limiter, log, mail }: Post,
  address: string,
  { project, invitation: { role, invitedBy }, url }: MailedInvitation,
  until?: AbortSignal,
): Promise<'sent' | 'failed' | 'limited' | 'unavailable'> {
  if (!mail) return 'unavailable'
  try {
    if (!(await isWithinLimits(limiter, project, address))) return 'limited'
    const inviter = invitedBy && (await db.person.findUnique({ where: { id: invitedBy } }))
    const text = invitationText(project.slug, role, inviter ? inviter.name : null, url)
    const subject = `Invitation to the project ${project.slug}`
    return (await mail.send({ to: address, subject, text }, until)) ? 'sent' : 'failed'
  } catch (err) {
    log.error({ err }, 'an invitation could not be mailed')
    return 'failed'
  }
}

/** Names the project by its slug, which has no room for an advertisement or a link. */
export function invitationText(slug: string, role: string, inviter: string | null, url: string): string {
  return `${inviter && isPlainName(inviter) ? inviter : 'Somebody'} invites you to the project ${slug} as ${role}.

To join, open this link and press the button:

${url}

The link works once, within seven days. If you do not know the project, ignore this message: nothing happens then.
`
}

/**
 * Members choose their names themselves, so the message leaves out a name that could contain a link or a phone number.
 */
const isPlainName = (name: string) => /^[\p{L}\p{M} .'’-]+$/u.test(name) && !/\.\S/.test(name)
