-- CreateEnum
CREATE TYPE "OrderStatus" AS ENUM ('placed', 'approved', 'delivered', 'cancelled');

-- CreateTable
CREATE TABLE "orders" (
    "id" BIGSERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "pet_id" BIGINT NOT NULL,
    "pet_name" TEXT NOT NULL,
    "category_id" BIGINT NOT NULL,
    "former_status" "PetStatus",
    "status" "OrderStatus" NOT NULL DEFAULT 'placed',
    "reference" TEXT,
    "note" TEXT,
    "placed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "approved_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),

    CONSTRAINT "orders_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateIndex
CREATE INDEX "orders_project_id_status_id_idx" ON "orders"("project_id", "status", "id");

-- CreateIndex
CREATE INDEX "orders_project_id_pet_id_id_idx" ON "orders"("project_id", "pet_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_project_id_reference_key" ON "orders"("project_id", "reference");

-- Prisma has no words for this: a pet has one open order at most.
CREATE UNIQUE INDEX "orders_open_pet_key" ON "orders"("project_id", "pet_id") WHERE "status" IN ('placed', 'approved');

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "pets" ADD COLUMN "open_order_id" BIGINT;

-- AlterTable
ALTER TABLE "idempotent_creations" ADD COLUMN "order_id" BIGINT, ALTER COLUMN "pet_id" DROP NOT NULL;

-- A pet in an open order stays, and keeps the status that the order gave it, whoever wants it otherwise.
CREATE FUNCTION "keep_pet_in_order"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Pet % is in the open order %: cancel or deliver that first.', OLD.id, OLD.open_order_id
  USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "keep_pet_in_order" BEFORE DELETE ON "pets" FOR EACH ROW
WHEN (OLD.open_order_id IS NOT NULL) EXECUTE FUNCTION keep_pet_in_order();
CREATE TRIGGER "keep_status_in_order" BEFORE UPDATE ON "pets" FOR EACH ROW
WHEN (OLD.open_order_id = NEW.open_order_id AND OLD.status IS DISTINCT FROM NEW.status)
EXECUTE FUNCTION keep_pet_in_order();

-- Kept answers show orders beside their pets, so the least id is that of a pet.
CREATE FUNCTION "log_orders"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO public.changes (what) VALUES ('orders');
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO public.changes (what, project_id, least_id)
    SELECT 'orders', project_id, min(pet_id) FROM new_rows GROUP BY project_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.changes (what, project_id, least_id)
    SELECT 'orders', project_id, min(pet_id) FROM old_rows GROUP BY project_id;
  ELSE
    INSERT INTO public.changes (what, project_id, least_id)
    SELECT 'orders', project_id, min(pet_id) FROM (TABLE old_rows UNION ALL TABLE new_rows) AS touched
    GROUP BY project_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "log_orders_insert" AFTER INSERT ON "orders" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION log_orders();
CREATE TRIGGER "log_orders_update" AFTER UPDATE ON "orders" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION log_orders();
CREATE TRIGGER "log_orders_delete" AFTER DELETE ON "orders" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION log_orders();
CREATE TRIGGER "log_orders_truncate" AFTER TRUNCATE ON "orders"
FOR EACH STATEMENT EXECUTE FUNCTION log_orders();
ALTER TABLE "orders"
  ENABLE ALWAYS TRIGGER "log_orders_insert",
  ENABLE ALWAYS TRIGGER "log_orders_update",
  ENABLE ALWAYS TRIGGER "log_orders_delete",
  ENABLE ALWAYS TRIGGER "log_orders_truncate";

-- Whoever might do everything so far may do this as well.
UPDATE "api_keys" SET "scopes" = '{pets:read,pets:write,orders:read,orders:write,project:read,project:write}'
WHERE "scopes" @> '{pets:read,pets:write,project:read,project:write}';
