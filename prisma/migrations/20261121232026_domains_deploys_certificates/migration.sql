-- CreateEnum
CREATE TYPE "host_state" AS ENUM ('pending', 'stale', 'live', 'drifted');

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "domains_grace_ends_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "deploys" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "configuration" JSONB NOT NULL,
    "log" JSONB NOT NULL,
    "rollback_of_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deploys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domains" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "owned_name" TEXT,
    "state" "host_state" NOT NULL DEFAULT 'pending',
    "verdict" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "drifted_at" TIMESTAMPTZ(3),
    "looked_at" TIMESTAMPTZ(3),
    "asked_at" TIMESTAMPTZ(3),
    "looks_since" TIMESTAMPTZ(3) NOT NULL,
    "next_look_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "domains_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "certificates" (
    "name" TEXT NOT NULL,
    "chain" TEXT,
    "sealed_key" BYTEA,
    "not_before" TIMESTAMPTZ(3),
    "not_after" TIMESTAMPTZ(3),
    "renew_at" TIMESTAMPTZ(3),
    "wanted_since" TIMESTAMPTZ(3) NOT NULL,
    "order_url" TEXT,
    "sealed_order_key" BYTEA,
    "problem" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failed_validations" TIMESTAMPTZ(3)[],
    "next_step_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "certificates_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "acme_accounts" (
    "directory_url" TEXT NOT NULL,
    "sealed_key" BYTEA NOT NULL,
    "url" TEXT,
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "acme_accounts_pkey" PRIMARY KEY ("directory_url")
);

-- CreateTable
CREATE TABLE "acme_challenges" (
    "token" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key_authorization" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "acme_challenges_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "hosts_version" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "hosts_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "serving_processes" (
    "id" UUID NOT NULL,
    "hosts_version" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "serving_processes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deploys_project_id_succeeded_id_idx" ON "deploys"("project_id", "succeeded", "id");

-- CreateIndex
CREATE UNIQUE INDEX "domains_owned_name_key" ON "domains"("owned_name");

-- CreateIndex
CREATE INDEX "domains_name_idx" ON "domains"("name");

-- CreateIndex
CREATE INDEX "domains_next_look_at_idx" ON "domains"("next_look_at");

-- CreateIndex
CREATE UNIQUE INDEX "domains_project_id_name_key" ON "domains"("project_id", "name");

-- CreateIndex
CREATE INDEX "certificates_next_step_at_idx" ON "certificates"("next_step_at");

-- CreateIndex
CREATE INDEX "acme_challenges_expires_at_idx" ON "acme_challenges"("expires_at");

-- AddForeignKey
ALTER TABLE "deploys" ADD CONSTRAINT "deploys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
