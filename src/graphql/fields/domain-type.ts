import {
  certificateProblemOf,
  issuerNameIn,
  shownCertificateStateOf,
} from '../../core/certificates/certificates.ts'
import { primaryOf } from '../../core/domains/served-hosts.ts'
import type { DomainWarning as FoundWarning } from '../../core/domains/warnings.ts'
import { StoreError } from '../../core/errors.ts'
import { askAgainMs } from '../../core/hosts/dns-check-schedule.ts'
import type { DnsVerdict } from '../../core/hosts/dns-verdict.ts'
import { isGraceOver } from '../../core/hosts/grace-period.ts'
import {
  addressRecords,
  isApex,
  ownershipRecord,
  partnerName,
  readableName,
  recordToCreate,
} from '../../core/hosts/names.ts'
import { platformHostOf } from '../../core/hosts/platform-host.ts'
import { servedStateOf, servedUntilOf } from '../../core/hosts/served-state.ts'
import type { Project } from '../../core/project.ts'
import type { Domain as StoredDomain } from '../../generated/prisma/client.ts'
import type { Context } from '../context.ts'
import type { DomainResolvers, DomainWarningResolvers } from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'

/** A domain, and the project to which it is shown. */
export type ProjectDomain = { domain: StoredDomain; project: Project }

export const Domain = {
  id: ({ domain }) => makeId('domain', domain.id),
  name: ({ domain }) => domain.name,
  displayName: ({ domain }) => readableName(domain.name),
  lookalikeOf: ({ domain: { projectId, name } }, _args, { loaders }) =>
    loaders().lookalike.load({ projectId, name }),
  projectSlug: ({ project }) => project.slug,
  apex: ({ domain }) => isApex(domain.name, domain.zone),
  host: async ({ domain, project }, _args, { loaders, tools }) =>
    servedStateOf(domain, project, await loaders().graceEnd.load(project.id), tools.clock.now()),
  addedAt: ({ domain }) => domain.createdAt,
  verifiedAt: ({ domain }) => domain.verifiedAt,
  servedUntil: async ({ domain, project }, _args, { loaders, tools }) =>
    servedUntilOf(domain, project, await loaders().graceEnd.load(project.id), tools.clock.now()),
  verifyAgainAt: ({ domain }) =>
    later(domain.checkRequestedAt ?? domain.createdAt, domain.checkRequestedAt ? askAgainMs : 0),
  record: ({ domain, project }, _args, context) => recordOf(domain.name, domain.zone, project, context),
  ownershipRecord: async ({ domain, project }, _args, { loaders }) =>
    ownershipRecord(domain.name, domain.zone, await loaders().ownershipToken.load(project.id)),
  addressRecords: ({ domain }, _args, { tools }) =>
    addressRecords(domain.name, domain.zone, tools.config.hosting.platformAddresses),

  async certificate({ domain, project }, _args, context) {
    const certificate = await certificateOf(domain, context)
    return shownCertificateStateOf(certificate, await isLetGo(project, context), context.tools.clock.now())
  },

  async certificateDetails({ domain, project }, _args, context) {
    const certificate = await certificateOf(domain, context)
    if (!certificate) return null
    const { chain, notBefore, notAfter, renewAt, attempts, nextStepAt } = certificate
    const said = { issuer: chain && issuerNameIn(chain), notBefore, notAfter, attempts }
    if (await isLetGo(project, context))
      return { ...said, renewsAt: null, problem: null, nextAttemptAt: null }
    const problem = certificateProblemOf(certificate, context.tools.clock.now())
    return {
      ...said,
      renewsAt: renewAt,
      problem: problem && { ...problem, recordInTheWay: problem.record },
      nextAttemptAt: chain && !problem ? renewAt : nextStepAt,
    }
  },

  verdict({ domain }) {
    const verdict = domain.verdict as DnsVerdict | null
    if (!verdict || !domain.lookedAt) return null
    const { code, inTheWay, provider = null, ...said } = verdict
    const { lookedAt, nextLookAt } = domain
    return {
      ...said,
      code: code ?? 'verified',
      recordInTheWay: inTheWay,
      dnsProvider: provider,
      lookedAt,
      nextLookAt,
    }
  },

  async partner({ domain, project }, _args, context) {
    const name = partnerName(domain.name)
    if (!name) return null
    const added = await context.loaders().domainNamed.load({ projectId: project.id, name })
    const zone = added?.zone ?? zoneOfPartner(name, domain.zone)
    return { name, added: added !== null, record: recordOf(name, zone, project, context) }
  },

  async primary({ domain, project }, _args, context) {
    const { loaders } = context
    if (await isLetGo(project, context)) return false
    const current = await loaders().currentDeploy.load(project.id)
    if (!current) return false
    const names = await loaders().verifiedNames.load(project.id)
    return primaryOf(current.configuration.domains, names) === domain.name
  },

  async redirect({ domain, project }, _args, { loaders }) {
    const current = await loaders().currentDeploy.load(project.id)
    return current?.configuration.domains.redirects.find(({ from }) => from === domain.name) ?? null
  },
} satisfies DomainResolvers

/** A warning, and the project to which it is shown. */
export type ProjectWarning = FoundWarning & { project: Project }

export const DomainWarning = {
  async domain({ domainId, project }, _args, { loaders }) {
    const domain = await loaders().domain.load(domainId)
    // The domain was removed since the warning was read.
    if (!domain) throw new StoreError('domain_not_found', 'There is no such domain any more.')
    return { domain, project }
  },
} satisfies DomainWarningResolvers

/**
 * True if the project's plan includes no domains and the project's grace period is over. The project's domains are no
 * longer served, and the certificates of the domains are no longer renewed.
 */
async function isLetGo(project: Project, { loaders, tools }: Context): Promise<boolean> {
  return isGraceOver(project.planName, await loaders().graceEnd.load(project.id), tools.clock.now())
}

/** Returns the certificate of a domain; null if the domain's project has not proven the name. */
async function certificateOf(domain: StoredDomain, { loaders }: Context) {
  return domain.ownedName ? loaders().certificate.load(domain.ownedName) : null
}

function recordOf(name: string, zone: string | null, project: Project, { tools }: Context) {
  return recordToCreate(name, zone, platformHostOf(project, tools.hosting.platformHost))
}

/** Returns the domain's zone if that zone also contains the partner's name; otherwise null. */
function zoneOfPartner(partner: string, zone: string | null): string | null {
  return zone !== null && (partner === zone || partner.endsWith(`.${zone}`)) ? zone : null
}

function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms)
}
