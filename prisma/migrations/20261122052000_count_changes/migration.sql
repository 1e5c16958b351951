-- CreateTable
CREATE TABLE "changes" (
    "what" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("what")
);

-- Prisma has no words for what follows. The count's row stays locked until the change is committed, so that whoever
-- reads a count sees all changes that led to it.
CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Whoever announces a change of pets in Redis says so within the statement.
  IF current_setting('animal_store.announced', true) IS DISTINCT FROM 'yes' THEN
    INSERT INTO "changes" VALUES (TG_ARGV[0], 1)
    ON CONFLICT (what) DO UPDATE SET count = "changes".count + 1;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "pets"
FOR EACH STATEMENT EXECUTE FUNCTION count_change('pets');

-- When a key was used last, and what it is called, is not remembered with it.
CREATE TRIGGER count_change
AFTER INSERT OR UPDATE OF id, project_id, prefix, hash, scopes, expires_at, revoked_at OR DELETE OR TRUNCATE ON "api_keys"
FOR EACH STATEMENT EXECUTE FUNCTION count_change('keys');

CREATE TRIGGER count_change
AFTER INSERT OR UPDATE OF id, slug, name, plan, requests_per_minute, requests_per_day, suspended_at ON "projects"
FOR EACH STATEMENT EXECUTE FUNCTION count_change('keys');

CREATE TRIGGER count_change AFTER UPDATE ON "plans"
FOR EACH STATEMENT EXECUTE FUNCTION count_change('keys');
