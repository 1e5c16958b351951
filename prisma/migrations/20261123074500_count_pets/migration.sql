-- CreateTable
CREATE TABLE "pet_counts" (
    "project_id" INTEGER NOT NULL,
    "what" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "pet_counts_pkey" PRIMARY KEY ("project_id","what")
);

-- Whoever changes pets appends how their number has changed: a count's own row would be locked until the change is
-- committed, and all who add pets to one project would wait for each other.
CREATE TABLE "pet_count_changes" (
    "project_id" INTEGER NOT NULL,
    "what" TEXT NOT NULL,
    "count" BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- CreateIndex
CREATE INDEX "pet_count_changes_project_id_what_idx" ON "pet_count_changes"("project_id", "what");

CREATE FUNCTION "count_pets"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE public.pet_counts, public.pet_count_changes;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO public.pet_count_changes (project_id, what, count)
    SELECT project_id, coalesce(status::text, 'unset'), count(*) FROM new_rows GROUP BY project_id, status
    UNION ALL
    SELECT project_id, 'category ' || category_id, count(*) FROM new_rows GROUP BY project_id, category_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.pet_count_changes (project_id, what, count)
    SELECT project_id, coalesce(status::text, 'unset'), -count(*) FROM old_rows GROUP BY project_id, status
    UNION ALL
    SELECT project_id, 'category ' || category_id, -count(*) FROM old_rows GROUP BY project_id, category_id;
  ELSE
    INSERT INTO public.pet_count_changes (project_id, what, count)
    SELECT project_id, what, sum(more)
    FROM (
      SELECT project_id, status, category_id, -1 AS more FROM old_rows
      UNION ALL
      SELECT project_id, status, category_id, 1 AS more FROM new_rows
    ) AS touched
    CROSS JOIN LATERAL (VALUES (coalesce(status::text, 'unset')), ('category ' || category_id)) AS counted (what)
    GROUP BY project_id, what HAVING sum(more) <> 0;
  END IF;
  RETURN NULL;
END
$$;

-- Nobody changes pets between the first count and the triggers that keep it.
LOCK TABLE "pets" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "pet_counts"
SELECT project_id, coalesce(status::text, 'unset'), count(*) FROM "pets" GROUP BY project_id, status
UNION ALL
SELECT project_id, 'category ' || category_id, count(*) FROM "pets" GROUP BY project_id, category_id;

CREATE TRIGGER "count_pets_insert" AFTER INSERT ON "pets" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION count_pets();
CREATE TRIGGER "count_pets_update" AFTER UPDATE ON "pets" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION count_pets();
CREATE TRIGGER "count_pets_delete" AFTER DELETE ON "pets" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION count_pets();
CREATE TRIGGER "count_pets_truncate" AFTER TRUNCATE ON "pets"
FOR EACH STATEMENT EXECUTE FUNCTION count_pets();

-- They fire whatever session_replication_role says, as under a restore or a bulk load.
ALTER TABLE "pets"
  ENABLE ALWAYS TRIGGER "count_pets_insert",
  ENABLE ALWAYS TRIGGER "count_pets_update",
  ENABLE ALWAYS TRIGGER "count_pets_delete",
  ENABLE ALWAYS TRIGGER "count_pets_truncate";
