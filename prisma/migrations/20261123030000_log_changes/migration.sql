-- What counted changes goes: an older process that still runs keeps no page from here on, and is right without.
DROP FUNCTION "count_change"() CASCADE;
DROP TABLE "changes";

-- The log of changes that caches follow. A crash empties it, a promoted replica and a restored backup come without it:
-- those are the cases in which all that is kept must be forgotten anyway, so their loss is the signal, and no write
-- pays for a second line in the write-ahead log.
CREATE UNLOGGED TABLE "changes" (
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "what" TEXT NOT NULL,
    "project_id" INTEGER,
    "least_id" BIGINT,
    "name" TEXT
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- CreateIndex
CREATE INDEX "changes_xid_idx" ON "changes"("xid");

CREATE UNLOGGED TABLE "changes_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "era" UUID NOT NULL DEFAULT gen_random_uuid(),
    "sweep" BIGINT NOT NULL DEFAULT 0,
    "swept_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "horizon" TEXT NOT NULL DEFAULT (pg_current_snapshot())::text,

    CONSTRAINT "changes_state_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "changes_state_one_row_check" CHECK ("id" = 1)
);
INSERT INTO "changes_state" DEFAULT VALUES;

-- The functions run as their owner: a role that may edit pets needs no rights on the log.
CREATE FUNCTION "log_pets"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO public.changes (what) VALUES ('pets');
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO public.changes (what, project_id, least_id)
    SELECT 'pets', project_id, min(id) FROM new_rows GROUP BY project_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.changes (what, project_id, least_id)
    SELECT 'pets', project_id, min(id) FROM old_rows GROUP BY project_id;
  ELSE
    INSERT INTO public.changes (what, project_id, least_id)
    SELECT 'pets', project_id, min(id) FROM (TABLE old_rows UNION ALL TABLE new_rows) AS touched GROUP BY project_id;
  END IF;
  RETURN NULL;
END
$$;

-- Its arguments: what changed, and the columns with the project's id and the name, a dash where there is none. A row that
-- was changed is told as it was and as it is.
CREATE FUNCTION "log_row"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO public.changes (what) VALUES (TG_ARGV[0]);
  ELSE
    INSERT INTO public.changes (what, project_id, name)
    SELECT DISTINCT TG_ARGV[0], (version ->> TG_ARGV[1])::int, regexp_replace(version ->> TG_ARGV[2], '^\\x', '')
    FROM (VALUES (to_jsonb(OLD)), (to_jsonb(NEW))) AS versions (version)
    WHERE version IS NOT NULL;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "log_pets_insert" AFTER INSERT ON "pets" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION log_pets();
CREATE TRIGGER "log_pets_update" AFTER UPDATE ON "pets" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION log_pets();
CREATE TRIGGER "log_pets_delete" AFTER DELETE ON "pets" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION log_pets();
CREATE TRIGGER "log_pets_truncate" AFTER TRUNCATE ON "pets"
FOR EACH STATEMENT EXECUTE FUNCTION log_pets();

-- When a key was used last, and what it is called, is not kept with it.
CREATE TRIGGER "log_keys" AFTER INSERT OR DELETE ON "api_keys"
FOR EACH ROW EXECUTE FUNCTION log_row('keys', 'project_id', 'hash');
CREATE TRIGGER "log_keys_update" AFTER UPDATE ON "api_keys" FOR EACH ROW
WHEN ((OLD.id, OLD.project_id, OLD.prefix, OLD.hash, OLD.scopes, OLD.expires_at, OLD.revoked_at)
  IS DISTINCT FROM (NEW.id, NEW.project_id, NEW.prefix, NEW.hash, NEW.scopes, NEW.expires_at, NEW.revoked_at))
EXECUTE FUNCTION log_row('keys', 'project_id', 'hash');
CREATE TRIGGER "log_keys_truncate" AFTER TRUNCATE ON "api_keys"
FOR EACH STATEMENT EXECUTE FUNCTION log_row('keys');

CREATE TRIGGER "log_projects" AFTER INSERT OR DELETE ON "projects"
FOR EACH ROW EXECUTE FUNCTION log_row('project', 'id', '-');
CREATE TRIGGER "log_projects_update" AFTER UPDATE ON "projects" FOR EACH ROW
WHEN ((OLD.id, OLD.slug, OLD.name, OLD.plan, OLD.requests_per_minute, OLD.requests_per_day, OLD.suspended_at)
  IS DISTINCT FROM (NEW.id, NEW.slug, NEW.name, NEW.plan, NEW.requests_per_minute, NEW.requests_per_day, NEW.suspended_at))
EXECUTE FUNCTION log_row('project', 'id', '-');
CREATE TRIGGER "log_plans_update" AFTER UPDATE ON "plans" FOR EACH ROW
WHEN ((OLD.name, OLD.requests_per_minute, OLD.requests_per_day)
  IS DISTINCT FROM (NEW.name, NEW.requests_per_minute, NEW.requests_per_day))
