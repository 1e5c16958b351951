-- AlterTable
ALTER TABLE "names_to_forget" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130181000_forget_names_after_a_minute');
