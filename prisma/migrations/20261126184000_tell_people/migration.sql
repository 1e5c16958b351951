-- What the audit log shows of members and invitations: never the hash of an invitation's link.
CREATE FUNCTION "shown_member"(m "memberships") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', m.person_id, 'name', (SELECT p.name FROM public.people AS p WHERE p.id = m.person_id),
    'role', m.role, 'joinedAt', public.iso_time(m.joined_at))
$$;
CREATE FUNCTION "shown_invitation"(i "invitations") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', i.id, 'role', i.role, 'invitedBy', i.invited_by,
    'createdAt', public.iso_time(i.created_at), 'expiresAt', public.iso_time(i.expires_at))
$$;
CREATE FUNCTION "shown_person"(p "people") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', p.id, 'name', p.name, 'createdAt', public.iso_time(p.created_at))
$$;
CREATE FUNCTION "shown_passkey"(k "passkeys") RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('person', k.person_id, 'name', k.name, 'createdAt', public.iso_time(k.created_at))
$$;

CREATE FUNCTION "tell_member"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.person_id) = (NEW.project_id, NEW.person_id) THEN
    PERFORM public.tell_act(NEW.project_id, 'member.changed', 'member:' || NEW.person_id, public.shown_member(NEW),
      public.former_members(public.shown_member(OLD), public.shown_member(NEW)));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, 'member.removed', 'member:' || OLD.person_id, public.shown_member(OLD), NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.tell_act(NEW.project_id, 'member.added', 'member:' || NEW.person_id, public.shown_member(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_invitation"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.id) = (NEW.project_id, NEW.id) THEN
    PERFORM public.tell_act(NEW.project_id, 'invitation.changed', 'invitation:' || NEW.id,
      public.with_members(public.shown_invitation(NEW),
        json_build_object('secretReplaced', CASE WHEN OLD.hash <> NEW.hash THEN true END)),
      public.former_members(public.shown_invitation(OLD), public.shown_invitation(NEW)));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.tell_act(OLD.project_id, 'invitation.removed', 'invitation:' || OLD.id, public.shown_invitation(OLD), NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.tell_act(NEW.project_id, 'invitation.added', 'invitation:' || NEW.id, public.shown_invitation(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

-- People and their passkeys belong to no project: entries of the service (project 0).
CREATE FUNCTION "tell_person"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM public.tell_act(0, 'person.changed', 'person:' || NEW.id,
      public.with_members(public.shown_person(NEW), json_build_object('identityReplaced',
        CASE WHEN (OLD.issuer, OLD.subject) IS DISTINCT FROM (NEW.issuer, NEW.subject) THEN true END)),
      public.former_members(public.shown_person(OLD), public.shown_person(NEW)));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM public.tell_act(0, 'person.removed', 'person:' || OLD.id, public.shown_person(OLD), NULL);
  ELSE
    PERFORM public.tell_act(0, 'person.added', 'person:' || NEW.id, public.shown_person(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION "tell_passkey"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM public.tell_act(0, 'passkey.changed', 'person:' || NEW.person_id,
      public.with_members(public.shown_passkey(NEW),
        json_build_object('keyReplaced', CASE WHEN (OLD.id, OLD.public_key) <> (NEW.id, NEW.public_key) THEN true END)),
      public.former_members(public.shown_passkey(OLD), public.shown_passkey(NEW)));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM public.tell_act(0, 'passkey.removed', 'person:' || OLD.person_id, public.shown_passkey(OLD), NULL);
  ELSE
    PERFORM public.tell_act(0, 'passkey.added', 'person:' || NEW.person_id, public.shown_passkey(NEW), NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "tell_member" AFTER INSERT OR UPDATE OR DELETE ON "memberships" FOR EACH ROW EXECUTE FUNCTION tell_member();
CREATE TRIGGER "tell_invitation" AFTER INSERT OR UPDATE OR DELETE ON "invitations" FOR EACH ROW EXECUTE FUNCTION tell_invitation();
CREATE TRIGGER "tell_person" AFTER INSERT OR UPDATE OR DELETE ON "people" FOR EACH ROW EXECUTE FUNCTION tell_person();
-- Not the counter and the last use, which each sign-in writes.
CREATE TRIGGER "tell_new_passkey" AFTER INSERT OR DELETE ON "passkeys" FOR EACH ROW EXECUTE FUNCTION tell_passkey();
CREATE TRIGGER "tell_changed_passkey" AFTER UPDATE OF "id", "person_id", "name", "public_key" ON "passkeys" FOR EACH ROW
WHEN ((OLD.id, OLD.person_id, OLD.name, OLD.public_key) IS DISTINCT FROM (NEW.id, NEW.person_id, NEW.name, NEW.public_key))
EXECUTE FUNCTION tell_passkey();

CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "memberships" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "invitations" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "people" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();
CREATE TRIGGER "tell_truncate" AFTER TRUNCATE ON "passkeys" FOR EACH STATEMENT EXECUTE FUNCTION tell_truncate();

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126184000_tell_people');
