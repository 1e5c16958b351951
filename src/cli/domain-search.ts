import { type Command, Option } from 'commander'
import type { DomainCertificateState, DomainHostState } from '../generated/contract.ts'
import type { CommandContext } from './command-context.ts'
import { domainName } from './domain-name.ts'
import { everyPage } from './every-page.ts'
import { exitCodes, Refused } from './exit.ts'
import { ListAllDomainsDocument, type ListAllDomainsQuery } from './generated/operations.ts'
import { moment, table } from './print.ts'
import { send } from './send.ts'

const hosts: DomainHostState[] = ['pending', 'stale', 'live', 'drifted', 'paused']
const certificates: DomainCertificateState[] = ['none', 'issuing', 'issued', 'failed', 'expiring']

type Filters = { host?: DomainHostState; certificate?: DomainCertificateState; name?: string }
export type AllProjectsOptions = Filters & { allProjects?: boolean }

export function addAllProjectsOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--all-projects',
        'list the domains of all projects, as the operator of the service',
      ).conflicts('project'),
    )
    .addOption(new Option('--host <state>', 'with --all-projects: only domains in this state').choices(hosts))
    .addOption(
      new Option(
        '--certificate <state>',
        'with --all-projects: only domains whose certificate is in this state',
      ).choices(certificates),
    )
    .option('--name <part>', 'with --all-projects: only domains with this part in their name')
}

/**
 * Refuses filters if the list is for a single project, because only the operator's list of all projects has filters.
 */
export function requireNoFilters({ host, certificate, name }: Filters): void {
  if (host === undefined && certificate === undefined && name === undefined) return
  throw new Refused('--host, --certificate and --name need --all-projects.', exitCodes.wrongInput)
}

type Page = NonNullable<ListAllDomainsQuery['domains']>

export async function listAllDomains(
  shop: CommandContext,
  { host, certificate, name }: Filters,
  command: Command,
): Promise<void> {
  const operator = shop.connect('operator')
  const filters = { host: host ?? null, certificate: certificate ?? null, name: name ?? null }
  const found = await everyPage(async after => {
    const { caller, domains } = await send(operator, ListAllDomainsDocument, { ...filters, after }, command)
    // If the key belongs to a project, the service returns only the domains of that project, so refuse the command.
    if (caller.operator) return domains
    const message = 'Only the operator of the service may list the domains of all projects.'
    throw new Refused(message, exitCodes.notAllowed)
  })
  shop.print(command, found, showDomains(found))
}

function showDomains(domains: Page['nodes']): string {
  const rows = domains.map(({ projectSlug, host, certificate, verdict, certificateDetails, ...domain }) => [
    domainName(domain),
    projectSlug,
    host,
    certificate,
    certificateDetails?.notAfter ? moment(certificateDetails.notAfter) : null,
    certificateDetails?.problem?.code ?? (verdict?.code === 'verified' ? null : verdict?.code),
    verdict && moment(verdict.lookedAt),
  ])
  return table(['DOMAIN', 'PROJECT', 'HOST', 'CERTIFICATE', 'UNTIL', 'PROBLEM', 'CHECKED AT'], rows)
}
