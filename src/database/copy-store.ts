import type { Run } from './database.ts'
import { currentTimeline } from './timeline.ts'

/** The number of rows that were copied, for each table. */
export type Copied = { table: string; rows: number }[]

/** In rows. Few enough to hold a batch in memory several times. */
const batch = 2_000
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Prisma's table of migrations. Do not copy it: the target was migrated and has its own rows. */
const ofPrisma = '_prisma_migrations'
/** With these settings both databases read and write values as the same text. */
const sameTexts =
  "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL bytea_output = 'hex'"

const textsOf = async (run: Run, sql: string, parameters: unknown[] = []) =>
  (await run(sql, parameters)) as Record<string, string>[]

/** Lists the tables from the catalogue, so that the copy always includes new tables. */
export async function tablesOf(run: Run): Promise<string[]> {
  const rows = await textsOf(
    run,
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
     AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> '${ofPrisma}' ORDER BY relname`,
  )
  return rows.map(({ name = '' }) => name)
}

/**
 * Copies all rows and the state of all sequences from one store to another of the same version. Both `Run` functions
 * must be in a transaction, so that the target gets everything or nothing. Throws if a count differs.
 */
export async function copyStore(from: Run, to: Run): Promise<Copied> {
  for (const setting of sameTexts.split('; ')) {
    await from(setting)
    await to(setting)
  }
  const tables = await tablesOf(from)
  const putBack = await switchOffRules(to)
  await to(`TRUNCATE ${tables.map(quote).join(', ')}`)
  const copied: Copied = []
  for (const table of tables) copied.push({ table, rows: await copyTable(from, to, table) })
  await copySequences(from, to)
  // Store the timeline of the target. With the timeline of the source, the numbering of events would notice a changed
  // timeline and mistake the move for a restore.
  await to(`UPDATE event_era SET timeline = ${currentTimeline}`)
  await putBack()
  return copied
}

async function copyTable(from: Run, to: Run, table: string): Promise<number> {
  // Skip transaction ids, which are meaningless in another database. Their default is the id of the copying transaction.
  const columns = await textsOf(
    to,
    `SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND NOT (atttypid = 'xid8'::regtype AND atthasdef)`,
    [quote(table)],
  )
  const names = columns.map(({ name = '' }) => quote(name))
  const insert = `INSERT INTO ${quote(table)} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(({ type }, i) => `r.c${i}::${type}`).join(', ')}
    FROM unnest(${names.map((_, i) => `$${i + 1}::text[]`).join(', ')}) AS r(${names.map((_, i) => `c${i}`).join(', ')})`
  await from(
    `DECLARE copied CURSOR FOR SELECT ${names.map((name, i) => `${name}::text AS c${i}`).join(', ')} FROM ${quote(table)}`,
  )
  for (;;) {
    const rows = await from(`FETCH ${batch} FROM copied`)
    if (rows.length === 0) break
    await to(
      insert,
      names.map((_, i) => rows.map(row => row[`c${i}`])),
    )
  }
  await from('CLOSE copied')
  const [before, after] = [await countRows(from, table), await countRows(to, table)]
  if (before !== after) throw new Error(`${table} has ${before} rows, and ${after} were copied`)
  return after
}

async function countRows(run: Run, table: string): Promise<number> {
  const [row] = await textsOf(run, `SELECT count(*)::text AS count FROM ${quote(table)}`)
  return Number(row?.count)
}

async function copySequences(from: Run, to: Run): Promise<void> {
  const used = `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL`
  for (const { name = '', value } of await textsOf(from, used))
    await to('SELECT setval($1::regclass, $2::bigint)', [quote(name), value])
}

/**
 * Disables the triggers, which would count and log the copied rows again, and drops the foreign keys, so that tables
 * can be copied in any order. Returns a function that enables the triggers and adds the foreign keys again, which
 * checks them.
 */
async function switchOffRules(run: Run): Promise<() => Promise<void>> {
  const keys = await textsOf(
    run,
    `SELECT conrelid::regclass::text AS table, conname::text AS name, pg_get_constraintdef(oid) AS rule
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
  )
  const triggers = await textsOf(
    run,
    `SELECT tgrelid::regclass::text AS table, tgname::text AS name, tgenabled::text AS state FROM pg_trigger
     JOIN pg_class ON pg_class.oid = tgrelid
     WHERE NOT tgisinternal AND tgparentid = 0 AND tgenabled <> 'D' AND relnamespace = 'public'::regnamespace`,
  )
  for (const { table, name = '' } of keys) await run(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}`)
  for (const { table, name = '' } of triggers)
    await run(`ALTER TABLE ${table} DISABLE TRIGGER ${quote(name)}`)
  const how: Record<string, string> = { A: 'ENABLE ALWAYS', R: 'ENABLE REPLICA' }
  return async () => {
    for (const { table, name = '', state = '' } of triggers)
      await run(`ALTER TABLE ${table} ${how[state] ?? 'ENABLE'} TRIGGER ${quote(name)}`)
    for (const { table, name = '', rule } of keys)
      await run(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${rule}`)
  }
}
