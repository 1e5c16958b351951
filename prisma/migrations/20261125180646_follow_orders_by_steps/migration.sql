-- AlterTable
ALTER TABLE "acme_pauses" ADD COLUMN     "since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "certificates" ADD COLUMN     "issued_at" TIMESTAMPTZ(3),
ADD COLUMN     "order_moved_at" TIMESTAMPTZ(3);

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261125180646_follow_orders_by_steps');
