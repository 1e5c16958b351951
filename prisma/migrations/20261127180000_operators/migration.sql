-- AlterTable
ALTER TABLE "people" ADD COLUMN     "operator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "by_passkey" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "operator_tokens" (
    "hash" BYTEA NOT NULL,
    "session_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "operator_tokens_session_id_idx" ON "operator_tokens"("session_id");

-- CreateIndex
CREATE INDEX "operator_tokens_expires_at_idx" ON "operator_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "operator_tokens" ADD CONSTRAINT "operator_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- For the list of operators: few people are one.
CREATE INDEX "people_operator_idx" ON "people"("id") WHERE "operator";

-- The flag has entries of its own, also if it is changed at the database. A deleted operator is no operator any more.
CREATE OR REPLACE FUNCTION "tell_person"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.operator AND (TG_OP = 'DELETE' OR NOT NEW.operator) THEN
    PERFORM public.tell_act(0, 'operator.removed', 'person:' || OLD.id, public.shown_person(OLD), NULL);
  ELSIF TG_OP <> 'DELETE' AND NEW.operator AND (TG_OP = 'INSERT' OR NOT OLD.operator) THEN
    PERFORM public.tell_act(0, 'operator.added', 'person:' || NEW.id, public.shown_person(NEW), NULL);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.operator = NEW.operator OR (OLD.id, OLD.name, OLD.created_at, OLD.issuer, OLD.subject)
      IS DISTINCT FROM (NEW.id, NEW.name, NEW.created_at, NEW.issuer, NEW.subject) THEN
      PERFORM public.tell_act(0, 'person.changed', 'person:' || NEW.id,
        public.with_members(public.shown_person(NEW), json_build_object('identityReplaced',
          CASE WHEN (OLD.issuer, OLD.subject) IS DISTINCT FROM (NEW.issuer, NEW.subject) THEN true END)),
        public.former_members(public.shown_person(OLD), public.shown_person(NEW)));
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM public.tell_act(0, 'person.removed', 'person:' || OLD.id, public.shown_person(OLD), NULL);
  ELSE
    PERFORM public.tell_act(0, 'person.added', 'person:' || NEW.id, public.shown_person(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

-- As before, but an act as operator stays one after the person is deleted.
CREATE OR REPLACE FUNCTION "forget_name"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  keys text[];
  own text[];
BEGIN
  WITH renamed AS (
    UPDATE public.api_keys SET name = 'Deleted person on ' || machine
    WHERE issued_by = OLD.id AND machine IS NOT NULL RETURNING id
  )
  SELECT coalesce(array_agg(id::text), '{}') INTO keys FROM renamed;
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
INSERT INTO "additive_migrations" VALUES ('20261127180000_operators');
