-- CreateTable
CREATE TABLE "certificate_orders" (
    "id" BIGSERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "certificate_orders_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "certificate_orders_project_id_ordered_at_idx" ON "certificate_orders"("project_id", "ordered_at");

-- CreateIndex
CREATE INDEX "certificate_orders_name_idx" ON "certificate_orders"("name");

-- AddForeignKey
ALTER TABLE "certificate_orders" ADD CONSTRAINT "certificate_orders_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
