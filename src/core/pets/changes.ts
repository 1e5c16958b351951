import { batch } from '../../database/batch.ts'
import type { Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { jsonOf, newPetFields, type Pet, type PetChange, petColumns, readFields, readPet } from './columns.ts'

/** A requested change. With `known`, it applies only while the pet has this version. */
export type RequestedChange = { project: Project; id: bigint; known: number | null }
export type RequestedUpdate = RequestedChange & { change: PetChange }

/** The pet after the change or before its deletion. 'altered': the pet no longer has the known version. */
export type Changed = Pet | 'altered' | 'in order' | 'missing'

/** The columns that `readPet` reads, of a table named pets. */
export const columns = readFields.map(field => `pets.${petColumns[field].column}`).join(', ')
/** SQL that sets the changed columns from the JSON in `requested.change`. */
export const changedColumns = newPetFields
  .map(field => {
    const { column, type } = petColumns[field]
    const given = `(requested.change ->> '${field}')::${type}`
    return `${column} = CASE WHEN requested.change ? '${field}' THEN ${given} ELSE pets.${column} END`
  })
  .join(', ')

// Locks each pet first, so that no other transaction changes the pet between check and write. A result row has the
// position of the requested change in the batch, and says whether an open order forbids the change. If the change was
// made, the row also has the pet.
const statement = (keeps: string, hold: string, act: string) => `
  WITH requested AS MATERIALIZED (
    SELECT each.n, each.project_id, each.id, each.known, each.change::jsonb AS change
    FROM unnest($1::int[], $2::bigint[], $3::int[], $4::text[])
      WITH ORDINALITY AS each (project_id, id, known, change, n)
  ), held AS MATERIALIZED (
    SELECT requested.*, pet.in_order FROM requested CROSS JOIN LATERAL (
      SELECT pets.open_order_id IS NOT NULL AND ${keeps} AS in_order FROM "pets"
      WHERE pets.project_id = requested.project_id AND pets.id = requested.id ${hold}
    ) AS pet
  ), done AS (
    ${act} held AS requested
    WHERE pets.project_id = requested.project_id AND pets.id = requested.id AND NOT requested.in_order
      AND (requested.known IS NULL OR requested.known = pets.version)
    RETURNING requested.n, ${columns}
  )
  SELECT held.n, held.in_order::text, done.* FROM held LEFT JOIN done USING (n)`

/** SQL conditions under which a pet's open order forbids an update or a deletion. */
export const inOrderFor = {
  update: `requested.change ? 'status' AND requested.change ->> 'status' IS DISTINCT FROM pets.status::text`,
  delete: 'true',
}

/** `keeps`: SQL condition under which an open order forbids the act. */
type Act = { name: string; keeps: string; hold: string; sql: string }
const update: Act = {
  name: 'update',
  keeps: inOrderFor.update,
  hold: 'FOR NO KEY UPDATE',
  sql: `UPDATE "pets" SET ${changedColumns} FROM`,
}
const remove: Act = {
  name: 'delete',
  keeps: inOrderFor.delete,
  hold: 'FOR UPDATE',
  sql: 'DELETE FROM "pets" USING',
}

/**
 * Batches concurrent changes into one statement; each succeeds or fails alone. statements.ts has the measured costs of
 * Prisma.
 */
export function openPetChanges(database: Statements) {
  return {
    update: openAct<RequestedUpdate>(database, update),
    delete: openAct<RequestedChange>(database, remove),
  }
}

function openAct<Requested extends RequestedChange & { change?: PetChange }>(
  { run }: Statements,
  { name, keeps, hold, sql }: Act,
): (requested: Requested) => Promise<Changed> {
  const together = { name: `${name}_pets`, text: statement(keeps, `${hold} SKIP LOCKED`, sql) }
  const alone = { name: `${name}_pet`, text: statement(keeps, hold, sql) }
  const change = batch(changeEachOnce)

  return async requested => {
    for (;;) {
      const changed = await change(requested)
      if (changed === 'requested again') continue
      // A pet that seems to be missing may be locked by another transaction. Wait for the lock in a separate statement,
      // so that the batch need not wait.
      return changed === 'missing' ? changeOne() : changed
    }

    async function changeOne(): Promise<Changed> {
      const [changed = 'missing'] = await ask(alone, [requested])
      return changed
    }
  }

  /** A statement changes a pet at most once, so a batch's second change of the same pet is retried. */
  async function changeEachOnce(all: readonly Requested[]): Promise<(Changed | 'requested again')[]> {
    const firsts = new Map<string, Requested>()
    for (const requested of all) {
      const pet = `${requested.project.id} ${requested.id}`
      if (!firsts.has(pet)) firsts.set(pet, requested)
    }
    const once = [...firsts.values()]
    const changed = await ask(together, once)
    return all.map(requested => changed[once.indexOf(requested)] ?? 'requested again')
  }

  async function ask(statement: typeof alone, all: readonly Requested[]): Promise<Changed[]> {
    const rows = await run({
      ...statement,
      values: [
        all.map(({ project }) => project.id),
        all.map(({ id }) => id),
        all.map(({ known }) => known),
        all.map(({ change }) => (change === undefined ? null : jsonOf(change))),
      ],
    })
    const found = new Map<number, Changed>(
      rows.map(([n, isInOrder, done, ...pet]) => [
        Number(n),
        isInOrder === 'true' ? 'in order' : done === null ? 'altered' : readPet(pet),
      ]),
    )
    return all.map((_, index) => found.get(index + 1) ?? 'missing')
  }
}
