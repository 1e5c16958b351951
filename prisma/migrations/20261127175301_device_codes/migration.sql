-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "machine" TEXT;

-- CreateTable
CREATE TABLE "device_codes" (
    "hash" BYTEA NOT NULL,
    "user_code" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "interval_seconds" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "denied_at" TIMESTAMPTZ(3),
    "project_id" INTEGER,
    "person_id" UUID,
    "role" "role",

    CONSTRAINT "device_codes_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_codes_user_code_key" ON "device_codes"("user_code");

-- CreateIndex
CREATE INDEX "device_codes_project_id_person_id_idx" ON "device_codes"("project_id", "person_id");

-- CreateIndex
CREATE INDEX "device_codes_expires_at_idx" ON "device_codes"("expires_at");

-- CreateIndex
CREATE INDEX "api_keys_issued_by_idx" ON "api_keys"("issued_by");

-- AddForeignKey
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_project_id_person_id_fkey" FOREIGN KEY ("project_id", "person_id") REFERENCES "memberships"("project_id", "person_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As before, and for the keys that a person's terminals got: their names have the person's name, and so have the audit
-- entries about them and by them. The keys are renamed first: this adds entries that have the former names.
CREATE OR REPLACE FUNCTION "forget_name"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  keys text[];
  own text[];
  nobody json := json_build_object('type', 'person', 'id', OLD.id, 'name', 'Deleted person');
BEGIN
  WITH renamed AS (
    UPDATE public.api_keys SET name = 'Deleted person on ' || machine
    WHERE issued_by = OLD.id AND machine IS NOT NULL RETURNING id
  )
  SELECT coalesce(array_agg(id::text), '{}') INTO keys FROM renamed;
  own := ARRAY['person:' || OLD.id, 'member:' || OLD.id]
    || ARRAY(SELECT 'api_key:' || id FROM unnest(keys) AS id);
  UPDATE public.told AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = OLD.id::text THEN nobody
      WHEN entry.actor ->> 'id' = ANY (keys) THEN (jsonb_set(entry.actor::jsonb, '{name}', '"Deleted person"'))::json
      ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = OLD.id::text OR entry.actor ->> 'id' = ANY (keys) OR subject = ANY (own));
  UPDATE public.events AS entry SET
    actor = CASE WHEN entry.actor ->> 'id' = OLD.id::text THEN nobody
      WHEN entry.actor ->> 'id' = ANY (keys) THEN (jsonb_set(entry.actor::jsonb, '{name}', '"Deleted person"'))::json
      ELSE entry.actor END,
    data = CASE WHEN subject = ANY (own) THEN (data::jsonb - 'name')::json ELSE data END,
    previous = CASE WHEN subject = ANY (own) THEN nullif((previous::jsonb - 'name')::text, '{}')::json ELSE previous END
  WHERE is_management AND (entry.actor ->> 'id' = OLD.id::text OR entry.actor ->> 'id' = ANY (keys) OR subject = ANY (own));
  RETURN NULL;
END
$$;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261127175301_device_codes');
