-- A pet is found through its project, so both are its key: one index does what two did, and is there once the table is
-- parted by project. Ids go on coming from one sequence.
ALTER TABLE "pets" DROP CONSTRAINT "pets_pkey",
  ADD CONSTRAINT "pets_pkey" PRIMARY KEY USING INDEX "pets_project_id_id_key";

-- DropIndex
DROP INDEX "pets_project_id_id_idx";
