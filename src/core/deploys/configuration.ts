import type { Domain } from '../../generated/prisma/client.ts'
import { StoreError } from '../errors.ts'
import { type NameRules, readDomainName } from '../hosts/names.ts'
import { toStorable, validateText } from '../text.ts'

export type Redirect = { from: string; to: string; status: number }
export type DeployConfiguration = {
  title: string | null
  description: string | null
  domains: DomainsConfiguration
}
type DomainsConfiguration = {
  primary: string | null
  redirects: Redirect[]
  /** Status code of redirects from http to https. Absent: the default. */
  httpsRedirectStatus?: number
}

type Optional<T> = T | null | undefined
/** The input from a form or file. Domain names may have any spelling. */
export type NewDeploy = {
  title?: Optional<string>
  description?: Optional<string>
  domains?: Optional<{
    primary?: Optional<string>
    redirects?: Optional<readonly NewRedirect[]>
    httpsRedirectStatus?: Optional<number>
  }>
}
type NewRedirect = { from: string; to: string; status?: Optional<number> }

export type Validation = { configuration: DeployConfiguration; errors: string[]; warnings: string[] }

const redirectStatuses = [301, 302, 307, 308]
const mostRedirects = 50

/** Returns all faults of a configuration at once. */
export function validateConfiguration(
  input: NewDeploy,
  ownDomains: readonly Pick<Domain, 'name' | 'ownedName'>[],
  ownPlatformHost: string,
  nameRules: NameRules,
): Validation {
  const errors: string[] = []
  const warnings: string[] = []

  function readText(
    field: string,
    value: Optional<string>,
    longest: number,
    mayContain?: Parameters<typeof validateText>[3],
  ): string | null {
    if (value === null || value === undefined || value === '') return null
    const { text, fault } = validateText(field, value, longest, mayContain)
    if (fault) errors.push(`${fault.field} ${fault.message}.`)
    return toStorable(text)
  }

  function readHost(field: string, given: string): string {
    const text = toStorable(given)
    const trimmed = text.trim().toLowerCase()
    if (trimmed === ownPlatformHost) return ownPlatformHost
    try {
      const name = readDomainName(text, nameRules)
      const known = ownDomains.find(domain => domain.name === name)
      if (!known) errors.push(`${field}: ${name} is not a domain of this project; add it first.`)
      else if (!known.ownedName)
        warnings.push(`${field}: ${name} is not verified yet and takes effect once it is.`)
      return name
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      errors.push(`${field}: ${error.details.map(detail => `"${text}" ${detail.message}`).join('; ')}.`)
      return toStorable(trimmed.slice(0, 253))
    }
  }

  const given = input.domains?.redirects ?? []
  if (given.length > mostRedirects) errors.push(`domains.redirects has more than ${mostRedirects} redirects.`)
  const primary = input.domains?.primary ? readHost('domains.primary', input.domains.primary) : null
  const redirects = given.slice(0, mostRedirects).map(({ from, to, status }, index) => {
    const field = `domains.redirects[${index}]`
    return { from: readHost(`${field}.from`, from), to: readHost(`${field}.to`, to), status: status ?? 301 }
  })
  errors.push(...validateRedirects(redirects, primary))
  const httpsRedirectStatus = input.domains?.httpsRedirectStatus ?? null
  if (httpsRedirectStatus !== null && !redirectStatuses.includes(httpsRedirectStatus))
    errors.push(wrongStatus('domains.httpsRedirectStatus', httpsRedirectStatus))
  const title = readText('title', input.title, 100)
  const description = readText('description', input.description, 1_000, 'lines')
  const domains = { primary, redirects, ...(httpsRedirectStatus !== null && { httpsRedirectStatus }) }
  const configuration = { title, description, domains }
  return { configuration, errors, warnings }
}

const wrongStatus = (field: string, status: number) =>
  `${field} is ${status}; it must be 301, 302, 307 or 308.`

function validateRedirects(redirects: Redirect[], primary: string | null): string[] {
  const next = new Map(redirects.map(redirect => [redirect.from, redirect.to]))
  const seen = new Set<string>()
  return redirects.flatMap(({ from, to, status }, index) => {
    const field = `domains.redirects[${index}]`
    const faults: string[] = []
    if (!redirectStatuses.includes(status)) faults.push(wrongStatus(`${field}.status`, status))
    if (from === primary) faults.push(`${field} starts at the primary domain ${from}, which cannot redirect.`)
    if (seen.has(from)) faults.push(`${field}: ${from} redirects already.`)
    seen.add(from)
    if (leadsBack(from, next)) faults.push(`${field}: the redirect from ${from} leads back to itself.`)
    else if (next.has(to))
      faults.push(`${field}: ${to} redirects on to ${next.get(to)}; redirect there directly.`)
    return faults
  })
}

function leadsBack(from: string, next: Map<string, string>): boolean {
  const passed = new Set<string>()
  for (let at = next.get(from); at !== undefined && !passed.has(at); at = next.get(at)) {
    if (at === from) return true
    passed.add(at)
  }
  return false
}
