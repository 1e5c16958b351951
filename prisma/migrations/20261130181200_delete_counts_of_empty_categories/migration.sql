-- The job that adds up the counts deletes the counts of categories that become empty. These have been empty before. All versions
-- read a missing count as 0. The lock keeps the job of other processes from changing the same rows.
SELECT pg_advisory_xact_lock(hashtextextended('pet_count_changes', 0));
DO $$
BEGIN
  DELETE FROM "pet_counts" WHERE "count" = 0 AND "what" LIKE 'category %';
END
$$;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130181200_delete_counts_of_empty_categories');
