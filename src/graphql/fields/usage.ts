import type { Project } from '../../core/project.ts'
import { banOf } from '../../core/projects/bans.ts'
import { wholeBudget } from '../../core/projects/limits.ts'
import type { Counts } from '../../core/usage/counts.ts'
import { type EndedSpan, endAt, parseSpan } from '../../core/usage/spans.ts'
import type { Step, Use } from '../../core/usage/usage.ts'
import type { ApiKey } from '../../generated/prisma/client.ts'
import type { WindowState } from '../../limiter/decision.ts'
import { requireWithin } from '../connection.ts'
import { type Context, managedProject, storeCaller } from '../context.ts'
import type {
  KeyUsageResolvers,
  PlanName,
  QueryResolvers,
  UsageByDoorResolvers,
  UsageDayResolvers,
  UsageHourResolvers,
  UsageResolvers,
} from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'

export const usageQueries = {
  async usage(_parent, args, context) {
    return usageOf(context, await managedProject(context, null, 'project:read'), args)
  },

  rateLimit: (_parent, _args, context) => rateLimitOf(context, storeCaller(context).project),
} satisfies QueryResolvers

/** Reads the budget; charges nothing. */
export async function rateLimitOf({ tools, identity }: Context, project: Project) {
  const { limiter, config } = tools
  const caller = identity.kind === 'caller' ? identity.caller : null
  const budget = wholeBudget(project, caller, config.ban)
  const decision = await limiter.get(budget.subject, budget)
  const { windows } = decision
  return {
    id: makeId('budget', project.slug),
    plan: project.planName as PlanName,
    minute: windowOf(windows, 'minute'),
    day: windowOf(windows, 'day'),
    management: windowOf(windows, 'management'),
    ban: banOf(decision),
  }
}

export type ShownUsage = Use & { span: EndedSpan; project: Project }
export type ShownKeyUsage = Use & { span: EndedSpan; key: ApiKey }
type SpanArgs = { days?: number | null; hours?: number | null; until?: Date | null }

export async function usageOf(context: Context, project: Project, spanArgs: SpanArgs): Promise<ShownUsage> {
  const span = readSpan(spanArgs, context)
  return { ...(await context.loaders().projectUse.load({ id: project.id, span })), span, project }
}

export function keyUsageOf(context: Context, key: ApiKey, spanArgs: SpanArgs): Promise<ShownKeyUsage> {
  return keyUsageWithin(context.loaders, key, readSpan(spanArgs, context))
}

async function keyUsageWithin(
  loaders: Context['loaders'],
  key: ApiKey,
  span: EndedSpan,
): Promise<ShownKeyUsage> {
  return {
    ...(await loaders().keyUse.load({ ...{ id: key.id, projectId: key.projectId }, span })),
    span,
    key,
  }
}

export function readSpan({ days, hours, until }: SpanArgs, { tools: { clock } }: Context): EndedSpan {
  return endAt(parseSpan(days ?? 30, hours ?? null), until ?? new Date(clock.now()), clock)
}

const served = ({ requests, faulty, failed }: Counts) => requests - faulty - failed
const days = ({ span, steps }: Use & { span: EndedSpan }): Step[] => (span.unit === 'day' ? steps : [])
const hours = ({ span, steps }: Use & { span: EndedSpan }): Step[] => (span.unit === 'hour' ? steps : [])

export const Usage = {
  served,
  days,
  hours,
  latency: ({ project, span }, _args, { loaders }) => loaders().latencies.load({ id: project.id, span }),
  async keys({ project, span }, args, { loaders }) {
    const used = await loaders().usedKeys.load({ id: project.id, span, most: readUsedKeysQuery(args) })
    return Promise.all(used.map(key => keyUsageWithin(loaders, key, span)))
  },
} satisfies UsageResolvers

export const readUsedKeysQuery = ({ first }: { first?: number | null }) =>
  requireWithin(first ?? 20, 100, 'first')

export const KeyUsage = { served, days, hours } satisfies KeyUsageResolvers
export const UsageDay = {
  served,
  date: ({ at }) => at.toISOString().slice(0, 10),
} satisfies UsageDayResolvers
export const UsageHour = { served } satisfies UsageHourResolvers
export const UsageByDoor = { served } satisfies UsageByDoorResolvers

function windowOf(windows: WindowState[], name: string) {
  const window = windows.find(each => each.name === name)
  if (!window) throw new Error(`the limiter returned no window ${name}`)
  return { limit: window.limit, remaining: window.remaining, resetAt: new Date(window.resetAt) }
}
