-- For operators: counts all pets anew, after something changed them that no trigger saw. Pets can be read meanwhile; who
-- changes some waits.
CREATE FUNCTION "recount_pets"() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- Nobody adds up what has changed, as src/core/inventory.ts does, until all is counted.
  PERFORM pg_advisory_xact_lock(hashtextextended('pet_count_changes', 0));
  LOCK TABLE public.pets IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM public.pet_counts;
  DELETE FROM public.pet_count_changes;
  INSERT INTO public.pet_counts (project_id, what, count)
  SELECT project_id, coalesce(status::text, 'unset'), count(*) FROM public.pets GROUP BY project_id, status
  UNION ALL
  SELECT project_id, 'category ' || category_id, count(*) FROM public.pets GROUP BY project_id, category_id;
END
$$;

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261123101000_recount_pets');
