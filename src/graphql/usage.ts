import { wholeBudget } from '../core/limits.ts'
import type { Project } from '../core/projects.ts'
import { judgeDays, sumByDoor, sumUp } from '../core/usage.ts'
import type { WindowState } from '../limiter/limiter.ts'
import { type Context, managedProject, storeCaller } from './context.ts'
import type { PlanName, QueryResolvers } from './generated/resolvers.ts'
import { makeId } from './ids.ts'

export const usageQueries = {
  async usage(_parent, { days }, context) {
    return usageOf(context, await managedProject(context, null, 'project:read'), days ?? 30)
  },

  rateLimit: (_parent, _args, context) => rateLimitOf(context),
} satisfies QueryResolvers

/** Peeks without charging. */
export async function rateLimitOf(context: Context) {
  const { limiter, config } = context.tools
  const caller = storeCaller(context)
  const { windows, banEndsAt, decidedAt } = await limiter.peek(wholeBudget(caller, config.ban))
  return {
    id: makeId('budget', caller.project.slug),
    plan: caller.project.planName as PlanName,
    minute: windowOf(windows, 'minute'),
    day: windowOf(windows, 'day'),
    management: windowOf(windows, 'management'),
    ban:
      banEndsAt === null
        ? null
        : {
            endsAt: new Date(banEndsAt),
            retryAfterSeconds: Math.max(1, Math.ceil((banEndsAt - decidedAt) / 1000)),
          },
  }
}

export async function usageOf({ loaders }: Context, project: Project, count: number) {
  const days = await loaders.usage(judgeDays(count)).load(project.id)
  return { ...sumUp(days), days, doors: sumByDoor(days) }
}

function windowOf(windows: WindowState[], name: string) {
  const window = windows.find(each => each.name === name)
  if (!window) throw new Error(`the limiter told of no window ${name}`)
  return { limit: window.limit, remaining: window.remaining, resetAt: new Date(window.resetAt) }
}
