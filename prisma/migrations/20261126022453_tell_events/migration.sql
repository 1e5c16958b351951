-- CreateTable
CREATE TABLE "told" (
    "id" BIGSERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "is_management" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT statement_timestamp(),
    "type" TEXT NOT NULL,
    "subject" TEXT,
    "data" JSON NOT NULL,
    "previous" JSON,
    "actor" JSON,
    "door" TEXT,
    "address" TEXT,
    "request_id" TEXT,

    CONSTRAINT "told_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- CreateTable
CREATE TABLE "events" (
    "project_id" INTEGER NOT NULL,
    "era" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "is_management" BOOLEAN NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT,
    "data" JSON NOT NULL,
    "previous" JSON,
    "actor" JSON,
    "door" TEXT,
    "address" TEXT,
    "request_id" TEXT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("project_id","number")
);

-- CreateTable
CREATE TABLE "event_numbers" (
    "project_id" INTEGER NOT NULL,
    "last" BIGINT NOT NULL,
    "floor" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "event_numbers_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "event_era" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "era" INTEGER NOT NULL,
    "written_by" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "timeline" TEXT NOT NULL,

    CONSTRAINT "event_era_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "event_era_one_row_check" CHECK ("id" = 1)
);
INSERT INTO "event_era" ("era", "timeline")
VALUES ((random() * 4294967295)::bigint - 2147483648, left(pg_walfile_name(pg_current_wal_lsn()), 8));

-- The JSON of a pet, an order and a category as REST shows them. PostgreSQL inlines these functions.
CREATE FUNCTION "pet_json"(id bigint, name text, category_id bigint, status text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
    || CASE WHEN status IS NULL THEN '}' ELSE ',"status":"' || status || '"}' END
$$;
CREATE FUNCTION "time_json"(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""')
$$;
CREATE FUNCTION "order_json"(
  id bigint, pet_id bigint, category_id bigint, pet_name text, status text, reference text, note text,
  placed_at timestamptz, approved_at timestamptz, delivered_at timestamptz, cancelled_at timestamptz
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"id":' || id || ',"petId":' || pet_id || ',"categoryId":' || category_id || ',"petName":' || to_json(pet_name)
    || ',"status":"' || status || '"' || coalesce(',"reference":' || to_json(reference), '')
    || coalesce(',"note":' || to_json(note), '') || ',"placedAt":' || public.time_json(placed_at)
    || coalesce(',"approvedAt":' || public.time_json(approved_at), '')
    || coalesce(',"deliveredAt":' || public.time_json(delivered_at), '')
    || coalesce(',"cancelledAt":' || public.time_json(cancelled_at), '') || '}'
$$;
CREATE FUNCTION "category_json"(id bigint, name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"id":' || id || ',"name":' || to_json(name) || '}'
$$;

-- The functions run as their owner: a role that may edit pets needs no rights on the events. A statement that adds more
-- than a hundred pets to a project is one event: an import of 10,000 pets would keep a webhook busy for 17 minutes.
CREATE FUNCTION "tell_new_pets"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (SELECT count(*) FROM new_rows) <= 100 THEN
    INSERT INTO public.told (project_id, type, subject, data)
    SELECT project_id, 'pet.created', 'pet:' || id, public.pet_json(id, name, category_id, status::text)::json
    FROM new_rows;
  ELSE
    WITH counted AS (
      SELECT project_id, count(*) AS count, min(id) AS first, max(id) AS last FROM new_rows GROUP BY project_id
    )
    INSERT INTO public.told (project_id, type, subject, data)
    SELECT project_id, 'pets.created', NULL,
      ('{"count":' || count || ',"firstId":' || first || ',"lastId":' || last || '}')::json
    FROM counted WHERE count > 100
    UNION ALL
    SELECT project_id, 'pet.created', 'pet:' || n.id,
      public.pet_json(n.id, n.name, n.category_id, n.status::text)::json
    FROM new_rows AS n JOIN counted USING (project_id) WHERE counted.count <= 100;
  END IF;
  RETURN NULL;
END
$$;

-- A change of an id is the end of one pet and the beginning of another.
CREATE FUNCTION "tell_changed_pets"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.told (project_id, type, subject, data, previous)
  SELECT coalesce(n.project_id, o.project_id),
    CASE WHEN o.id IS NULL THEN 'pet.created' WHEN n.id IS NULL THEN 'pet.deleted' ELSE 'pet.updated' END,
    'pet:' || coalesce(n.id, o.id),
    coalesce(
      public.pet_json(n.id, n.name, n.category_id, n.status::text),
      public.pet_json(o.id, o.name, o.category_id, o.status::text)
    )::json,
    CASE WHEN o.id IS NOT NULL AND n.id IS NOT NULL THEN '{' || concat_ws(',',
      CASE WHEN o.name IS DISTINCT FROM n.name THEN '"name":' || to_json(o.name) END,
      CASE WHEN o.category_id IS DISTINCT FROM n.category_id THEN '"categoryId":' || o.category_id END,
      CASE WHEN o.status IS DISTINCT FROM n.status THEN '"status":' || coalesce('"' || o.status::text || '"', 'null') END
    ) || '}' END::json
  FROM old_rows AS o FULL JOIN new_rows AS n ON n.project_id = o.project_id AND n.id = o.id
  WHERE (o.id, o.name, o.category_id, o.status) IS DISTINCT FROM (n.id, n.name, n.category_id, n.status);
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_deleted_pets"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.told (project_id, type, subject, data)
  SELECT project_id, 'pet.deleted', 'pet:' || id, public.pet_json(id, name, category_id, status::text)::json
  FROM old_rows;
  RETURN NULL;
END
$$;

-- TRUNCATE has no old rows: clients read everything again.
CREATE FUNCTION "tell_replaced"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.told (project_id, type, data) SELECT id, 'pets.replaced', '{}' FROM public.projects;
  RETURN NULL;
END
$$;

-- The service itself only places orders and changes their status; the other types are for changes by hand.
CREATE FUNCTION "tell_orders"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.told (project_id, type, subject, data)
    SELECT project_id, 'order.' || status::text, 'order:' || id, public.order_json(id, pet_id, category_id, pet_name,
      status::text, reference, note, placed_at, approved_at, delivered_at, cancelled_at)::json
    FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.told (project_id, type, subject, data)
    SELECT project_id, 'order.deleted', 'order:' || id, public.order_json(id, pet_id, category_id, pet_name,
      status::text, reference, note, placed_at, approved_at, delivered_at, cancelled_at)::json
    FROM old_rows;
  ELSE
    INSERT INTO public.told (project_id, type, subject, data, previous)
    SELECT n.project_id, 'order.' || CASE WHEN n.status = o.status THEN 'updated' ELSE n.status::text END, 'order:' || n.id,
      public.order_json(n.id, n.pet_id, n.category_id, n.pet_name, n.status::text, n.reference, n.note,
        n.placed_at, n.approved_at, n.delivered_at, n.cancelled_at)::json,
      ('{' || concat_ws(',',
        CASE WHEN o.pet_id IS DISTINCT FROM n.pet_id THEN '"petId":' || o.pet_id END,
        CASE WHEN o.category_id IS DISTINCT FROM n.category_id THEN '"categoryId":' || o.category_id END,
        CASE WHEN o.pet_name IS DISTINCT FROM n.pet_name THEN '"petName":' || to_json(o.pet_name) END,
        CASE WHEN o.status IS DISTINCT FROM n.status THEN '"status":"' || o.status::text || '"' END,
        CASE WHEN o.reference IS DISTINCT FROM n.reference THEN '"reference":' || coalesce(to_json(o.reference)::text, 'null') END,
        CASE WHEN o.note IS DISTINCT FROM n.note THEN '"note":' || coalesce(to_json(o.note)::text, 'null') END,
        CASE WHEN o.placed_at IS DISTINCT FROM n.placed_at THEN '"placedAt":' || public.time_json(o.placed_at) END,
        CASE WHEN o.approved_at IS DISTINCT FROM n.approved_at
          THEN '"approvedAt":' || coalesce(public.time_json(o.approved_at), 'null') END,
        CASE WHEN o.delivered_at IS DISTINCT FROM n.delivered_at
          THEN '"deliveredAt":' || coalesce(public.time_json(o.delivered_at), 'null') END,
        CASE WHEN o.cancelled_at IS DISTINCT FROM n.cancelled_at
          THEN '"cancelledAt":' || coalesce(public.time_json(o.cancelled_at), 'null') END
      ) || '}')::json
    FROM old_rows AS o JOIN new_rows AS n ON n.project_id = o.project_id AND n.id = o.id
    WHERE (o.pet_id, o.category_id, o.pet_name, o.status, o.reference, o.note,
        o.placed_at, o.approved_at, o.delivered_at, o.cancelled_at)
      IS DISTINCT FROM (n.pet_id, n.category_id, n.pet_name, n.status, n.reference, n.note,
        n.placed_at, n.approved_at, n.delivered_at, n.cancelled_at);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_categories"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.told (project_id, type, subject, data)
    SELECT project_id, 'category.named', 'category:' || id, public.category_json(id, name)::json FROM new_rows;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.told (project_id, type, subject, data)
    SELECT project_id, 'category.removed', 'category:' || id, public.category_json(id, name)::json FROM old_rows;
  ELSE
    INSERT INTO public.told (project_id, type, subject, data, previous)
    SELECT coalesce(n.project_id, o.project_id), CASE WHEN n.id IS NULL THEN 'category.removed' ELSE 'category.named' END,
      'category:' || coalesce(n.id, o.id),
      coalesce(public.category_json(n.id, n.name), public.category_json(o.id, o.name))::json,
      CASE WHEN o.id IS NOT NULL AND n.id IS NOT NULL THEN '{"name":' || to_json(o.name) || '}' END::json
    FROM old_rows AS o FULL JOIN new_rows AS n ON n.project_id = o.project_id AND n.id = o.id
    WHERE (o.id, o.name) IS DISTINCT FROM (n.id, n.name);
  END IF;
  RETURN NULL;
END
$$;

-- Plain triggers: a restore in the replica role tells nothing, and begins another era anyway.
CREATE TRIGGER "tell_new_pets" AFTER INSERT ON "pets" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_new_pets();
CREATE TRIGGER "tell_changed_pets" AFTER UPDATE ON "pets" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_pets();
CREATE TRIGGER "tell_deleted_pets" AFTER DELETE ON "pets" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_deleted_pets();
CREATE TRIGGER "tell_replaced" AFTER TRUNCATE ON "pets"
FOR EACH STATEMENT EXECUTE FUNCTION tell_replaced();
CREATE TRIGGER "tell_replaced" AFTER TRUNCATE ON "orders"
FOR EACH STATEMENT EXECUTE FUNCTION tell_replaced();
CREATE TRIGGER "tell_replaced" AFTER TRUNCATE ON "categories"
FOR EACH STATEMENT EXECUTE FUNCTION tell_replaced();
CREATE TRIGGER "tell_new_orders" AFTER INSERT ON "orders" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_orders();
CREATE TRIGGER "tell_changed_orders" AFTER UPDATE ON "orders" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_orders();
CREATE TRIGGER "tell_deleted_orders" AFTER DELETE ON "orders" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_orders();
CREATE TRIGGER "tell_new_categories" AFTER INSERT ON "categories" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_categories();
CREATE TRIGGER "tell_changed_categories" AFTER UPDATE ON "categories" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_categories();
CREATE TRIGGER "tell_deleted_categories" AFTER DELETE ON "categories" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION tell_categories();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126022453_tell_events');
