-- Orders wait while the index is built, about 1 s for a million of them.
-- CreateIndex
CREATE INDEX "orders_project_id_status_placed_at_id_idx" ON "orders"("project_id", "status", "placed_at", "id");

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130144000_find_orders_by_status_and_time');