EXECUTE FUNCTION log_row('project', '-', '-');

-- What a host shows, and to whom it belongs; a plan's new name reaches its projects.
CREATE TRIGGER "log_project_hosts" AFTER INSERT OR DELETE ON "projects"
FOR EACH ROW EXECUTE FUNCTION log_row('hosts', 'id', 'slug');
CREATE TRIGGER "log_project_hosts_update" AFTER UPDATE ON "projects" FOR EACH ROW
WHEN ((OLD.id, OLD.slug, OLD.name, OLD.plan, OLD.domains_grace_ends_at)
  IS DISTINCT FROM (NEW.id, NEW.slug, NEW.name, NEW.plan, NEW.domains_grace_ends_at))
EXECUTE FUNCTION log_row('hosts', 'id', 'slug');

CREATE TRIGGER "log_domains" AFTER INSERT OR DELETE ON "domains"
FOR EACH ROW EXECUTE FUNCTION log_row('hosts', 'project_id', 'owned_name');
CREATE TRIGGER "log_domains_update" AFTER UPDATE ON "domains" FOR EACH ROW
WHEN ((OLD.project_id, OLD.name, OLD.owned_name) IS DISTINCT FROM (NEW.project_id, NEW.name, NEW.owned_name))
EXECUTE FUNCTION log_row('hosts', 'project_id', 'owned_name');
CREATE TRIGGER "log_domains_truncate" AFTER TRUNCATE ON "domains"
FOR EACH STATEMENT EXECUTE FUNCTION log_row('hosts');

CREATE TRIGGER "log_deploys" AFTER INSERT OR DELETE ON "deploys"
FOR EACH ROW EXECUTE FUNCTION log_row('hosts', 'project_id', '-');
CREATE TRIGGER "log_deploys_update" AFTER UPDATE ON "deploys" FOR EACH ROW
WHEN ((OLD.id, OLD.project_id, OLD.succeeded, OLD.configuration)
  IS DISTINCT FROM (NEW.id, NEW.project_id, NEW.succeeded, NEW.configuration))
EXECUTE FUNCTION log_row('hosts', 'project_id', '-');
CREATE TRIGGER "log_deploys_truncate" AFTER TRUNCATE ON "deploys"
FOR EACH STATEMENT EXECUTE FUNCTION log_row('hosts');

CREATE TRIGGER "log_certificates" AFTER INSERT OR DELETE ON "certificates"
FOR EACH ROW EXECUTE FUNCTION log_row('hosts', '-', 'name');
CREATE TRIGGER "log_certificates_update" AFTER UPDATE ON "certificates" FOR EACH ROW
WHEN ((OLD.name, OLD.chain, OLD.sealed_key) IS DISTINCT FROM (NEW.name, NEW.chain, NEW.sealed_key))
EXECUTE FUNCTION log_row('hosts', '-', 'name');
CREATE TRIGGER "log_certificates_truncate" AFTER TRUNCATE ON "certificates"
FOR EACH STATEMENT EXECUTE FUNCTION log_row('hosts');

-- They fire whatever session_replication_role says, as under a restore or a bulk load.
ALTER TABLE "pets"
  ENABLE ALWAYS TRIGGER "log_pets_insert",
  ENABLE ALWAYS TRIGGER "log_pets_update",
  ENABLE ALWAYS TRIGGER "log_pets_delete",
  ENABLE ALWAYS TRIGGER "log_pets_truncate";
ALTER TABLE "api_keys"
  ENABLE ALWAYS TRIGGER "log_keys",
  ENABLE ALWAYS TRIGGER "log_keys_update",
  ENABLE ALWAYS TRIGGER "log_keys_truncate";
ALTER TABLE "projects"
  ENABLE ALWAYS TRIGGER "log_projects",
  ENABLE ALWAYS TRIGGER "log_projects_update",
  ENABLE ALWAYS TRIGGER "log_project_hosts",
  ENABLE ALWAYS TRIGGER "log_project_hosts_update";
ALTER TABLE "plans"
  ENABLE ALWAYS TRIGGER "log_plans_update";
ALTER TABLE "domains"
  ENABLE ALWAYS TRIGGER "log_domains",
  ENABLE ALWAYS TRIGGER "log_domains_update",
  ENABLE ALWAYS TRIGGER "log_domains_truncate";
ALTER TABLE "deploys"
  ENABLE ALWAYS TRIGGER "log_deploys",
  ENABLE ALWAYS TRIGGER "log_deploys_update",
  ENABLE ALWAYS TRIGGER "log_deploys_truncate";
ALTER TABLE "certificates"
  ENABLE ALWAYS TRIGGER "log_certificates",
  ENABLE ALWAYS TRIGGER "log_certificates_update",
  ENABLE ALWAYS TRIGGER "log_certificates_truncate";
