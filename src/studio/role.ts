import type { Run } from '../database/database.ts'
import { giveTablesTo } from './secrets.ts'

const role = 'studio'

/** Studio's own schema has the same name. */
const schema = role

/**
 * Creates the role that every statement of Studio runs as. SET ROLE alone is no wall: set_config takes it off within a
 * single SELECT, so nobody but a superuser may call it from here on. Studio's table search calls it by its bare name
 * to limit its own time; the function of that name in Studio's schema sets those two limits and refuses the rest.
 */
export async function prepareRole(run: Run): Promise<void> {
  await giveTablesTo(role, run)
  await run('REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC')
  // A temporary table would hide the store's own of that name from the service, which shares the session.
  const [database] = await run('SELECT quote_ident(current_database()) AS name')
  await run(`REVOKE TEMPORARY ON DATABASE ${database?.name} FROM PUBLIC`)
  await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  await run(`
    CREATE OR REPLACE FUNCTION ${schema}.set_config(name text, value text, is_local boolean) RETURNS text
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    RETURN CASE WHEN name IN ('statement_timeout', 'lock_timeout') THEN pg_catalog.set_config(name, value, true) END`)
  await run(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
}

/** Enters the role until the transaction ends, which no statement that passes `refuseOthers` can bring about. */
export async function enterRole(run: Run): Promise<void> {
  await run(`SET LOCAL search_path = ${schema}, pg_catalog, public`)
  await run(`SET LOCAL ROLE ${role}`)
}

const allowed = /^[\s(]*(select|with|insert|update|delete|values|table)\b/i

/**
 * Refuses everything but reading and editing rows, by the first word: COMMIT, RESET, DO, DECLARE and the like would take
 * the role off. The extended protocol allows one statement in a text. A comment before the first word is refused too:
 * PostgreSQL's comments nest, and reading them as PostgreSQL does is more than a check can promise.
 */
export function refuseOthers(sql: string): void {
  if (!allowed.test(sql))
    throw new Error(
      'Studio runs SELECT, WITH, INSERT, UPDATE, DELETE, VALUES and TABLE only; the statement must begin with one of them.',
    )
}
