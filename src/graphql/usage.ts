import { managementOrder, storeOrder } from '../core/limits.ts'
import { readUsage, sumByDoor, sumUp } from '../core/usage.ts'
import type { WindowState } from '../tools/limiter.ts'
import { managedProject, storeCaller } from './context.ts'
import type { PlanName, QueryResolvers } from './generated/resolvers.ts'

export const usageQueries = {
  async usage(_parent, { days: count, project: slug }, context) {
    const { db, clock } = context.tools
    const days = await readUsage(db, clock, await managedProject(context, slug, 'project:read'), count ?? 30)
    return { ...sumUp(days), days, doors: sumByDoor(days) }
  },

  /** Looks without charging. */
  async rateLimit(_parent, _args, context) {
    const { limiter, config, clock } = context.tools
    const caller = storeCaller(context)
    const [store, management] = await Promise.all([
      limiter.look(storeOrder(caller, config.ban, 0)),
      limiter.look(managementOrder(caller, 0)),
    ])
    return {
      plan: caller.project.planName as PlanName,
      minute: windowOf(store.windows, 'minute'),
      day: windowOf(store.windows, 'day'),
      management: windowOf(management.windows, 'management'),
      ban:
        store.banEndsAt === null
          ? null
          : {
              endsAt: new Date(store.banEndsAt),
              retryAfterSeconds: Math.max(1, Math.ceil((store.banEndsAt - clock.now()) / 1000)),
            },
    }
  },
} satisfies QueryResolvers

function windowOf(windows: WindowState[], name: string) {
  const window = windows.find(each => each.name === name)
  if (!window) throw new Error(`the limiter told of no window ${name}`)
  return { limit: window.limit, remaining: window.remaining, resetAt: new Date(window.resetAt) }
}
