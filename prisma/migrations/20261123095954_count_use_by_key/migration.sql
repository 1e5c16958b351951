-- AlterTable
ALTER TABLE "usage" ADD COLUMN     "failed" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "faulty" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "key_usage" (
    "project_id" INTEGER NOT NULL,
    "api_key_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "door" TEXT NOT NULL,
    "requests" BIGINT NOT NULL,
    "refusals" BIGINT NOT NULL,
    "faulty" BIGINT NOT NULL,
    "failed" BIGINT NOT NULL,

    CONSTRAINT "key_usage_pkey" PRIMARY KEY ("project_id","hour","api_key_id","door")
);

-- CreateIndex
CREATE INDEX "key_usage_hour_idx" ON "key_usage"("hour");

-- AddForeignKey
ALTER TABLE "key_usage" ADD CONSTRAINT "key_usage_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261123095954_count_use_by_key');
