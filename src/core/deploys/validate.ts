import type { Clock } from '../../tools/clock.ts'
import type { Db } from '../db.ts'
import type { NameRules } from '../hosts/names.ts'
import { platformHostOf } from '../hosts/platform-host.ts'
import type { Project } from '../project.ts'
import { type NewDeploy, validateConfiguration } from './configuration.ts'

export type DeployTools = { clock: Clock; platformHost: string; nameRules: NameRules }
export type DeployLogLine = { at: string; level: 'info' | 'warning' | 'error'; message: string }

/** Validates a configuration against the project's current domains, and returns a log of the result. */
export async function validateInput(
  db: Db,
  tools: DeployTools,
  project: Project,
  input: NewDeploy,
  success: string,
) {
  const ownDomains = await db.domain.findMany({ where: { projectId: project.id } })
  const own = platformHostOf(project, tools.platformHost)
  const { configuration, errors, warnings } = validateConfiguration(input, ownDomains, own, tools.nameRules)
  const { primary, redirects } = configuration.domains
  const log: DeployLogLine[] = []
  const say = (level: DeployLogLine['level'], message: string) =>
    log.push({ at: new Date(tools.clock.now()).toISOString(), level, message })

  say('info', `Validating the configuration of ${project.slug}.`)
  say(
    'info',
    primary
      ? `The primary domain is ${primary}.`
      : `No primary domain is set; the first live domain is used, or else ${own}.`,
  )
  for (const { from, to, status } of redirects) say('info', `${from} redirects to ${to} with ${status}.`)
  for (const warning of warnings) say('warning', warning)
  for (const error of errors) say('error', error)
  const succeeded = errors.length === 0
  if (succeeded) say('info', success)
  else say('error', 'The deploy failed; the previous deploy stays in service.')
  return { succeeded, configuration, log: cutLog(log) }
}

/** Limits for the log in a GraphQL response: number of lines, and bytes of all messages as JSON. */
const mostLines = 60
const mostBytes = 9_000

function cutLog(log: DeployLogLine[]): DeployLogLine[] {
  const last = log.at(-1)
  const bytesOf = ({ message }: DeployLogLine) => Buffer.byteLength(JSON.stringify(message))
  if (!last || (log.length <= mostLines && log.reduce((sum, line) => sum + bytesOf(line), 0) <= mostBytes))
    return log
  // Keep the last line, which has the result, and prefer errors to other lines.
  const errorsFirst = log
    .slice(0, -1)
    .sort((a, b) => Number(b.level === 'error') - Number(a.level === 'error'))
  const shown = new Set([last])
  let left = mostBytes - bytesOf(last) - 100
  for (const line of errorsFirst) {
    left -= bytesOf(line)
    if (left < 0 || shown.size === mostLines - 1) break
    shown.add(line)
  }
  const leftOut = {
    ...last,
    level: 'info' as const,
    message: `${log.length - shown.size} more lines are left out.`,
  }
  return [...log.filter(line => shown.has(line) && line !== last), leftOut, last]
}
