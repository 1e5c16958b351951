import type { Run } from '../database/database.ts'
import { giveTablesTo } from './secrets.ts'

const role = 'studio'

/** Studio's own schema has the role's name. */
const schema = role

/**
 * Creates the role that runs all of Studio's statements. SET ROLE alone is not enough, because a SELECT could reset the
 * role by a call of set_config. So only superusers may call pg_catalog.set_config from here on. But Studio's table
 * search calls set_config too, to limit the time of the search. The search names no schema, so PostgreSQL calls the
 * function set_config of Studio's schema, which can set only statement_timeout and lock_timeout.
 */
export async function prepareRole(run: Run): Promise<void> {
  await giveTablesTo(role, run)
  await run('REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC')
  await revokeWaiting(run)
  // Allow no temporary tables: the service uses the same session, and a temporary table would hide the store's table of
  // the same name.
  const [database] = await run('SELECT quote_ident(current_database()) AS name')
  await run(`REVOKE TEMPORARY ON DATABASE ${database?.name} FROM PUBLIC`)
  await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  await run(`
    CREATE OR REPLACE FUNCTION ${schema}.set_config(name text, value text, is_local boolean) RETURNS text
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    RETURN CASE WHEN name IN ('statement_timeout', 'lock_timeout') THEN pg_catalog.set_config(name, value, true) END`)
  await run(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
}

/** Revokes functions that wait or run a text as a statement, because no estimate sees their cost. */
async function revokeWaiting(run: Run): Promise<void> {
  const functions = await run(`
    SELECT oid::regprocedure::text AS name FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(pg_sleep|(query|cursor|table|schema|database)_to_xml|ts_stat)'`)
  for (const { name } of functions) await run(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`)
}

/** Enters the role until the transaction ends. Statements that pass `refuseOthers` cannot end the transaction. */
export async function enterRole(run: Run): Promise<void> {
  await run(`SET LOCAL search_path = ${schema}, pg_catalog, public`)
  await run(`SET LOCAL ROLE ${role}`)
}

const allowed = /^[\s(]*(select|with|insert|update|delete|values|table)\b/i

/**
 * Throws unless the first word reads or edits rows: COMMIT, RESET, DO, DECLARE and the like would leave the role. The
 * extended protocol allows one statement per text. A comment before the first word is refused too: PostgreSQL's
 * comments nest, and this check does not parse them.
 */
export function refuseOthers(sql: string): void {
  if (!allowed.test(sql))
    throw new Error(
      'Studio runs SELECT, WITH, INSERT, UPDATE, DELETE, VALUES and TABLE only; the statement must begin with one of them.',
    )
}
