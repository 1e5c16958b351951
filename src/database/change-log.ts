import type { Columns, Statements } from './statements.ts'

/**
 * The triggers that write the log of changes. The migration `log_changes` creates them. A trigger counts as working
 * only if PostgreSQL has it as ENABLE ALWAYS.
 */
export const triggers = {
  pets: ['log_pets_insert', 'log_pets_update', 'log_pets_delete', 'log_pets_truncate'],
  categories: ['log_categories', 'log_categories_truncate'],
  orders: ['log_orders_insert', 'log_orders_update', 'log_orders_delete', 'log_orders_truncate'],
  api_keys: ['log_keys', 'log_keys_update', 'log_keys_truncate'],
  projects: ['log_projects', 'log_projects_update', 'log_project_hosts', 'log_project_hosts_update'],
  plans: ['log_plans_update'],
  domains: ['log_domains', 'log_domains_update', 'log_domains_truncate'],
  deploys: ['log_deploys', 'log_deploys_update', 'log_deploys_truncate'],
  access_tokens: ['log_access_tokens', 'log_access_tokens_truncate'],
  memberships: ['log_memberships_update'],
  certificates: ['log_certificates', 'log_certificates_update', 'log_certificates_truncate'],
}
const quoted = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ')
const tables = Object.keys(triggers)
const triggerNames = Object.values(triggers).flat()
/** Selects only our own tables: a copy of them in another schema has triggers of the same names. */
const areOurs = `t.tgrelid = ANY (ARRAY[${tables.map(table => `to_regclass('${table}')`).join(', ')}])
  AND t.tgname IN (${quoted(triggerNames)})`

/**
 * A committed change by any client of the database. `leastId` is the lowest id of the changed pets, or of the pets of
 * the changed orders. `name` is the hash of a key or access token in hexadecimal, or the domain or slug of a host.
 * 'project' means a change of the project's name, plan or limits. 'events' means that the project has new numbered
 * events. 'hosts' with a project may affect every host of that project. 'hosts' with a name and no project means that
 * the certificate of this name changed. In all other cases, a null id or name means that every row may have changed.
 */
export type Change = {
  what: 'pets' | 'categories' | 'orders' | 'keys' | 'project' | 'hosts' | 'events'
  projectId: number | null
  leastId: bigint | null
  name: string | null
}

/** The transactions that a read of the log could see. The next read returns the changes of all other transactions. */
export type Snapshot = { xmax: string; inProgress: string }
/** Higher than any transaction id, so that the first read returns no changes. */
export const noSnapshot: Snapshot = { xmax: '9223372036854775807', inProgress: '{}' }

export type Reading = {
  snapshot: Snapshot
  /**
   * Number of triggers that work. `triggersPrint` is a hash over these triggers, and changes when a trigger is altered,
   * created or dropped.
   */
  triggersInForce: number
  triggersPrint: string
  /** Null if the state was lost. */
  state: State | null
  changes: Change[]
}
export type State = { era: string; table: string; serverStart: string; sweep: bigint }

/**
 * Returns every change since the previous read exactly once, without waiting for open transactions. A snapshot misses a
 * committed change exactly if the transaction of the change was in progress at the snapshot or began later.
 */
export async function readLog({ run }: Statements, since: Snapshot): Promise<Reading> {
  const rows = await run({ ...read, values: [since.xmax, since.inProgress] })
  const [first] = rows
  if (!first) throw new Error('The log of changes returned no row.')
  const [snapshot, inForce, print, era, table, serverStart, sweep] = first
  const [, xmax = '', inProgress = ''] = String(snapshot).split(':')
  return {
    snapshot: { xmax, inProgress: `{${inProgress}}` },
    triggersInForce: Number(inForce),
    triggersPrint: String(print),
    state: era && table && serverStart && sweep ? { era, table, serverStart, sweep: BigInt(sweep) } : null,
    changes: rows.filter(row => row[7] !== null).map(toChange),
  }
}

