-- AlterTable
ALTER TABLE "certificates" ADD COLUMN     "directory_url" TEXT,
ADD COLUMN     "issued_by" TEXT,
ADD COLUMN     "refusals" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refused_since" TIMESTAMPTZ(3);

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126021924_several_authorities');
