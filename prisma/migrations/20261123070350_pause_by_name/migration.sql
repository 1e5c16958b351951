-- CreateTable
CREATE TABLE "acme_pauses" (
    "directory_url" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "whole_domain" BOOLEAN NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "is_explained" BOOLEAN NOT NULL,
    "project_id" INTEGER,

    CONSTRAINT "acme_pauses_pkey" PRIMARY KEY ("directory_url","name","whole_domain")
);

-- What the authority has asked for so far still holds.
INSERT INTO "acme_pauses" ("directory_url", "name", "whole_domain", "until", "reason", "is_explained")
SELECT "directory_url", '', true, "paused_until", 'The certificate authority asked to wait.', true
FROM "acme_accounts" WHERE "paused_until" > now();
