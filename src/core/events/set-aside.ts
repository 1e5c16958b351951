import type { Prisma, WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { restsAfter } from './retry-schedule.ts'

/** Deletes a set-aside event that is not tried again. Returns true if the endpoint is no longer failing. */
export async function giveUp(
  db: Db,
  endpointId: string,
  where: Prisma.SetAsideEventWhereInput,
): Promise<boolean> {
  await db.setAsideEvent.deleteMany({ where })
  return endFailure(db, endpointId)
}

/**
 * Deletes the set-aside events of types that the endpoint does not name. Returns true if the endpoint is no longer
 * failing. SQL, because set-aside events have no relation to the log of events.
 */
export async function dropUnwanted(
  tx: Db,
  { id, projectId, types }: Pick<WebhookEndpoint, 'id' | 'projectId' | 'types'>,
): Promise<boolean> {
  await tx.$executeRaw`
    DELETE FROM set_aside_events AS s USING events AS e
    WHERE s.endpoint_id = ${id}::uuid AND e.project_id = ${projectId}::int AND e.number = s.event_number
      AND e.type <> ALL (${types}::text[])`
  return endFailure(tx, id)
}

/**
 * Ends the failure of an endpoint that has no failed event left to send. Otherwise the endpoint would count as failing
 * until its next success, and one failed attempt five days later would disable it.
 */
async function endFailure(db: Db, id: string): Promise<boolean> {
  const isWithoutFailures = { attempts: 0, setAsideInRow: { lt: restsAfter }, setAside: { none: {} } }
  const { count } = await db.webhookEndpoint.updateMany({
    where: { id, failingSince: { not: null }, ...isWithoutFailures },
    data: { failingSince: null },
  })
  return count > 0
}
