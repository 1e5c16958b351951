-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "ownership_token" UUID NOT NULL DEFAULT gen_random_uuid();

-- CreateTable
CREATE TABLE "held_names" (
    "name" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "held_names_pkey" PRIMARY KEY ("name","project_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "projects_ownership_token_key" ON "projects"("ownership_token");

-- AddForeignKey
ALTER TABLE "held_names" ADD CONSTRAINT "held_names_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whoever has proven a name so far has held it.
INSERT INTO "held_names" ("name", "project_id", "since")
SELECT "name", "project_id", "verified_at" FROM "domains" WHERE "verified_at" IS NOT NULL;
