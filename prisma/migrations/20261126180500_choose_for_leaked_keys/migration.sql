-- CreateEnum
CREATE TYPE "leaked_keys" AS ENUM ('tell', 'rotate', 'revoke_writing', 'revoke');

-- AlterTable
ALTER TABLE "projects" ADD COLUMN "leaked_keys" "leaked_keys" NOT NULL DEFAULT 'revoke_writing';

CREATE OR REPLACE FUNCTION "shown_project"(p "projects") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('slug', p.slug, 'name', p.name, 'plan', p.plan,
    'requestsPerMinute', p.requests_per_minute, 'requestsPerDay', p.requests_per_day,
    'suspendedAt', public.iso_time(p.suspended_at), 'domainsGraceEndsAt', public.iso_time(p.domains_grace_ends_at),
    'leakedKeys', p.leaked_keys)
$$;

-- A trigger of its own, because replacing tell_changed_project would not be additive.
CREATE FUNCTION "tell_leaked_keys"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell_act(NEW.id, 'project.changed', 'project:' || NEW.slug, public.shown_project(NEW),
    json_build_object('leakedKeys', OLD.leaked_keys));
  RETURN NULL;
END
$$;
CREATE TRIGGER "tell_leaked_keys" AFTER UPDATE OF "leaked_keys" ON "projects" FOR EACH ROW
WHEN (OLD.leaked_keys IS DISTINCT FROM NEW.leaked_keys)
EXECUTE FUNCTION tell_leaked_keys();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126180500_choose_for_leaked_keys');
