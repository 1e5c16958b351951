-- Orders wait while the index is built, about 1 s for a million of them.
-- CreateIndex
CREATE INDEX "orders_project_id_placed_at_id_idx" ON "orders"("project_id", "placed_at", "id");

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126140259_find_orders_by_time');
