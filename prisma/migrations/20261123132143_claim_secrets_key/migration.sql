-- CreateTable
CREATE TABLE "secrets_key" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT NOT NULL,

    CONSTRAINT "secrets_key_pkey" PRIMARY KEY ("id")
);

-- Versions without this migration may run on.
INSERT INTO "additive_migrations" VALUES ('20261123132143_claim_secrets_key');
