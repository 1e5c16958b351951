-- AlterTable
ALTER TABLE "acme_accounts" ADD COLUMN     "unreadable_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "certificates" ADD COLUMN     "unreadable_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "secrets_key_holders" (
    "process_id" UUID NOT NULL,
    "fingerprints" TEXT[],
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secrets_key_holders_pkey" PRIMARY KEY ("process_id")
);

-- A key that does not open leaves its name without HTTPS, which every process has to hear of.
DROP TRIGGER "log_certificates_update" ON "certificates";
CREATE TRIGGER "log_certificates_update" AFTER UPDATE ON "certificates" FOR EACH ROW
WHEN ((OLD.name, OLD.chain, OLD.sealed_key, OLD.unreadable_since) IS DISTINCT FROM (NEW.name, NEW.chain, NEW.sealed_key, NEW.unreadable_since))
EXECUTE FUNCTION log_row('hosts', '-', 'name');
ALTER TABLE "certificates" ENABLE ALWAYS TRIGGER "log_certificates_update";
