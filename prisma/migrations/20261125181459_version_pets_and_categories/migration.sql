CREATE SEQUENCE "categories_version_seq";

-- AlterTable
ALTER TABLE "categories" ADD COLUMN     "version" BIGINT NOT NULL DEFAULT nextval('categories_version_seq'::regclass);
ALTER SEQUENCE "categories_version_seq" OWNED BY "categories"."version";

-- AlterTable
ALTER TABLE "pets" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- Whoever changes a row, an older version of the service and psql too, gives it another version.
CREATE FUNCTION "version_pet"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;

CREATE FUNCTION "version_category"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.version := nextval('public.categories_version_seq');
  RETURN NEW;
END
$$;

CREATE TRIGGER "version_pets" BEFORE UPDATE ON "pets"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "version_pet"();
CREATE TRIGGER "version_categories" BEFORE UPDATE ON "categories"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "version_category"();

-- Also while a session replicates, as the log of changes does.
ALTER TABLE "pets" ENABLE ALWAYS TRIGGER "version_pets";
ALTER TABLE "categories" ENABLE ALWAYS TRIGGER "version_categories";

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261125181459_version_pets_and_categories');
