-- What a project's hosts show depends on whether it is suspended.
DROP TRIGGER "log_project_hosts_update" ON "projects";
CREATE TRIGGER "log_project_hosts_update" AFTER UPDATE ON "projects" FOR EACH ROW
WHEN ((OLD.id, OLD.slug, OLD.name, OLD.plan, OLD.domains_grace_ends_at, OLD.suspended_at)
  IS DISTINCT FROM (NEW.id, NEW.slug, NEW.name, NEW.plan, NEW.domains_grace_ends_at, NEW.suspended_at))
EXECUTE FUNCTION log_row('hosts', 'id', 'slug');
ALTER TABLE "projects" ENABLE ALWAYS TRIGGER "log_project_hosts_update";
