import {
  certificateProblemOf,
  findCertificates,
  shownCertificateStateOf,
} from '../../core/certificates/certificates.ts'
import { findDomain, listDomains } from '../../core/domains/domains.ts'
import { findOwnershipTokens } from '../../core/domains/ownership.ts'
import type { DnsVerdict } from '../../core/hosts/dns-verdict.ts'
import { findGraceEnds, isGraceOver } from '../../core/hosts/grace-period.ts'
import { addressRecords, isApex, ownershipRecord, recordToCreate } from '../../core/hosts/names.ts'
import { platformHostOf } from '../../core/hosts/platform-host.ts'
import { servedStateOf, servedUntilOf } from '../../core/hosts/served-state.ts'
import type { Project } from '../../core/project.ts'
import type { Domain } from '../../generated/prisma/client.ts'
import type { Tools } from '../../tools.ts'
import { requiredText, textOf } from '../arguments.ts'
import { fitPage, plain } from '../fit.ts'
import { cursorArgument, type Tool } from '../tool.ts'

const byName = (one: Domain, other: Domain) => (one.name < other.name ? -1 : 1)

export const domainTools: Tool[] = [
  {
    name: 'list_domains',
    title: 'List domains',
    description: 'Lists the custom domains of the project with the state of host, DNS and certificate.',
    scope: 'project:read',
    budget: 'management',
    effect: 'reads',
    input: { ...cursorArgument },
    async run({ tools, caller: { project }, args }) {
      const after = textOf(args, 'cursor') ?? ''
      const domains = (await listDomains(tools.db, project)).toSorted(byName)
      const rest = domains.filter(({ name }) => name > after)
      const { items, nextCursor } = fitPage(
        await statesOf(tools, project, rest),
        null,
        plain,
        ({ name }) => name,
      )
      return { domains: items, nextCursor }
    },
  },
  {
    name: 'explain_domain',
    title: 'Explain a domain',
    description: 'Returns the result of the last DNS check of a domain, and the records to create.',
    scope: 'project:read',
    budget: 'management',
    effect: 'reads',
    input: { name: { type: 'string', description: 'example: shop.example.com' } },
    required: ['name'],
    async run({ tools, caller: { project }, args }) {
      const { db, clock, config, hosting } = tools
      const domain = await findDomain(db, project, requiredText(args, 'name'))
      const { name, zone } = domain
      const [[state], [certificate], [token = '']] = await Promise.all([
        statesOf(tools, project, [domain]),
        domain.ownedName ? findCertificates(db, [domain.ownedName]) : [null],
        findOwnershipTokens(db, [project.id]),
      ])
      const verdict = domain.verdict as DnsVerdict | null
      const records = [recordToCreate(name, zone, platformHostOf(project, hosting.platformHost))]
      if (isApex(name, zone)) records.push(...addressRecords(name, zone, config.hosting.platformAddresses))
      return {
        domain: plain({
          ...state,
          checkedAt: domain.lookedAt,
          nextCheckAt: domain.nextLookAt,
          explanation: verdict?.message ?? 'DNS has not been checked yet.',
          ...(verdict && {
            found: verdict.found,
            expected: verdict.expected,
            recordInTheWay: verdict.inTheWay,
          }),
          certificateProblem: certificate && certificateProblemOf(certificate, clock.now())?.message,
          recordsToCreate: records.map(plain),
          ownershipRecord: plain(ownershipRecord(name, zone, token)),
        }),
      }
    },
  },
]

/**
 * Returns for each domain the states of the host, the DNS and the certificate, each state as one word. GraphQL shows
 * these states too.
 */
async function statesOf({ db, clock }: Tools, project: Project, domains: readonly Domain[]) {
  const now = clock.now()
  const [graceEnd = null] = await findGraceEnds(db, [project.id])
  const isLetGo = isGraceOver(project.planName, graceEnd, now)
  const owned = domains.flatMap(({ ownedName }) => ownedName ?? [])
  const certificates = new Map(
    (await findCertificates(db, owned)).map((found, index) => [owned[index], found]),
  )
  return domains.map(domain => {
    const certificate = (domain.ownedName && certificates.get(domain.ownedName)) || null
    const verdict = domain.verdict as DnsVerdict | null
    return {
      name: domain.name,
      host: servedStateOf(domain, project, graceEnd, now),
      dns: verdict ? (verdict.code ?? 'verified') : 'not_checked',
      certificate: shownCertificateStateOf(certificate, isLetGo, now),
      servedUntil: servedUntilOf(domain, project, graceEnd, now),
    }
  })
}
