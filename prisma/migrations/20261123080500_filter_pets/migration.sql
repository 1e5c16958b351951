-- Pets can be read while it is built; who has so many that none may wait to come in builds it by hand before, with
-- CONCURRENTLY.
-- CreateIndex
CREATE INDEX IF NOT EXISTS "pets_project_id_category_id_status_id_idx" ON "pets"("project_id", "category_id", "status", "id");
