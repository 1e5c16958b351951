-- Prisma cannot express this index, which finds pets by a part of their name.
-- A short pending list keeps the pause of the create that merges it short, and searches read it whole.
-- Writes of pets wait while the index is built, about 6 s for a million pets. A large store can build it before with
-- CREATE INDEX CONCURRENTLY: docs/operating.md has the statement.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX IF NOT EXISTS "pets_name_search_idx" ON "pets" USING gin (
    "project_id",
    (lower("name" COLLATE "und-x-icu")) gin_trgm_ops
  ) WITH (gin_pending_list_limit = 1024);
-- Where the extensions are missing or not allowed, as in the embedded database, searches work without the index.
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'Searches for names run without an index: %', SQLERRM;
END
$$;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126023843_search_pets_by_name');
