-- CreateEnum
CREATE TYPE "role" AS ENUM ('viewer', 'developer', 'owner');

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "issued_by" UUID;

-- CreateTable
CREATE TABLE "people" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,

    CONSTRAINT "people_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "project_id" INTEGER NOT NULL,
    "person_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("project_id","person_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "role" "role" NOT NULL,
    "hash" BYTEA NOT NULL,
    "invited_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "device" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" BYTEA NOT NULL,
    "session_id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "person_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "passkeys" (
    "id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "challenges" (
    "hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "person_id" UUID,
    "data" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "challenges_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "people_issuer_subject_key" ON "people"("issuer", "subject");

-- CreateIndex
CREATE INDEX "memberships_person_id_idx" ON "memberships"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations"("hash");

-- CreateIndex
CREATE INDEX "invitations_project_id_id_idx" ON "invitations"("project_id", "id");

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_hash_key" ON "sessions"("hash");

-- CreateIndex
CREATE INDEX "sessions_person_id_idx" ON "sessions"("person_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "access_tokens_session_id_idx" ON "access_tokens"("session_id");

-- CreateIndex
CREATE INDEX "access_tokens_project_id_person_id_idx" ON "access_tokens"("project_id", "person_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "passkeys_person_id_idx" ON "passkeys"("person_id");

-- CreateIndex
CREATE INDEX "challenges_expires_at_idx" ON "challenges"("expires_at");

-- CreateIndex
CREATE INDEX "api_keys_project_id_issued_by_idx" ON "api_keys"("project_id", "issued_by");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_project_id_person_id_fkey" FOREIGN KEY ("project_id", "person_id") REFERENCES "memberships"("project_id", "person_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Every process caches access tokens as it caches API keys. The end of a session or a membership deletes its tokens.
CREATE TRIGGER "log_access_tokens" AFTER UPDATE OR DELETE ON "access_tokens"
FOR EACH ROW EXECUTE FUNCTION log_row('keys', 'project_id', 'hash');
CREATE TRIGGER "log_access_tokens_truncate" AFTER TRUNCATE ON "access_tokens"
FOR EACH STATEMENT EXECUTE FUNCTION log_row('keys');
CREATE TRIGGER "log_memberships_update" AFTER UPDATE ON "memberships"
FOR EACH ROW EXECUTE FUNCTION log_row('project', 'project_id', '-');
ALTER TABLE "access_tokens"
  ENABLE ALWAYS TRIGGER "log_access_tokens",
  ENABLE ALWAYS TRIGGER "log_access_tokens_truncate";
ALTER TABLE "memberships"
  ENABLE ALWAYS TRIGGER "log_memberships_update";

-- Older versions may run on beside it.
INSERT INTO "additive_migrations" VALUES ('20261126140812_people');
