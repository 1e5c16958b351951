-- AlterTable
ALTER TABLE "certificates" ADD COLUMN     "ordered_at" TIMESTAMPTZ(3);
