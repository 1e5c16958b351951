import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { confirm, yesOption } from './confirm.ts'
import { domainName, lookalikeHint } from './domain-name.ts'
import {
  type AllProjectsOptions,
  addAllProjectsOptions,
  listAllDomains,
  requireNoFilters,
} from './domain-search.ts'
import {
  AddDomainDocument,
  type DomainLineFragment,
  FindDomainDocument,
  ListDomainsDocument,
  type RecordLineFragment,
  RemoveDomainDocument,
  ShowDomainDocument,
} from './generated/operations.ts'
import { moment, table } from './print.ts'
import { printable } from './printable.ts'
import { projectIdOf } from './project-id.ts'
import type { Connection } from './rest-client.ts'
import { send } from './send.ts'
import { requireVerified, type VerifyOptions, verify, verifyAndWait } from './verify.ts'
import { wholeNumber } from './whole-number.ts'

type Options = { project?: string; partner?: boolean }

export function domainsCommand(shop: CommandContext): Command {
  const domains = new Command('domains').description('serve a project at domains of its own')
  const withProject = (command: Command) =>
    command.option('--project <slug>', 'slug of the project; needed only with the key of an operator')

  withProject(domains.command('add <domain>'))
    .description('add a domain in any spelling, and show the DNS record to create')
    .option('--partner', 'add the www or apex partner too, and redirect it with a 301')
    .action(async (name: string, options: Options, command: Command) => {
      const { project, partner = false } = options
      const input = { name, withPartner: partner, projectId: projectIdOf(project) }
      const { domainAdd } = await send(shop.connectTo(options), AddDomainDocument, { input })
      const added = [domainAdd.domain, ...(domainAdd.partner ? [domainAdd.partner] : [])]
      const next = `Create ${added.length === 1 ? 'this record' : 'these records'} at the registrar, then: animal-store domains verify ${domainAdd.domain.name}`
      shop.print(
        command,
        domainAdd,
        [showRecords(added), ...added.flatMap(lookalikeHint), '', next].join('\n'),
      )
    })

  addAllProjectsOptions(withProject(domains.command('list')))
    .description("list the project's domains, or as the operator those of all projects")
    .action(async (options: Options & AllProjectsOptions, command: Command) => {
      if (options.allProjects) return listAllDomains(shop, options, command)
      requireNoFilters(options)
      const { project } = await send(shop.connectTo(options), ListDomainsDocument, {
        project: options.project ?? null,
      })
      const { nodes } = project.domains
      const warnings = project.domainWarnings.map(({ message }) => printable(message))
      const below = warnings.length > 0 ? ['', ...warnings] : []
      shop.print(command, nodes, [showDomains(nodes), ...below].join('\n'))
    })

  withProject(domains.command('show <domain>'))
    .description('show a domain with its record, its last DNS check and its certificate')
    .action(async (name: string, options: Options, command: Command) => {
      const { domain, warnings } = await findWarned(shop.connectTo(options), options, name)
      shop.print(command, domain, [...warnings, showDomain(domain)].join('\n'))
    })

  withProject(domains.command('verify <domain>'))
    .description('check DNS now; if the record is right, the domain goes live and gets a certificate')
    .option('--again', 'start a new attempt at the certificate as well')
    .option('--wait', 'check again and again until the record is right and the domain has a certificate')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber, 600)
    .action(async (name: string, options: Options & VerifyOptions, command: Command) => {
      const connection = shop.connectTo(options)
      const read = async () => (await findWarned(connection, options, name)).domain
      const domain = options.wait
        ? await verifyAndWait(connection, read, options)
        : await verify(connection, (await find(connection, options, name)).id, options.again)
      shop.print(command, domain, showDomain(domain))
      requireVerified(domain, options)
    })

  withProject(domains.command('remove <domain>').alias('delete'))
    .description('stop serving a domain, at once and on every process')
    .addOption(yesOption())
    .action(async (name: string, options: Options, command: Command) => {
      const connection = shop.connectTo(options)
      const domain = await find(connection, options, name)
      await confirm(command, `Visitors of ${domainName(domain)} will find nothing there.`)
      const { domainRemove } = await send(connection, RemoveDomainDocument, { input: { id: domain.id } })
      shop.print(command, domainRemove, domainRemove.note)
    })

  return domains.addHelpText(
    'after',
    `
Examples:
  animal-store domains add www.example.com
  animal-store domains add example.com --partner
  animal-store domains verify www.example.com --wait
  animal-store domains show www.example.com --json
  animal-store domains list --all-projects --host drifted`,
  )
}

