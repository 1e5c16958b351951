-- CreateTable
CREATE TABLE "join_domains" (
    "project_id" INTEGER NOT NULL,
    "domain" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "join_domains_pkey" PRIMARY KEY ("project_id","domain")
);

-- CreateTable
CREATE TABLE "barred_identities" (
    "project_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "barred_identities_pkey" PRIMARY KEY ("project_id","hash")
);

-- AddForeignKey
ALTER TABLE "join_domains" ADD CONSTRAINT "join_domains_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "barred_identities" ADD CONSTRAINT "barred_identities_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE FUNCTION "shown_join_domain"(d "join_domains") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', d.domain, 'role', d.role, 'issuer', d.issuer, 'createdAt', public.iso_time(d.created_at))
$$;

CREATE FUNCTION "tell_join_domain"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.domain) = (NEW.project_id, NEW.domain) THEN
    PERFORM public.tell_act(NEW.project_id, 'join_domain.changed', 'join_domain:' || NEW.domain,
      public.shown_join_domain(NEW), public.former_members(public.shown_join_domain(OLD), public.shown_join_domain(NEW)));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, 'join_domain.removed', 'join_domain:' || OLD.domain, public.shown_join_domain(OLD), NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.tell_act(NEW.project_id, 'join_domain.added', 'join_domain:' || NEW.domain, public.shown_join_domain(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "tell_join_domain" AFTER INSERT OR UPDATE OR DELETE ON "join_domains" FOR EACH ROW EXECUTE FUNCTION tell_join_domain();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "join_domains" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261127190000_join_domains');
