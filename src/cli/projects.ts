import { Argument, Command } from 'commander'
import type { NewLimits, PlanName } from '../generated/contract.ts'
import type { CommandContext } from './command-context.ts'
import { everyPage } from './every-page.ts'
import {
  CreateProjectDocument,
  ListProjectsDocument,
  type ProjectLineFragment,
  ResetRateLimitDocument,
  ResumeProjectDocument,
  SetPlanDocument,
  SuspendProjectDocument,
} from './generated/operations.ts'
import { table } from './print.ts'
import { processNote } from './process-note.ts'
import { send } from './send.ts'
import { wholeNumber } from './whole-number.ts'

const planNames: PlanName[] = ['free', 'pro', 'business', 'enterprise']

type LimitOptions = { perMinute?: number; perDay?: number }

/** Builds `projects`, a command for operators. */
export function projectsCommand(shop: CommandContext): Command {
  const projects = new Command('projects').description(
    'create projects and set their plans, as the operator of the service',
  )
  const planArgument = () => new Argument('<plan>', 'the plan').choices(planNames)

  projects
    .command('create <slug>')
    .description('create a project, and show the secret of its first key')
    .option('--name <name>', 'the name that people see')
    .option('--plan <plan>', `the plan: ${planNames.join(', ')}`, 'free')
    .option('--per-minute <count>', 'requests a minute, for enterprise', wholeNumber)
    .option('--per-day <count>', 'requests a day, for enterprise', wholeNumber)
    .action(
      async (slug: string, options: LimitOptions & { name?: string; plan: PlanName }, command: Command) => {
        const { name = null, plan } = options
        const input = { slug, name, plan, limits: limitsOf(options) }
        const { projectCreate } = await send(
          shop.connect('operator'),
          CreateProjectDocument,
          { input },
          command,
        )
        const { project, secret } = projectCreate
        const text = `${showProjects([project])}\n\nIts first API key, shown this once:\n\n  ${secret}`
        shop.print(command, { project, owner: { secret } }, text)
      },
    )

  projects
    .command('list')
    .description('list all projects')
    .action(async (_options, command: Command) => {
      const operator = shop.connect('operator')
      const found = await everyPage(
        async after => (await send(operator, ListProjectsDocument, { after })).projects,
      )
      shop.print(command, found, showProjects(found))
    })

  projects
    .command('plan <slug>')
    .addArgument(planArgument())
    .description('put a project on a plan')
    .option('--per-minute <count>', 'requests a minute, for enterprise', wholeNumber)
    .option('--per-day <count>', 'requests a day, for enterprise', wholeNumber)
    .action(async (slug: string, plan: PlanName, options: LimitOptions, command: Command) => {
      const input = { id: `project_${slug}`, plan, limits: limitsOf(options) }
      const { project } = (await send(shop.connect('operator'), SetPlanDocument, { input })).projectSetPlan
      shop.print(command, project, showProjects([project]))
    })

  projects
    .command('suspend <slug>')
    .description("refuse all of a project's keys until it is resumed")
    .action(async (slug: string, _options, command: Command) => {
      const input = { id: `project_${slug}` }
      const { projectSuspend } = await send(shop.connect('operator'), SuspendProjectDocument, { input })
      shop.print(command, projectSuspend.project, showProjects([projectSuspend.project]))
    })

  projects
    .command('resume <slug>')
    .description("let a suspended project's keys work again")
    .action(async (slug: string, _options, command: Command) => {
      const input = { id: `project_${slug}` }
      const { projectResume } = await send(shop.connect('operator'), ResumeProjectDocument, { input })
      shop.print(command, projectResume.project, showProjects([projectResume.project]))
    })

  projects
    .command('reset-limits <slug>')
    .description('count the requests of a project from 0 again, for this minute and this day; bans stay')
    .action(async (project: string, _options, command: Command) => {
      const input = { id: `project_${project}` }
      const answer = await send(shop.connect('operator'), ResetRateLimitDocument, { input })
      const { project: reset, inAllProcesses } = answer.projectResetRateLimit
      const text = `The limits of ${reset.slug} are reset.`
      shop.print(command, answer.projectResetRateLimit, text + processNote(inAllProcesses))
    })

  return projects.addHelpText(
    'after',
    `
Examples:
  animal-store projects create corner-shop --name "Corner shop" --plan pro
  animal-store projects plan corner-shop enterprise --per-minute 5000 --per-day 1000000
  animal-store projects suspend corner-shop
  animal-store projects reset-limits corner-shop`,
  )
}

function showProjects(projects: ProjectLineFragment[]): string {
  const rows = projects.map(({ slug, name, plan, limits, suspended }) => [
    slug,
    name,
    plan.name,
    limits.requestsPerMinute,
    limits.requestsPerDay,
    suspended ? 'suspended' : 'active',
  ])
  return table(['PROJECT', 'NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'STATE'], rows)
}

function limitsOf({ perMinute, perDay }: LimitOptions): NewLimits | null {
  if (perMinute === undefined && perDay === undefined) return null
  return { requestsPerMinute: perMinute ?? 0, requestsPerDay: perDay ?? 0 }
}
