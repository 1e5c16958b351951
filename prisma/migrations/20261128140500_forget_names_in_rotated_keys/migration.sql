-- As before, but also removes the name from keys into which other members have rotated a terminal key of the person, unless
-- they were renamed since. The entries of such keys lose the name in any case. The first key of a rotation says whose
-- terminal it is: a key of another person's terminal keeps its name if the deleted person has rotated it.
CREATE OR REPLACE FUNCTION "forget_name"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  keys text[];
  own text[];
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
  SELECT coalesce(array_agg(id::text), '{}') INTO keys FROM line;
  own := ARRAY['person:' || OLD.id, 'member:' || OLD.id]
    || ARRAY(SELECT 'api_key:' || id FROM unnest(keys) AS id);
  UPDATE public.told AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = OLD.id::text
      THEN json_build_object('type', entry.actor ->> 'type', 'id', OLD.id, 'name', 'Deleted person')
      WHEN entry.actor ->> 'id' = ANY (keys) THEN (jsonb_set(entry.actor::jsonb, '{name}', '"Deleted person"'))::json
      ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = OLD.id::text OR entry.actor ->> 'id' = ANY (keys) OR subject = ANY (own));
  UPDATE public.events AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = OLD.id::text
      THEN json_build_object('type', entry.actor ->> 'type', 'id', OLD.id, 'name', 'Deleted person')
      WHEN entry.actor ->> 'id' = ANY (keys) THEN (jsonb_set(entry.actor::jsonb, '{name}', '"Deleted person"'))::json
      ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = OLD.id::text OR entry.actor ->> 'id' = ANY (keys) OR subject = ANY (own));
  RETURN NULL;
END
$$;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261128140500_forget_names_in_rotated_keys');
