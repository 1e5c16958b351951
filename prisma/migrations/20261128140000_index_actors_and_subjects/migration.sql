-- Prisma cannot express these indexes, by which "forget_name" finds the audit entries of a deleted person. They have only
-- management events, so no change of a pet pays for them. New events wait for their numbers while the indexes are built, some
-- 5 s for a million management events.
CREATE INDEX "events_management_actor_idx" ON "events"(("actor" ->> 'id')) WHERE "is_management";
CREATE INDEX "events_management_subject_idx" ON "events"("subject") WHERE "is_management";

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261128140000_index_actors_and_subjects');
