-- AlterTable
ALTER TABLE "domains" ADD COLUMN     "zone" TEXT;

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261125175042_domain_zones');
