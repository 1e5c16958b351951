export type Query = { sql: string; parameters: unknown[] }
export const of = (sql: string, ...parameters: unknown[]): Query => ({ sql, parameters })

const hashes = "SELECT string_agg(encode(hash, 'hex'), ',') AS h FROM api_keys"
const quoted = hashes.replaceAll("'", "''")
const inXml = `query_to_xml('${quoted}', true, false, '')`

/**
 * Statements that read the key hashes as another role. Each of them once leaked the hashes, or would leak them if
 * setting the role were the only protection.
 */
export const attacks: Record<string, string[]> = {
  'a DO block that resets the role and raises what it read': [
    `DO $$ DECLARE h text; BEGIN RESET ROLE; SELECT string_agg(encode(hash, 'hex'), ',') INTO h FROM api_keys; RAISE EXCEPTION '%', h; END $$`,
  ],
  'set_config of the role within one SELECT': [
    `WITH a AS MATERIALIZED (SELECT set_config('role', 'none', true) c) SELECT ${inXml} FROM a WHERE c IS NOT NULL`,
  ],
  'pg_catalog.set_config of the role within one SELECT': [
    `WITH a AS MATERIALIZED (SELECT pg_catalog.set_config('role', 'none', true) c) SELECT ${inXml} FROM a WHERE c IS NOT NULL`,
  ],
  'set_config of the session authorization within one SELECT': [
    `WITH a AS MATERIALIZED (SELECT set_config('session_authorization', 'postgres', true) c) SELECT ${inXml} FROM a WHERE c IS NOT NULL`,
  ],
  'RESET ROLE': ['RESET ROLE', hashes],
  'SET ROLE NONE': ['SET LOCAL ROLE NONE', hashes],
  'SET SESSION AUTHORIZATION': ['SET SESSION AUTHORIZATION postgres', hashes],
  COMMIT: ['COMMIT', hashes],
  'ROLLBACK AND CHAIN': ['ROLLBACK AND CHAIN', hashes],
  'a COMMIT after a nested comment': ['/* /* */ select */ COMMIT', hashes],
  'a COMMIT after a comment that ends at a carriage return': ['-- select\rCOMMIT', hashes],
  'a cursor WITH HOLD that commits after the role was reset': [
    `DECLARE c CURSOR WITH HOLD FOR SELECT ${inXml}`,
    'RESET ROLE',
    'FETCH ALL FROM c',
  ],
  'a new function that sets the role': [
    `CREATE FUNCTION pg_temp.f() RETURNS text LANGUAGE sql SET role TO postgres AS $$ ${hashes} $$`,
    'SELECT pg_temp.f()',
  ],
  'a new procedure that resets the role': [
    'CREATE PROCEDURE pg_temp.p() LANGUAGE sql AS $$ RESET ROLE $$',
    'CALL pg_temp.p()',
    hashes,
  ],
  'several statements in one text': [`RESET ROLE; ${hashes}`, `SELECT 1; RESET ROLE; ${hashes}`],
  'a statement inside query_to_xml': [
    "SELECT query_to_xml('RESET ROLE', true, false, '')",
    `SELECT ${inXml}`,
  ],
  'UPDATE of pg_settings': [
    `WITH a AS (UPDATE pg_settings SET setting = 'none' WHERE name = 'role' RETURNING 1) SELECT ${inXml} FROM a`,
    "UPDATE pg_settings SET setting = 'none' WHERE name = 'role'",
    hashes,
  ],
  'COPY, ts_stat and RETURNING': [
    'COPY api_keys TO STDOUT',
    "SELECT * FROM ts_stat('SELECT to_tsvector(encode(hash, ''hex'')) FROM api_keys')",
    "UPDATE api_keys SET name = name RETURNING encode(hash, 'hex')",
  ],
  'the log of changes, after an UPDATE that logs the hashes': [
    "UPDATE api_keys SET expires_at = coalesce(expires_at, now() + interval '1 year') + interval '1 ms'",
    'SELECT name FROM changes',
  ],
  'a prepared statement, and EXPLAIN ANALYZE of it': [
    `PREPARE s AS ${hashes}`,
    'RESET ROLE',
    'EXPLAIN ANALYZE EXECUTE s',
    'EXECUTE s',
  ],
  "the words of Studio's own set_config": [
    "SELECT studio.set_config('role', 'none', true)",
    "SELECT set_config('ROLE', 'none', false)",
    "SELECT set_config('search_path', 'pg_temp', false)",
    hashes,
  ],
}
