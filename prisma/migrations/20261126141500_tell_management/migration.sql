-- CreateTable
CREATE TABLE "notices" (
    "project_id" INTEGER NOT NULL,
    "what" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("project_id","what")
);

-- CreateIndex
CREATE INDEX "notices_at_idx" ON "notices"("at");

-- For the audit log of one project and of all. They have only management events, so no change of a pet pays for them.
CREATE INDEX "events_management_idx" ON "events"("project_id", "number") WHERE "is_management";
CREATE INDEX "events_management_at_idx" ON "events"("at", "project_id", "number") WHERE "is_management";

-- The act that the service has set in the transaction, with its actor; else the role of somebody at the database. The
-- setting counts only for roles that may delete from "told": they could forge any entry anyway.
CREATE FUNCTION "current_act"() RETURNS json LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- Inside this function current_user is its owner. The setting "role" still has the role of the caller's SET ROLE.
  caller text := CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END;
  act json;
BEGIN
  IF has_table_privilege(caller, 'public.told', 'DELETE') THEN
    act := nullif(current_setting('animal_store.act', true), '')::json;
  END IF;
  RETURN coalesce(act, json_build_object('actor', json_build_object('type', 'database', 'name', 'database:' || caller)));
END
$$;

-- Adds an audit entry. Only the triggers below may call this function.
CREATE FUNCTION "tell_act"(project_id int, type text, subject text, data json, previous json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  act json := public.current_act();
  actor json := act -> 'actor';
BEGIN
  -- The key's name at the time of the act. The service gives its prefix, for keys that are removed.
  IF actor ->> 'type' = 'api_key' THEN
    actor := coalesce((SELECT json_build_object('type', 'api_key', 'id', k.id, 'name', k.name)
      FROM public.api_keys AS k WHERE k.id = (actor ->> 'id')::uuid), actor);
  ELSIF actor ->> 'type' = 'person' THEN
    actor := coalesce((SELECT json_build_object('type', 'person', 'id', p.id, 'name', p.name)
      FROM public.people AS p WHERE p.id = (actor ->> 'id')::uuid), actor);
  END IF;
  INSERT INTO public.told (project_id, is_management, type, subject, data, previous, actor, door, address, request_id)
  VALUES (project_id, true, type, subject, json_strip_nulls(data), previous, actor,
    act ->> 'door', act ->> 'address', act ->> 'requestId');
END
$$;
REVOKE ALL ON FUNCTION "tell_act" FROM PUBLIC;

-- The former values of the members that differ.
CREATE FUNCTION "former_members"(before json, after json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(json_object_agg(o.key, o.value), '{}') FROM json_each(before) AS o
  WHERE o.value::text IS DISTINCT FROM (after -> o.key)::text
$$;
CREATE FUNCTION "iso_time"(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- What the log shows of a row: named columns only, never a hash or a secret.
CREATE FUNCTION "shown_api_key"(k "api_keys") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix, 'scopes', k.scopes,
    'createdAt', public.iso_time(k.created_at), 'expiresAt', public.iso_time(k.expires_at),
    'revokedAt', public.iso_time(k.revoked_at), 'successorId', k.successor_id)
$$;
CREATE FUNCTION "shown_project"(p "projects") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('slug', p.slug, 'name', p.name, 'plan', p.plan,
    'requestsPerMinute', p.requests_per_minute, 'requestsPerDay', p.requests_per_day,
    'suspendedAt', public.iso_time(p.suspended_at), 'domainsGraceEndsAt', public.iso_time(p.domains_grace_ends_at))
$$;
CREATE FUNCTION "shown_domain"(d "domains") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('name', d.name, 'state', d.state, 'verified', d.owned_name IS NOT NULL,
    'createdAt', public.iso_time(d.created_at), 'driftedAt', public.iso_time(d.drifted_at),
    'problem', CASE WHEN d.verdict ->> 'code' IS NOT NULL THEN d.verdict ->> 'message' END)
$$;
CREATE FUNCTION "shown_deploy"(d "deploys") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', d.id::text, 'state', CASE WHEN d.succeeded THEN 'succeeded' ELSE 'failed' END,
    'rollbackOf', d.rollback_of_id::text, 'createdAt', public.iso_time(d.created_at),
    'domains', d.configuration -> 'domains',
    'reasons', CASE WHEN NOT d.succeeded AND jsonb_typeof(d.log) = 'array' THEN (
      SELECT json_agg(line ->> 'message') FROM jsonb_array_elements(d.log) AS line WHERE line ->> 'level' = 'error') END)
$$;
CREATE FUNCTION "shown_certificate"(c "certificates") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('name', c.name, 'issuedAt', public.iso_time(c.issued_at),
    'notBefore', public.iso_time(c.not_before), 'notAfter', public.iso_time(c.not_after), 'issuedBy', c.issued_by,
    'problem', CASE WHEN c.problem ->> 'code' IS NOT NULL
      THEN json_build_object('code', c.problem ->> 'code', 'message', c.problem ->> 'message') END)
$$;
-- The path of an endpoint's address often holds a secret, so the log shows the host alone.
CREATE FUNCTION "shown_webhook"(w "webhook_endpoints") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', w.id, 'host', substring(w.url from '^[a-z]+://[^/?#]+'), 'description', w.description,
    'types', w.types, 'enabled', w.enabled, 'createdAt', public.iso_time(w.created_at),
    'disabledAt', public.iso_time(w.disabled_at), 'disabledWhy', w.disabled_why)
