import { setTimeout as pause } from 'node:timers/promises'
import type { Limiter } from '../../limiter/limiter.ts'
import { StoreError } from '../errors.ts'
import type { Project } from '../project.ts'

/** A process shows cached pages this long after its last read of the log of changes; page-cache.ts says why. */
export const trustedMs = 250
const marginMs = 10

/** Call after a change to a project's pets is committed, and before it is answered. */
export async function invalidatePages(
  limiter: Pick<Limiter, 'renewVersion'>,
  project: Project,
): Promise<void> {
  const committedAt = performance.now()
  if (await limiter.renewVersion(String(project.id))) return
  await pause(Math.max(0, committedAt + trustedMs + marginMs - performance.now()))
}

/**
 * Changes a project's pets, then invalidates its pages. Also invalidates them after a refusal, because the refusal
 * shows the current state and no later page may be older.
 */
export async function thenInvalidatePages<Changed>(
  limiter: Pick<Limiter, 'renewVersion'>,
  project: Project,
  change: () => Promise<Changed>,
): Promise<Changed> {
  try {
    const changed = await change()
    await invalidatePages(limiter, project)
    return changed
  } catch (refusal) {
    if (refusal instanceof StoreError) await invalidatePages(limiter, project)
    throw refusal
  }
}
