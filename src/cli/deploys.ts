import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { readConfiguration } from './configuration-file.ts'
import { everyPage } from './every-page.ts'
import { exitCodes, Refused } from './exit.ts'
import {
  type DeployWithLogFragment,
  ListDeploysDocument,
  type ListDeploysQuery,
  PublishDeployDocument,
  RollbackDocument,
} from './generated/operations.ts'
import { moment, table } from './print.ts'
import { printable } from './printable.ts'
import { projectIdOf } from './project-id.ts'
import { send } from './send.ts'

type Options = { project?: string; dryRun?: boolean }
type Page = NonNullable<ListDeploysQuery['project']>['deploys']

const withProject = (command: Command) =>
  command.option('--project <slug>', 'slug of the project; needed only with the key of an operator')

export function deployCommand(shop: CommandContext): Command {
  return withProject(new Command('deploy'))
    .argument('[file]', 'the configuration, a JSON file; without it the project is published as it is')
    .description('publish the project with its configuration')
    .option('--dry-run', 'only check the configuration')
    .action(async (file: string | undefined, options: Options, command: Command) => {
      const { project, dryRun = false } = options
      const configuration = file === undefined ? {} : readConfiguration(file)
      const input = { ...configuration, projectId: projectIdOf(project), dryRun }
      const { deployCreate } = await send(shop.connectTo(options), PublishDeployDocument, { input })
      printDeploy(shop, command, deployCreate.deploy)
    })
    .addHelpText(
      'after',
      `
The file:
  { "title": "Corner shop",
    "domains": { "primary": "www.example.com",
                 "redirects": [{ "from": "example.com", "to": "www.example.com", "status": 301 }] } }`,
    )
}

export function rollbackCommand(shop: CommandContext): Command {
  return withProject(new Command('rollback'))
    .argument('<deploy>', 'the id of an earlier deploy')
    .description('publish the configuration of an earlier deploy again')
    .action(async (to: string, options: Options, command: Command) => {
      const input = { id: /^\d+$/.test(to) ? `deploy_${to}` : to }
      const { deployRollback } = await send(shop.connectTo(options), RollbackDocument, { input })
      printDeploy(shop, command, deployRollback.deploy)
    })
}

export function deploysCommand(shop: CommandContext): Command {
  return withProject(new Command('deploys'))
    .description('list the deploys, the newest first')
    .action(async (options: Options, command: Command) => {
      const connection = shop.connectTo(options)
      const project = options.project ?? null
      const found = await everyPage(
        async after => (await send(connection, ListDeploysDocument, { project, after })).project.deploys,
      )
      shop.print(command, found, showDeploys(found))
    })
}

/** Prints the log in any case; a failed deploy ends with an error code. */
function printDeploy(shop: CommandContext, command: Command, deploy: DeployWithLogFragment): void {
  const lines = deploy.log.map(({ level, message }) => `${level.padEnd(7)}  ${printable(message)}`)
  const id = deploy.id.startsWith('deploy_dry_run') ? [] : [`${deploy.id} ${deploy.state}`]
  shop.print(command, deploy, [...lines, ...id].join('\n'))
  if (deploy.state === 'failed') throw new Refused('The configuration was refused.', exitCodes.wrongInput)
}

function showDeploys(deploys: Page['nodes']): string {
  const rows = deploys.map(({ id, state, current, rollbackOf, createdAt }) => [
    id,
    state,
    current ? 'in service' : null,
    rollbackOf && `rollback to ${rollbackOf}`,
    moment(createdAt),
  ])
  return table(['DEPLOY', 'STATE', '', '', 'AT'], rows)
}
