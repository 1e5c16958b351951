-- CreateIndex
CREATE INDEX "api_keys_project_id_id_idx" ON "api_keys"("project_id", "id");

-- CreateIndex
CREATE INDEX "deploys_project_id_id_idx" ON "deploys"("project_id", "id");

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126144800_index_pages_of_deploys_and_keys');