/** Finds a domain by its name, because the API needs its id. */
async function find(connection: Connection, options: Options, name: string) {
  const { project } = await send(connection, FindDomainDocument, { project: options.project ?? null, name })
  // If the domain does not exist, `send` throws the service's error. So `domain` is not null here.
  return project.domain as NonNullable<typeof project.domain>
}

/** Finds a domain. Returns it with its warnings as lines, each followed by an empty line. */
async function findWarned(connection: Connection, options: Options, name: string) {
  const { project } = await send(connection, ShowDomainDocument, { project: options.project ?? null, name })
  // If the domain does not exist, `send` throws the service's error. So `domain` is not null here.
  const domain = project.domain as DomainLineFragment
  const own = project.domainWarnings.filter(warning => warning.domain.id === domain.id)
  const warnings = own.flatMap(({ message }) => [printable(message), ''])
  return { domain, warnings }
}

function showRecords(domains: DomainLineFragment[]): string {
  const rows = domains.flatMap(({ record, addressRecords, ownershipRecord, verdict, ...domain }) => [
    rowOf(domainName(domain), record),
    ...addressRecords.map(one =>
      rowOf(record.type === 'ALIAS' ? '  if no ALIAS possible' : '  or, with the proof', one),
    ),
    rowOf(
      verdict?.code === 'ownership_required' ? '  proof (required)' : '  proof (if required)',
      ownershipRecord,
    ),
  ])
  return table(['DOMAIN', 'TYPE', 'RECORD NAME', 'VALUE', 'TTL'], rows)
}

type Recorded = Omit<RecordLineFragment, 'alternativeType' | '__typename'> & {
  alternativeType?: string | null
}

function rowOf(what: string, { type, alternativeType, name, value, ttl }: Recorded) {
  return [what, alternativeType ? `${type} or ${alternativeType}` : type, name, value, ttl]
}

function showDomains(domains: DomainLineFragment[]): string {
  const rows = domains.map(({ host, certificate, primary, redirect, verdict, ...domain }) => [
    domainName(domain),
    host,
    certificate,
    primary ? 'primary' : redirect ? `${redirect.status} to ${redirect.to}` : null,
    verdict && moment(verdict.lookedAt),
    verdict && moment(verdict.nextLookAt),
  ])
  return table(['DOMAIN', 'HOST', 'CERTIFICATE', 'USE', 'CHECKED AT', 'NEXT CHECK'], rows)
}

function showDomain(domain: DomainLineFragment): string {
  const { verdict, certificateDetails, servedUntil } = domain
  const problem = certificateDetails?.problem
  const lines = [
    showDomains([domain]),
    '',
    showRecords([domain]),
    ...lookalikeHint(domain),
    ...(verdict ? ['', `DNS          ${verdict.code}: ${printable(verdict.message)}`] : []),
    ...(verdict?.found.map(record => `found        ${recordText(record)}`) ?? []),
    ...(verdict && verdict.code !== 'verified'
      ? [`expected     ${printable(verdict.expected.join(', '))}`]
      : []),
    ...(verdict?.recordInTheWay ? [`conflict     ${recordText(verdict.recordInTheWay)}`] : []),
    ...(verdict?.dnsProvider ? [`edit it at   ${verdict.dnsProvider.name}: ${verdict.dnsProvider.url}`] : []),
    ...(servedUntil ? [`served until ${moment(servedUntil)}`] : []),
    ...(certificateDetails?.issuer
      ? [
          '',
          `certificate  by ${printable(certificateDetails.issuer)}, until ${moment(certificateDetails.notAfter)}`,
        ]
      : []),
    ...(problem ? ['', `certificate  ${problem.code}: ${printable(problem.message)}`] : []),
    ...(problem ? [`next attempt ${moment(certificateDetails?.nextAttemptAt, 'on request')}`] : []),
  ]
  return lines.join('\n')
}

function recordText({ name, type, value }: { name: string; type: string; value: string }): string {
  return printable(`${name} ${type} ${value}`)
}
