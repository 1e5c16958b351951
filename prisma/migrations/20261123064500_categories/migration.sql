-- CreateTable
CREATE TABLE "categories" (
    "project_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("project_id","id")
);

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Kept answers show the names beside pets.
CREATE TRIGGER "log_categories" AFTER INSERT OR UPDATE OR DELETE ON "categories"
FOR EACH ROW EXECUTE FUNCTION log_row('categories', 'project_id', '-');
CREATE TRIGGER "log_categories_truncate" AFTER TRUNCATE ON "categories"
FOR EACH STATEMENT EXECUTE FUNCTION log_row('categories');
ALTER TABLE "categories"
  ENABLE ALWAYS TRIGGER "log_categories",
  ENABLE ALWAYS TRIGGER "log_categories_truncate";
