import type { Run } from '../database/database.ts'

type Column = { table: string; column: string; secret: boolean }

/** The log of changes has the hashes of API keys as text. */
const hidden = ['_prisma_migrations', 'changes']

/**
 * Studio can read and delete rows of these tables, but not write them. Otherwise an operator's session, which may be
 * stolen, could make itself a session by passkey, or give a session or a passkey to another person.
 */
const signIns = ['sessions', 'access_tokens', 'operator_tokens', 'passkeys', 'challenges', 'device_codes']

/** Only an operator key may make people operators. */
const isWritable = ({ table, column }: Column) =>
  !signIns.includes(table) && !(table === 'people' && column === 'operator')

/**
 * Grants all columns except binary ones. Outside the hidden tables, hashes and sealed keys are the only binary columns.
 */
export async function giveTablesTo(role: string, run: Run): Promise<void> {
  const roles = await run('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  if (roles.length === 0) await run(`CREATE ROLE ${role}`)
  await run(`GRANT USAGE ON SCHEMA public TO ${role}`)
  await run(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`)
  await run(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`)
  for (const [table, columns] of Map.groupBy(await listColumns(run), ({ table }) => table)) {
    const open = columns.filter(({ secret }) => !secret)
    await run(`GRANT SELECT (${listed(open)}) ON "${table}" TO ${role}`)
    const writable = listed(open.filter(isWritable))
    if (writable) await run(`GRANT INSERT (${writable}), UPDATE (${writable}) ON "${table}" TO ${role}`)
    await run(`GRANT DELETE ON "${table}" TO ${role}`)
  }
}

const listed = (columns: Column[]) => columns.map(({ column }) => `"${column}"`).join(', ')

async function listColumns(run: Run): Promise<Column[]> {
  const rows = await run(`
    SELECT table_name AS "table", column_name AS "column", data_type = 'bytea' AS secret
    FROM information_schema.columns
    WHERE table_schema = 'public'`)
  return (rows as Column[]).filter(({ table }) => !hidden.includes(table))
}

/** Removes hidden tables and secret columns from Studio's first query, which lists the columns of all tables. */
export function leaveOutSecrets(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.flatMap(row => {
    if (!Array.isArray(row.columns)) return [row]
    return hidden.includes(String(row.name)) ? [] : [{ ...row, columns: row.columns.filter(isOpen) }]
  })
}

const isOpen = (column: unknown) => (column as { datatype?: string } | null)?.datatype !== 'bytea'
