-- CreateEnum
CREATE TYPE "PetStatus" AS ENUM ('available', 'pending', 'sold');

-- CreateTable
CREATE TABLE "plans" (
    "name" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "requests_per_minute" INTEGER,
    "requests_per_day" INTEGER,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "plan" TEXT NOT NULL DEFAULT 'free',
    "requests_per_minute" INTEGER,
    "requests_per_day" INTEGER,
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pets" (
    "id" BIGSERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "category_id" BIGINT NOT NULL,
    "status" "PetStatus",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "successor_id" UUID,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deprecated_uses" (
    "api_key_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deprecated_uses_pkey" PRIMARY KEY ("api_key_id","field")
);

-- CreateTable
CREATE TABLE "idempotent_creations" (
    "project_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "pet_id" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_creations_pkey" PRIMARY KEY ("project_id","key")
);

-- CreateTable
CREATE TABLE "usage" (
    "project_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "door" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("project_id","day","door")
);

-- CreateIndex
CREATE UNIQUE INDEX "plans_rank_key" ON "plans"("rank");

-- CreateIndex
CREATE UNIQUE INDEX "projects_slug_key" ON "projects"("slug");

-- CreateIndex
CREATE INDEX "pets_project_id_id_idx" ON "pets"("project_id", "id");

-- CreateIndex
CREATE INDEX "pets_project_id_status_id_idx" ON "pets"("project_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_successor_id_key" ON "api_keys"("successor_id");

-- CreateIndex
CREATE INDEX "api_keys_project_id_created_at_idx" ON "api_keys"("project_id", "created_at");

-- CreateIndex
CREATE INDEX "idempotent_creations_expires_at_idx" ON "idempotent_creations"("expires_at");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_plan_fkey" FOREIGN KEY ("plan") REFERENCES "plans"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pets" ADD CONSTRAINT "pets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_successor_id_fkey" FOREIGN KEY ("successor_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deprecated_uses" ADD CONSTRAINT "deprecated_uses_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotent_creations" ADD CONSTRAINT "idempotent_creations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage" ADD CONSTRAINT "usage_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot say: rules that must hold whatever the code above forgets.
ALTER TABLE "plans" ADD CONSTRAINT "plans_limits_check" CHECK ("requests_per_minute" >= 0 AND "requests_per_day" >= 0);
ALTER TABLE "projects" ADD CONSTRAINT "projects_limits_check" CHECK ("requests_per_minute" >= 0 AND "requests_per_day" >= 0);
ALTER TABLE "pets" ADD CONSTRAINT "pets_name_check" CHECK (char_length("name") BETWEEN 1 AND 255);
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_hash_check" CHECK (octet_length("hash") = 32);
ALTER TABLE "idempotent_creations" ADD CONSTRAINT "idempotent_creations_input_hash_check" CHECK (octet_length("input_hash") = 32);
ALTER TABLE "usage" ADD CONSTRAINT "usage_counts_check" CHECK ("requests" >= 0 AND "refusals" >= 0);

-- The plans that every store starts with; an enterprise project brings its own numbers.
INSERT INTO "plans" ("name", "rank", "requests_per_minute", "requests_per_day") VALUES
    ('free', 0, 60, 1000),
    ('pro', 1, 300, 10000),
    ('business', 2, 1000, 100000),
    ('enterprise', 3, NULL, NULL);
