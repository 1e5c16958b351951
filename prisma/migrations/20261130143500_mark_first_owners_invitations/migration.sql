-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "is_for_first_owner" BOOLEAN NOT NULL DEFAULT false;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130143500_mark_first_owners_invitations');
