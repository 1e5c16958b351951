-- CreateTable
CREATE TABLE "latencies" (
    "project_id" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "door" TEXT NOT NULL,
    "counts" BIGINT[],

    CONSTRAINT "latencies_pkey" PRIMARY KEY ("project_id","hour","door")
);

-- CreateIndex
CREATE INDEX "latencies_hour_idx" ON "latencies"("hour");

-- AddForeignKey
ALTER TABLE "latencies" ADD CONSTRAINT "latencies_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261127213000_time_answers');
