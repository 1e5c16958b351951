import type { Db } from '../db.ts'

/**
 * Takes the name of a deleted person out of at most 1,000 audit entries. The deletion itself already did this for the
 * first entries: one statement for all entries of a person could exceed the time limit. Returns false if no name is due,
 * or if another process has locked the only due name. A name becomes due a minute after the deletion, because an act that
 * began before the deletion may still commit an entry with the name.
 */
export async function forgetNameInEntries(db: Db): Promise<boolean> {
  const pieces = await db.$queryRaw<{ changed: number }[]>`
    WITH next AS MATERIALIZED (
      SELECT person_id, key_ids FROM names_to_forget WHERE deleted_at < now() - interval '1 minute'
      LIMIT 1 FOR UPDATE SKIP LOCKED
    ), piece AS MATERIALIZED (
      SELECT person_id, forget_in_entries(person_id, key_ids) AS changed FROM next
    ), done AS (
      DELETE FROM names_to_forget USING piece WHERE names_to_forget.person_id = piece.person_id AND changed = 0
    )
    SELECT changed FROM piece`
  return pieces.length > 0
}
