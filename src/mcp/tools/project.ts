import { invalidInput } from '../../core/errors.ts'
import { isKeyId } from '../../core/keys/api-keys.ts'
import { listApiKeys, stateOf } from '../../core/keys/list.ts'
import { banOf } from '../../core/projects/bans.ts'
import { wholeBudget } from '../../core/projects/limits.ts'
import { parseSpan } from '../../core/usage/spans.ts'
import { readProjectUse } from '../../core/usage/usage.ts'
import { textOf } from '../arguments.ts'
import { fitPage, plain } from '../fit.ts'
import { cursorArgument, type Tool } from '../tool.ts'

const mostKeys = 100

export const projectTools: Tool[] = [
  {
    name: 'get_limits',
    title: 'Get the limits',
    description: 'Returns the requests left this minute and today, and any ban of this key. Free.',
    scope: null,
    budget: 'free',
    effect: 'reads',
    input: {},
    async run({ tools, caller }) {
      const budget = wholeBudget(caller.project, caller, tools.config.ban)
      const decision = await tools.limiter.get(budget.subject, budget)
      const windows = decision.windows.map(({ name, limit, remaining, resetAt }) => ({
        ...{ name, limit, remaining },
        resetAt: new Date(resetAt).toISOString(),
      }))
      return { plan: caller.project.planName, windows, ban: banOf(decision) }
    },
  },
  {
    name: 'list_api_keys',
    title: 'List API keys',
    description: 'Lists API keys, newest first, up to 100 a page. Secrets are never shown.',
    scope: 'project:read',
    budget: 'management',
    effect: 'reads',
    input: { ...cursorArgument },
    async run({ tools, caller: { project }, args }) {
      const filters = { search: null, states: null, endsBefore: null }
      const after = textOf(args, 'cursor')
      if (after !== null && !isKeyId(after))
        throw invalidInput([{ field: 'cursor', message: 'must be a cursor of a page of this list' }])
      const page = { limit: mostKeys + 1, after }
      const found = await listApiKeys(tools.db, tools.clock, project, filters, page)
      const keys = found.slice(0, mostKeys)
      const end = found.length > mostKeys ? (keys.at(-1)?.id ?? null) : null
      const now = new Date(tools.clock.now())
      const { items, nextCursor } = fitPage(
        keys,
        end,
        key =>
          plain({
            ...{
              id: key.id,
              name: key.name,
              prefix: key.prefix,
              scopes: key.scopes,
              state: stateOf(key, now),
            },
            ...{ createdAt: key.createdAt, expiresAt: key.expiresAt, lastUsedAt: key.lastUsedAt },
          }),
        ({ id }) => id,
      )
      return { apiKeys: items, nextCursor }
    },
  },
  {
    name: 'get_usage',
    title: 'Get the usage',
    description: 'Counts requests and refusals of the last days, by day and API.',
    scope: 'project:read',
    budget: 'management',
    effect: 'reads',
    input: { days: { type: 'integer', minimum: 1, maximum: 90, description: 'Default 30' } },
    async run({ tools, caller: { project }, args }) {
      const span = parseSpan(Number(args.days ?? 30), null)
      const [[use] = []] = await readProjectUse(tools.database, tools.clock, [project.id], [span])
      const used = use?.steps.filter(({ requests, refusals }) => requests + refusals > 0) ?? []
      const shown = used.map(({ at, doors, ...counts }) => ({
        ...{ date: at.toISOString().slice(0, 10), ...counts },
        doors: doors.filter(({ requests, refusals }) => requests + refusals > 0),
      }))
      const { requests = 0, refusals = 0, faulty = 0, failed = 0 } = use ?? {}
      return { requests, refusals, faulty, failed, days: shown }
    },
  },
]
