-- The index of the key that follows. It is built apart from the exchange of keys, so that pets can be read meanwhile; who
-- has so many that no pet may wait for it either builds it by hand before, with CONCURRENTLY.
CREATE UNIQUE INDEX IF NOT EXISTS "pets_project_id_id_key" ON "pets"("project_id", "id");
