-- Marks the links for first owners that older versions have made, so that the next start ends them. An invitation by an operator
-- looks the same if it is for an owner too. It ends only if its project then gets a link for the first owner.
-- The trigger is off, because the update changes nothing that an audit entry shows.
ALTER TABLE "invitations" DISABLE TRIGGER "tell_invitation";
UPDATE "invitations" SET "is_for_first_owner" = true WHERE "invited_by" IS NULL AND "role" = 'owner';
ALTER TABLE "invitations" ENABLE TRIGGER "tell_invitation";

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130181100_mark_older_first_owners_invitations');