const read = {
  name: 'read_changes',
  text: `
    SELECT pg_current_snapshot()::text, t.in_force, t.print,
      s.era::text, s.tableoid::text, pg_postmaster_start_time()::text, s.sweep, c.what, c.project_id, c.least_id, c.name
    FROM (
      SELECT count(*) AS in_force, sum(hashtext(t.oid::text || t.xmin::text)) AS print
      FROM pg_trigger AS t
      WHERE ${areOurs} AND t.tgenabled = 'A'
    ) AS t
    LEFT JOIN changes_state AS s ON true
    LEFT JOIN (
      SELECT what, project_id, least_id, name FROM changes WHERE xid >= $1::xid8
      UNION ALL
      SELECT what, project_id, least_id, name FROM changes WHERE xid = ANY ($2::xid8[])
    ) AS c ON true`,
}

function toChange(row: Columns): Change {
  const [what, projectId, leastId, name] = row.slice(7)
  return {
    what: what as Change['what'],
    projectId: projectId == null ? null : Number(projectId),
    leastId: leastId == null ? null : BigInt(leastId),
    name: name ?? null,
  }
}

export const allInForce = ({ triggersInForce }: Reading) => triggersInForce === triggerNames.length

/**
 * Writes a new state after a crash of PostgreSQL has emptied the log and its state. Call `beginEra` only while all
 * triggers work. During a restore, some triggers are missing. The restore inserts the row of the state itself, and
 * would fail if `beginEra` had inserted a row before.
 */
export async function beginEra({ run }: Statements): Promise<void> {
  await run({
    name: 'begin_era',
    text: 'INSERT INTO changes_state DEFAULT VALUES ON CONFLICT DO NOTHING',
    values: [],
  })
}

/** Returns the statements that enable the triggers again, and the triggers that these statements cannot repair. */
export async function howToRepair({ run }: Statements): Promise<string> {
  const rows = await run({
    name: 'read_triggers',
    text: `SELECT tgname, tgenabled::text FROM pg_trigger AS t WHERE ${areOurs}`,
    values: [],
  })
  const enabled = new Map(rows.map(([name, how]) => [String(name), how]))
  const absent = triggerNames.filter(name => !enabled.has(name))
  const statements = Object.entries(triggers).flatMap(([table, names]) =>
    names
      .filter(name => enabled.has(name) && enabled.get(name) !== 'A')
      .map(name => `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name};`),
  )
  if (absent.length > 0) statements.push(`Restore a backup: there is no trigger ${absent.join(', ')}.`)
  return statements.join(' ')
}

/**
 * Deletes the changes that the previous sweep could see. Every process has read these changes, or learns from the
 * number of the sweep that it missed some of them. Also deletes rows with the id of a future transaction: such rows
 * come from a restore. `horizon` stores the snapshot of the previous sweep. If the stored snapshot is from the future,
 * a restore or a move from another database has brought the snapshot here, so the sweep does not use it. If several
 * processes try at once, only one of them sweeps, about once a minute. One sweep deletes at most 200,000 rows, so that
 * the statement stays within its timeout. `swept_at` is rounded to milliseconds, so `now() - swept_at` may be slightly
 * negative. A difference below -1 s means that a clock was set back, so a process sweeps again.
 */
export async function sweepLog({ run }: Statements): Promise<void> {
  await run({
    name: 'sweep_changes',
    text: `
      WITH turn AS MATERIALIZED (
        SELECT id, horizon::pg_snapshot AS horizon FROM changes_state
        WHERE now() - swept_at NOT BETWEEN interval '-1 s' AND interval '55 s'
        FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM changes WHERE ctid = ANY (ARRAY(
          SELECT c.ctid FROM changes AS c, turn
          WHERE pg_visible_in_snapshot(c.xid, turn.horizon)
              AND pg_snapshot_xmax(turn.horizon) <= pg_snapshot_xmax(pg_current_snapshot())
            OR c.xid >= pg_snapshot_xmax(pg_current_snapshot())
          LIMIT 200000
        ))
      )
      UPDATE changes_state AS s
      SET sweep = s.sweep + 1, swept_at = now(), horizon = pg_current_snapshot()::text
      FROM turn WHERE s.id = turn.id`,
    values: [],
  })
}
