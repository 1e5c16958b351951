import { forgetOldCreations } from '../core/pets/idempotency.ts'
import type { Tools } from '../tools.ts'

const everyMs = 60 * 60 * 1000

/** Deletes expired idempotency keys. Several processes may run this at once. */
export function startCleanUp({ database, db, clock, log }: Tools): { stop(): void } {
  const cleanUp = () =>
    forgetOldCreations(db, clock).catch(
      error =>
        database.outage.note(error) ||
        log.error({ error }, 'expired idempotency keys could not be deleted; retrying in an hour'),
    )
  const timer = setInterval(cleanUp, everyMs).unref()
  return { stop: () => clearInterval(timer) }
}
