import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

const name = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** Domains at which anybody can have an address. */
const publicDomains = new Set(
  `126.com 163.com aol.com bluewin.ch comcast.net fastmail.com freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
  googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.fr icloud.com laposte.net libero.it live.com mac.com mail.com mail.ru
  me.com msn.com orange.fr outlook.com outlook.de proton.me protonmail.com qq.com rediffmail.com rocketmail.com t-online.de
  tuta.com tutanota.com web.de yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com`.split(
    /\s+/,
  ),
)

/**
 * Parses a domain that an owner typed. Returns its canonical spelling, in lower case and punycode, or what is wrong
 * with it.
 */
export function parseJoinDomain(given: string): { domain: string } | { problem: string } {
  const typed = given.trim().replace(/^@/, '').replace(/\.$/, '')
  const domain = toAscii(typed)
  if (domain === null || domain.length > 253)
    return { problem: 'must be the domain of e-mail addresses, such as acme.example' }
  const { domain: registered, isIp } = parse(domain, { allowPrivateDomains: true })
  if (isIp || registered === null)
    return { problem: 'must not be a suffix under which anybody can have a domain' }
  if (publicDomains.has(domain))
    return { problem: `must not be ${domain}: anybody can have such an address. Invite people instead` }
  return { domain }
}

/** The domain of an address in the spelling of `parseJoinDomain`; null if the address is not of the usual form. */
export function domainOfAddress(address: string): string | null {
  const [, domain = ''] = /^[^\s@"<>(),;:\\]{1,64}@([^\s@]+)$/.exec(address) ?? []
  return toAscii(domain)
}

/**
 * Converts letters outside ASCII to punycode. Refuses a text in which the conversion changes anything else, for example
 * full-width or invisible letters, because a domain must have only one spelling.
 */
function toAscii(domain: string): string | null {
  const given = domain.toLowerCase()
  const ascii = /^[\x21-\x7e]*$/.test(given) ? given : domainToASCII(given)
  return name.test(ascii) && (ascii === given || domainToUnicode(ascii) === given) ? ascii : null
}
