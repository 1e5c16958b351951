-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "by_issuer" BOOLEAN NOT NULL DEFAULT false;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126224843_sessions_by_issuer');
