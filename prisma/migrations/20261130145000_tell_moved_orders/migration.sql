-- A change of an id or of the project is the end of one order and the beginning of another, as it is for pets and categories.
-- The function before wrote no event for it.
CREATE OR REPLACE FUNCTION "tell_orders"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
    SELECT coalesce(n.project_id, o.project_id),
      'order.' || CASE WHEN n.id IS NULL THEN 'deleted' WHEN n.status = o.status THEN 'updated' ELSE n.status::text END,
      'order:' || coalesce(n.id, o.id),
      CASE WHEN n.id IS NULL
        THEN public.order_json(o.id, o.pet_id, o.category_id, o.pet_name, o.status::text, o.reference, o.note,
          o.placed_at, o.approved_at, o.delivered_at, o.cancelled_at)
        ELSE public.order_json(n.id, n.pet_id, n.category_id, n.pet_name, n.status::text, n.reference, n.note,
          n.placed_at, n.approved_at, n.delivered_at, n.cancelled_at)
      END::json,
      CASE WHEN o.id IS NOT NULL AND n.id IS NOT NULL THEN '{' || concat_ws(',',
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
      ) || '}' END::json
    FROM old_rows AS o FULL JOIN new_rows AS n ON n.project_id = o.project_id AND n.id = o.id
    WHERE (o.id, o.pet_id, o.category_id, o.pet_name, o.status, o.reference, o.note,
        o.placed_at, o.approved_at, o.delivered_at, o.cancelled_at)
      IS DISTINCT FROM (n.id, n.pet_id, n.category_id, n.pet_name, n.status, n.reference, n.note,
        n.placed_at, n.approved_at, n.delivered_at, n.cancelled_at);
  END IF;
  RETURN NULL;
END
$$;

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261130145000_tell_moved_orders');
