import { wholeBudget } from '../core/limits.ts'
import { readUsage, sumByDoor, sumUp } from '../core/usage.ts'
import type { WindowState } from '../limiter/limiter.ts'
import { managedProject, storeCaller } from './context.ts'
import type { PlanName, QueryResolvers } from './generated/resolvers.ts'

export const usageQueries = {
  async usage(_parent, { days: count, project: slug }, context) {
    const { db, clock } = context.tools
    const days = await readUsage(db, clock, await managedProject(context, slug, 'project:read'), count ?? 30)
    return { ...sumUp(days), days, doors: sumByDoor(days) }
  },

  /** Peeks without charging. */
  async rateLimit(_parent, _args, context) {
    const { limiter, config } = context.tools
    const caller = storeCaller(context)
    const { windows, banEndsAt, decidedAt } = await limiter.peek(wholeBudget(caller, config.ban))
    return {
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
  },
} satisfies QueryResolvers

function windowOf(windows: WindowState[], name: string) {
  const window = windows.find(each => each.name === name)
  if (!window) throw new Error(`the limiter told of no window ${name}`)
  return { limit: window.limit, remaining: window.remaining, resetAt: new Date(window.resetAt) }
}
