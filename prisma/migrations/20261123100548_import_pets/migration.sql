-- AlterTable
ALTER TABLE "idempotent_creations" ADD COLUMN     "imported_pets" INTEGER,
ADD COLUMN     "last_pet_id" BIGINT;

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261123100548_import_pets');