$$;
CREATE FUNCTION "shown_plan"(p "plans") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('name', p.name, 'rank', p.rank,
    'requestsPerMinute', p.requests_per_minute, 'requestsPerDay', p.requests_per_day)
$$;

-- Adds members without null to JSON, such as what was replaced without being shown.
CREATE FUNCTION "with_members"(shown json, more json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_object_agg(m.key, m.value) FROM (
    SELECT * FROM json_each(shown) UNION ALL SELECT * FROM json_each(json_strip_nulls(more))
  ) AS m
$$;

CREATE FUNCTION "tell_api_key"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.id) = (NEW.project_id, NEW.id) THEN
    PERFORM public.tell_act(NEW.project_id,
      CASE WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL THEN 'api_key.revoked'
        WHEN OLD.successor_id IS NULL AND NEW.successor_id IS NOT NULL THEN 'api_key.rotated'
        ELSE 'api_key.changed' END,
      'api_key:' || NEW.id,
      public.with_members(public.shown_api_key(NEW),
        json_build_object('secretReplaced', CASE WHEN OLD.hash <> NEW.hash THEN true END)),
      public.former_members(public.shown_api_key(OLD), public.shown_api_key(NEW)));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, 'api_key.removed', 'api_key:' || OLD.id, public.shown_api_key(OLD), NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.tell_act(NEW.project_id, 'api_key.issued', 'api_key:' || NEW.id, public.shown_api_key(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_project"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  told text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.tell_act(NEW.id, 'project.created', 'project:' || NEW.slug, public.shown_project(NEW), NULL);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM public.tell_act(OLD.id, 'project.removed', 'project:' || OLD.slug, public.shown_project(OLD), NULL);
  ELSE
    FOREACH told IN ARRAY array_remove(ARRAY[
      CASE WHEN (OLD.plan, OLD.requests_per_minute, OLD.requests_per_day)
        IS DISTINCT FROM (NEW.plan, NEW.requests_per_minute, NEW.requests_per_day) THEN 'plan.changed' END,
      CASE WHEN OLD.suspended_at IS NULL AND NEW.suspended_at IS NOT NULL THEN 'project.suspended'
        WHEN OLD.suspended_at IS NOT NULL AND NEW.suspended_at IS NULL THEN 'project.resumed'
        WHEN OLD.suspended_at <> NEW.suspended_at THEN 'project.changed' END,
      CASE WHEN (OLD.id, OLD.slug, OLD.name, OLD.domains_grace_ends_at, OLD.ownership_token)
        IS DISTINCT FROM (NEW.id, NEW.slug, NEW.name, NEW.domains_grace_ends_at, NEW.ownership_token) THEN 'project.changed' END
    ], NULL) LOOP
      PERFORM public.tell_act(NEW.id, told, 'project:' || NEW.slug,
        public.with_members(public.shown_project(NEW),
          json_build_object('ownershipTokenReplaced', CASE WHEN OLD.ownership_token <> NEW.ownership_token THEN true END)),
        public.former_members(public.shown_project(OLD), public.shown_project(NEW)));
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;

-- The subject of a domain and its certificate is the name: a name that is added again keeps its history.
CREATE FUNCTION "tell_domain"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.name) = (NEW.project_id, NEW.name) THEN
    PERFORM public.tell_act(NEW.project_id,
      CASE WHEN OLD.owned_name IS NOT NULL AND NEW.owned_name IS NULL THEN 'domain.lost'
        WHEN OLD.owned_name IS NULL AND NEW.owned_name IS NOT NULL THEN 'domain.verified'
        WHEN OLD.state <> 'drifted' AND NEW.state = 'drifted' THEN 'domain.drifted'
        WHEN OLD.state = 'drifted' AND NEW.state = 'live' THEN 'domain.verified'
        ELSE 'domain.changed' END,
      'domain:' || NEW.name, public.shown_domain(NEW),
      public.former_members(public.shown_domain(OLD), public.shown_domain(NEW)));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, 'domain.removed', 'domain:' || OLD.name, public.shown_domain(OLD), NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.tell_act(NEW.project_id, 'domain.added', 'domain:' || NEW.name, public.shown_domain(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_deploy"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, CASE TG_OP WHEN 'DELETE' THEN 'deploy.removed' ELSE 'deploy.changed' END,
      'deploy:' || OLD.id, public.shown_deploy(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END),
      CASE TG_OP WHEN 'UPDATE' THEN public.former_members(public.shown_deploy(OLD), public.shown_deploy(NEW)) END);
  ELSE
    PERFORM public.tell_act(NEW.project_id, CASE WHEN NEW.succeeded THEN 'deploy.succeeded' ELSE 'deploy.failed' END,
      'deploy:' || NEW.id, public.shown_deploy(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

-- A certificate belongs to the project that owns its name. Without one, the entry is the service's own (project 0).
CREATE FUNCTION "tell_certificate"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  host text := CASE TG_OP WHEN 'DELETE' THEN OLD.name ELSE NEW.name END;
  owner int := coalesce((SELECT d.project_id FROM public.domains AS d WHERE d.owned_name = host), 0);
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.chain IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.chain IS DISTINCT FROM NEW.chain) THEN
    PERFORM public.tell_act(owner, 'certificate.issued', 'domain:' || host, public.shown_certificate(NEW), NULL);
  ELSIF TG_OP <> 'INSERT' AND OLD.chain IS NOT NULL AND (TG_OP = 'DELETE' OR NEW.chain IS NULL) THEN
    PERFORM public.tell_act(owner, 'certificate.removed', 'domain:' || host, public.shown_certificate(OLD), NULL);
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.problem ->> 'code' IS DISTINCT FROM OLD.problem ->> 'code'
    AND NEW.problem ->> 'code' IS NOT NULL THEN
    PERFORM public.tell_act(owner, 'certificate.failed', 'domain:' || host, public.shown_certificate(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_webhook"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- The job seals the same secret again when SECRETS_KEY changes.
  IF TG_OP = 'UPDATE' AND public.current_act() -> 'actor' ->> 'name' = 'sealing'
    AND OLD.previous_secret_ends_at IS NOT DISTINCT FROM NEW.previous_secret_ends_at THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.id) = (NEW.project_id, NEW.id) THEN
    PERFORM public.tell_act(NEW.project_id,
      CASE WHEN OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL THEN 'webhook.disabled' ELSE 'webhook.changed' END,
      'webhook:' || NEW.id,
      public.with_members(public.shown_webhook(NEW), json_build_object(
        'urlReplaced', CASE WHEN OLD.url <> NEW.url THEN true END,
        'secretReplaced', CASE WHEN OLD.previous_secret_ends_at IS DISTINCT FROM NEW.previous_secret_ends_at
          OR OLD.sealed_secret <> NEW.sealed_secret THEN true END,
        'movedTo', CASE WHEN NEW.delivered < OLD.delivered THEN NEW.delivered END)),
      public.former_members(public.shown_webhook(OLD), public.shown_webhook(NEW)));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, 'webhook.removed', 'webhook:' || OLD.id, public.shown_webhook(OLD), NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.tell_act(NEW.project_id, 'webhook.added', 'webhook:' || NEW.id, public.shown_webhook(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

-- Changed by an operator at the database alone: an entry of the service (project 0).
CREATE FUNCTION "tell_plan"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell_act(0, 'plan.limits_changed', 'plan:' || CASE TG_OP WHEN 'DELETE' THEN OLD.name ELSE NEW.name END,
    CASE TG_OP WHEN 'DELETE' THEN public.with_members(public.shown_plan(OLD), '{"removed":true}') ELSE public.shown_plan(NEW) END,
    CASE TG_OP WHEN 'UPDATE' THEN public.former_members(public.shown_plan(OLD), public.shown_plan(NEW)) END);
  RETURN NULL;
END
$$;

-- TRUNCATE has no old rows: one entry of the service (project 0).
CREATE FUNCTION "tell_truncate"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell_act(0, 'table.truncated', 'table:' || TG_TABLE_NAME, json_build_object('table', TG_TABLE_NAME), NULL);
  RETURN NULL;
END
$$;

-- The conditions leave out what the service writes all the time: last uses, DNS checks, leases, deliveries.
CREATE TRIGGER "tell_new_api_key" AFTER INSERT OR DELETE ON "api_keys" FOR EACH ROW EXECUTE FUNCTION tell_api_key();
CREATE TRIGGER "tell_changed_api_key" AFTER UPDATE OF "id", "project_id", "name", "prefix", "hash", "scopes", "created_at", "expires_at", "revoked_at", "successor_id" ON "api_keys" FOR EACH ROW
WHEN ((OLD.id, OLD.project_id, OLD.name, OLD.prefix, OLD.hash, OLD.scopes, OLD.created_at, OLD.expires_at, OLD.revoked_at, OLD.successor_id)
  IS DISTINCT FROM (NEW.id, NEW.project_id, NEW.name, NEW.prefix, NEW.hash, NEW.scopes, NEW.created_at, NEW.expires_at, NEW.revoked_at, NEW.successor_id))
EXECUTE FUNCTION tell_api_key();

CREATE TRIGGER "tell_new_project" AFTER INSERT OR DELETE ON "projects" FOR EACH ROW EXECUTE FUNCTION tell_project();
CREATE TRIGGER "tell_changed_project" AFTER UPDATE OF "id", "slug", "name", "plan", "requests_per_minute", "requests_per_day", "suspended_at", "domains_grace_ends_at", "ownership_token" ON "projects" FOR EACH ROW
WHEN ((OLD.id, OLD.slug, OLD.name, OLD.plan, OLD.requests_per_minute, OLD.requests_per_day, OLD.suspended_at, OLD.domains_grace_ends_at, OLD.ownership_token)
  IS DISTINCT FROM (NEW.id, NEW.slug, NEW.name, NEW.plan, NEW.requests_per_minute, NEW.requests_per_day, NEW.suspended_at, NEW.domains_grace_ends_at, NEW.ownership_token))
EXECUTE FUNCTION tell_project();

CREATE TRIGGER "tell_new_domain" AFTER INSERT OR DELETE ON "domains" FOR EACH ROW EXECUTE FUNCTION tell_domain();
CREATE TRIGGER "tell_changed_domain" AFTER UPDATE OF "project_id", "name", "owned_name", "state" ON "domains" FOR EACH ROW
WHEN ((OLD.project_id, OLD.name, OLD.owned_name, OLD.state) IS DISTINCT FROM (NEW.project_id, NEW.name, NEW.owned_name, NEW.state))
EXECUTE FUNCTION tell_domain();

CREATE TRIGGER "tell_deploy" AFTER INSERT OR UPDATE OR DELETE ON "deploys" FOR EACH ROW EXECUTE FUNCTION tell_deploy();

CREATE TRIGGER "tell_new_certificate" AFTER INSERT OR DELETE ON "certificates" FOR EACH ROW EXECUTE FUNCTION tell_certificate();
CREATE TRIGGER "tell_changed_certificate" AFTER UPDATE OF "chain", "problem" ON "certificates" FOR EACH ROW
WHEN (OLD.chain IS DISTINCT FROM NEW.chain OR OLD.problem IS DISTINCT FROM NEW.problem)
EXECUTE FUNCTION tell_certificate();

CREATE TRIGGER "tell_new_webhook" AFTER INSERT OR DELETE ON "webhook_endpoints" FOR EACH ROW EXECUTE FUNCTION tell_webhook();
CREATE TRIGGER "tell_changed_webhook" AFTER UPDATE OF "id", "project_id", "url", "description", "types", "enabled", "disabled_at", "previous_secret_ends_at", "delivered", "sealed_secret" ON "webhook_endpoints" FOR EACH ROW
WHEN ((OLD.id, OLD.project_id, OLD.url, OLD.description, OLD.types, OLD.enabled, OLD.disabled_at, OLD.previous_secret_ends_at)
    IS DISTINCT FROM (NEW.id, NEW.project_id, NEW.url, NEW.description, NEW.types, NEW.enabled, NEW.disabled_at, NEW.previous_secret_ends_at)
  OR NEW.delivered < OLD.delivered OR OLD.sealed_secret <> NEW.sealed_secret)
EXECUTE FUNCTION tell_webhook();

CREATE TRIGGER "tell_plan" AFTER INSERT OR UPDATE OR DELETE ON "plans" FOR EACH ROW EXECUTE FUNCTION tell_plan();

CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "api_keys" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "projects" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "domains" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "deploys" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "certificates" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "webhook_endpoints" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "plans" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126141500_tell_management');
