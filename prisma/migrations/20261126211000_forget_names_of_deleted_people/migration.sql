-- The audit log keeps the id of a deleted person, and no name: neither as the actor of other entries nor in entries about
-- the person. The two statements come in this order, because the numbering moves rows from "told" to "events": the second
-- statement sees the rows that the first one had to wait for.
CREATE FUNCTION "forget_name"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own text[] := ARRAY['person:' || OLD.id, 'member:' || OLD.id];
  nobody json := json_build_object('type', 'person', 'id', OLD.id, 'name', 'Deleted person');
BEGIN
  UPDATE public.told AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = OLD.id::text THEN nobody ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = OLD.id::text OR subject = ANY (own));
  UPDATE public.events AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = OLD.id::text THEN nobody ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = OLD.id::text OR subject = ANY (own));
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION "forget_name" FROM PUBLIC;

-- Triggers fire in the order of their names: this one after "tell_person", whose entry has the name too.
CREATE TRIGGER "then_forget_name" AFTER DELETE ON "people" FOR EACH ROW EXECUTE FUNCTION forget_name();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126211000_forget_names_of_deleted_people');
