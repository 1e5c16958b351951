-- AlterTable
ALTER TABLE "acme_challenges" ADD COLUMN     "answered_at" TIMESTAMPTZ(3);

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261201012500_answer_challenges_once');
