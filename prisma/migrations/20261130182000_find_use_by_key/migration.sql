-- Usage waits in memory while the index is built, about 1 s for a million rows. Without the index, PostgreSQL would read all
-- of them for each API key that is removed.
-- CreateIndex
CREATE INDEX "key_usage_api_key_id_idx" ON "key_usage"("api_key_id");

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130182000_find_use_by_key');
