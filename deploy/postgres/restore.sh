#!/usr/bin/env bash
# Replaces everything in the schema public by the contents of a backup of pg_dump -Fc, in one transaction.
# Run this as the owner of the tables: DATABASE_URL=... deploy/postgres/restore.sh FILE
set -euo pipefail

# pg_restore --clean cannot do this: it drops only what the backup has, and a newer version may have added tables that
# refer to tables of the backup. The schema itself stays, with its owner and its grants. Extensions stay too, because a
# superuser may own them; --no-comments leaves out the comments on extensions, which only their owner may write.
{
  cat <<'SQL'
BEGIN;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;
SET LOCAL idle_in_transaction_session_timeout = 0;
SET LOCAL client_min_messages = warning;
-- Tables go first, because a sequence of an identity column cannot be dropped without its table.
SELECT format('DROP %s IF EXISTS %s CASCADE', o.type, o.identity)
FROM pg_depend AS d, pg_identify_object(d.classid, d.objid, d.objsubid) AS o
WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'public'::regnamespace AND d.deptype = 'n'
  AND o.type NOT IN ('extension', 'statistics object')
  AND NOT EXISTS (
    SELECT FROM pg_depend AS e WHERE e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e'
  )
ORDER BY o.type <> 'table' \gexec
SQL
  pg_restore --no-comments -f - "$1"
  # If pg_restore fails, the script ends before this line, and PostgreSQL rolls everything back.
  echo 'COMMIT;'
  # Without statistics, PostgreSQL chooses slow plans until autovacuum comes.
  echo 'SET statement_timeout = 0; SET client_min_messages = error; ANALYZE;'
} | psql -X -q -o /dev/null -v ON_ERROR_STOP=1 -d "$DATABASE_URL"
