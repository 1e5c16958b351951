-- Each migration from here on that older processes may go on beside says so by a row of its own, which they can read
-- though they do not have its file.
-- CreateTable
CREATE TABLE "additive_migrations" (
    "name" TEXT NOT NULL,

    CONSTRAINT "additive_migrations_pkey" PRIMARY KEY ("name")
);
