import { AsyncLocalStorage } from 'node:async_hooks'
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import type { Db } from './db.ts'

/** An actor that changes the database directly, not through the service, has the name `database:<role>`. */
export const actorTypes = ['api_key', 'person', 'operator', 'system', 'anonymous', 'database'] as const
export type ActorType = (typeof actorTypes)[number]
export type Actor = { type: ActorType; id?: string; name: string }

/** A management act: its actor, and the request, if there is one. */
export type Act = {
  actor: Actor
  door?: 'rest' | 'graphql' | 'mcp'
  address?: string | undefined
  requestId?: string
}

const acts = new AsyncLocalStorage<() => Act>()

/** Runs the work in the name of an actor. `act` is called only if the work makes a management change. */
export const actAs = <Result>(act: () => Act, work: () => Result): Result => acts.run(act, work)

/** Runs a background job with the job itself as the actor. */
export const actAsSystem = <Result>(name: string, work: () => Result): Result =>
  acts.run(() => ({ actor: { type: 'system', name } }), work)

/**
 * The value of the setting `animal_store.act`, from which the triggers read the actor. Empty if there is no actor; the
 * triggers then record the database role.
 */
export function actSetting(): string {
  const act = acts.getStore()?.()
  return act ? JSON.stringify(act) : ''
}

/** Sets another actor for the rest of the transaction, such as a person whom the transaction has just created. */
export async function actFromHereAs(tx: Db, actor: Actor): Promise<void> {
  const act = { ...acts.getStore()?.(), actor }
  await tx.$executeRaw`SELECT set_config('animal_store.act', ${JSON.stringify(act)}, true)`
}

/**
 * Runs a management change in a transaction in which the triggers find the actor. Every change of people, members,
 * keys, projects, domains, certificates, deploys, webhook endpoints and plans uses this function. The transaction's
 * setting `animal_store.act` holds the actor. PostgreSQL removes the setting at the end of the transaction, so a pooler
 * may give the connection to the next client.
 */
export function manage<Result>(
  db: PrismaClient,
  work: (tx: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  return db.$transaction(async tx => {
    await tx.$executeRaw`SELECT set_config('animal_store.act', ${actSetting()}, true)`
    return work(tx)
  })
}

export type AuditEntry = { projectId: number; type: string; subject: string | null; data: object }

/** Adds an audit entry for an act that changes no table, such as a ban. Project 0 is the service itself. */
export async function recordAct(db: Db, { projectId, type, subject, data }: AuditEntry): Promise<void> {
  const { actor, door = null, address = null, requestId = null } = acts.getStore()?.() ?? theService
  const keyId = actor.type === 'api_key' ? (actor.id ?? null) : null
  await db.$executeRaw`
    INSERT INTO told (project_id, is_management, type, subject, data, actor, door, address, request_id)
    VALUES (${projectId}, true, ${type}, ${subject}, ${JSON.stringify(data)}::json,
      coalesce((SELECT json_build_object('type', 'api_key', 'id', id, 'name', name) FROM api_keys WHERE id = ${keyId}::uuid),
        ${JSON.stringify(actor)}::json), ${door}, ${address}, ${requestId})`
}

const theService: Act = { actor: { type: 'system', name: 'service' } }

/**
 * Adds each entry once, even if several processes find its cause at the same time: `notice` names the cause, and an
 * entry with a known cause is skipped. Returns the number of added entries.
 */
export async function recordOnce(
  db: Db,
  entries: readonly (AuditEntry & { notice: string })[],
): Promise<number> {
  if (entries.length === 0) return 0
  const column = <Value>(pick: (entry: (typeof entries)[number]) => Value) => entries.map(pick)
  return recordFound(
    db,
    Prisma.sql`
      SELECT project_id, what, type, subject, data::json FROM unnest(${column(entry => entry.projectId)}::int[],
        ${column(entry => entry.notice)}::text[], ${column(entry => entry.type)}::text[],
        ${column(entry => entry.subject)}::text[], ${column(entry => JSON.stringify(entry.data))}::text[])
      AS given (project_id, what, type, subject, data)`,
  )
}

/**
 * Adds an audit entry for each row of the query `found`, but skips a row whose cause is already recorded. The query
 * must return the columns `project_id`, `what` (the cause), `type`, `subject` and `data`. Returns the number of added
 * entries.
 */
export function recordFound(db: Db, found: Prisma.Sql): Promise<number> {
  const { actor } = acts.getStore()?.() ?? theService
  return db.$executeRaw`
    WITH found AS MATERIALIZED (${found}), fresh AS (
      INSERT INTO notices (project_id, what) SELECT project_id, what FROM found ON CONFLICT DO NOTHING
      RETURNING project_id, what
    )
    INSERT INTO told (project_id, is_management, type, subject, data, actor)
    SELECT project_id, true, type, subject, data, ${JSON.stringify(actor)}::json FROM found JOIN fresh USING (project_id, what)`
}
