import type { Decision } from '../../limiter/decision.ts'
import { type AuditEntry, recordOnce } from '../acts.ts'
import type { Db } from '../db.ts'
import type { Project } from '../project.ts'

/**
 * Shares of the daily limit, in percent. A project that reaches one of these shares gets the event `limit.reached`,
 * once per window and limit. So after a change of plan, the project can get the event again in the same window, unless
 * the plan has changed back.
 */
const percents = [80, 100]

export type LimitNotices = {
  /**
   * Records how much of the daily limit the project has used, from a charge's decision. Never waits for the database.
   */
  note(project: Project, decision: Decision, points: number): void
  isDue(): boolean
  /** Writes events for at most 1,000 new notices. If the database is unavailable, a later call writes them. */
  write(): Promise<void>
}

type Notice = AuditEntry & { notice: string }

const kind = 'limit'
const mostTogether = 1_000

/**
 * Forgets the project's notices after a reset of its counts, because the project can then use up the limit of the same
 * day again.
 */
export async function forgetLimitNotices(db: Db, projectId: number): Promise<void> {
  await db.notice.deleteMany({ where: { projectId, what: { startsWith: `${kind} ` } } })
}

/** Several processes may note the same share: the table `notices` allows only one event for it. */
export function openLimitNotices(db: Db): LimitNotices {
  const due = new Map<string, Notice>()
  /** The share last noted for each project, so that further requests in the window do not note it again. */
  const noted = new Map<number, { resetAt: number; limit: number; percent: number }>()

  return {
    note({ id: projectId, slug }, { windows, outcome }, points) {
      const day = windows.find(({ name }) => name === 'day')
      if (!day) return
      const { limit, remaining, resetAt, seconds } = day
      const requests = limit - remaining
      // Treat the budget as used up also if a charge was refused because it exceeds the few remaining requests.
      const isFull = remaining === 0 || (outcome === 'limited' && points > remaining)
      const used = isFull ? 100 : (requests * 100) / limit
      const before = noted.get(projectId)
      const known = before?.resetAt === resetAt && before.limit === limit ? before.percent : 0
      for (const percent of percents) {
        if (percent <= known || used < percent) continue
        noted.set(projectId, { resetAt, limit, percent })
        const began = new Date(resetAt - seconds * 1000).toISOString().slice(0, 10)
        // Identify the notice by the day and not by the exact start of the window, because processes may count
        // separately or have different clocks.
        const notice = `${kind} ${began} ${percent} of ${limit}`
        const data = { percent, requests, requestsPerDay: limit, day: began }
        due.set(`${projectId} ${notice}`, {
          ...{ projectId, type: 'limit.reached', subject: `project:${slug}`, data, notice },
        })
      }
    },

    isDue: () => due.size > 0,

    async write() {
      const taken = [...due.entries().take(mostTogether)]
      await recordOnce(
        db,
        taken.map(([, notice]) => notice),
      )
      for (const [key] of taken) due.delete(key)
    },
  }
}
