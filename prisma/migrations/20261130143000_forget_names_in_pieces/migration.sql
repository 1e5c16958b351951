-- CreateTable
CREATE TABLE "names_to_forget" (
    "person_id" UUID NOT NULL,
    "key_ids" UUID[],

    CONSTRAINT "names_to_forget_pkey" PRIMARY KEY ("person_id")
);

-- The id of an entry's actor, if the entry still has the actor's name.
CREATE FUNCTION "named_actor"(actor json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN actor ->> 'name' <> 'Deleted person' THEN actor ->> 'id' END
$$;
-- The subject of an entry, if the entry still has the subject's name.
CREATE FUNCTION "named_subject"(subject text, data json, previous json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN data ->> 'name' IS NOT NULL OR previous ->> 'name' IS NOT NULL THEN subject END
$$;

-- Prisma cannot express these indexes. An entry moves away in them when it loses the name, so the next piece of the work finds
-- only entries that still have one. They replace "events_management_actor_idx" and "events_management_subject_idx", which a
-- later version drops. New events wait for their numbers while the indexes are built, some 5 s for a million management events.
CREATE INDEX "events_named_actor_idx" ON "events"("named_actor"("actor")) WHERE "is_management";
CREATE INDEX "events_named_subject_idx" ON "events"("named_subject"("subject", "data", "previous")) WHERE "is_management";

-- Takes the name of a deleted person out of audit entries: all that have no number yet, and at most 1,000 of the numbered ones.
-- Returns the number of changed entries that have a number. The two statements come in this order, because the numbering moves
-- rows from "told" to "events": the second statement sees the rows that the first one had to wait for.
CREATE FUNCTION "forget_in_entries"(person uuid, key_ids uuid[]) RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  actors text[] := array_prepend(person::text, key_ids::text[]);
  own text[] := ARRAY['person:' || person, 'member:' || person]
    || ARRAY(SELECT 'api_key:' || id FROM unnest(key_ids) AS id);
  changed int;
BEGIN
  UPDATE public.told AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = ANY (actors)
      THEN (jsonb_set(entry.actor::jsonb, '{name}', '"Deleted person"'))::json ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = ANY (actors) OR subject = ANY (own));
  UPDATE public.events AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = ANY (actors)
      THEN (jsonb_set(entry.actor::jsonb, '{name}', '"Deleted person"'))::json ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE (project_id, number) IN (
    (SELECT named.project_id, named.number FROM public.events AS named
      WHERE is_management AND public.named_actor(named.actor) = ANY (actors) LIMIT 500)
    UNION ALL
    (SELECT named.project_id, named.number FROM public.events AS named
      WHERE is_management AND public.named_subject(named.subject, named.data, named.previous) = ANY (own) LIMIT 500)
  );
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;

-- As before, but leaves most entries to a job (src/jobs/forget-names.ts) if there are many. Otherwise a person with many entries
-- could not be deleted within the time limit of a statement.
CREATE OR REPLACE FUNCTION "forget_name"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  keys uuid[];
BEGIN
  WITH RECURSIVE line AS (
    SELECT id, successor_id, name, true AS has_name FROM public.api_keys AS first
    WHERE issued_by = OLD.id AND machine IS NOT NULL
      AND NOT EXISTS (SELECT FROM public.api_keys AS older WHERE older.successor_id = first.id)
    UNION ALL
    SELECT k.id, k.successor_id, k.name,
      -- The last condition: the name is still the one of the sign-in, and only the older key was renamed.
      k.issued_by = OLD.id OR (line.has_name AND k.name = line.name) OR right(k.name, length(k.machine) + 4) = ' on ' || k.machine
    FROM public.api_keys AS k JOIN line ON k.id = line.successor_id
  ), renamed AS (
    UPDATE public.api_keys AS k SET name = 'Deleted person on ' || machine
    FROM line WHERE k.id = line.id AND line.has_name
  )
  SELECT coalesce(array_agg(id), '{}') INTO keys FROM line;
  INSERT INTO public.names_to_forget VALUES (OLD.id, keys);
  PERFORM public.forget_in_entries(OLD.id, keys);
  RETURN NULL;
END
$$;

-- An update that changes nothing writes no audit entry.
CREATE OR REPLACE TRIGGER "tell_person" AFTER INSERT OR DELETE ON "people" FOR EACH ROW EXECUTE FUNCTION tell_person();
CREATE TRIGGER "tell_changed_person" AFTER UPDATE ON "people" FOR EACH ROW
WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_person();
CREATE OR REPLACE TRIGGER "tell_member" AFTER INSERT OR DELETE ON "memberships" FOR EACH ROW EXECUTE FUNCTION tell_member();
CREATE TRIGGER "tell_changed_member" AFTER UPDATE ON "memberships" FOR EACH ROW
WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_member();
CREATE OR REPLACE TRIGGER "tell_join_domain" AFTER INSERT OR DELETE ON "join_domains" FOR EACH ROW EXECUTE FUNCTION tell_join_domain();
CREATE TRIGGER "tell_changed_join_domain" AFTER UPDATE ON "join_domains" FOR EACH ROW
WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_join_domain();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130143000_forget_names_in_pieces');
