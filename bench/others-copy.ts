import { withClient } from './database.ts'

/**
 * Copies the database for the contestants other than the store, and drops the triggers of the copy. The triggers notify
 * the store's processes of changes. The other contestants cache nothing, so the triggers would only make the writes of
 * the other contestants slower.
 */
export async function copyForOthers(databaseUrl: string): Promise<string> {
  const source = new URL(databaseUrl)
  const beside = new URL(databaseUrl)
  // PostgreSQL copies a database only while no client is connected to it.
  beside.pathname = '/template1'
  await withClient(beside.href, client =>
    client.query(`create database others template ${client.escapeIdentifier(source.pathname.slice(1))}`),
  )
  const copy = new URL(databaseUrl)
  copy.pathname = '/others'
  await withClient(copy.href, async client => {
    const { rows } = await client.query<{ drop: string }>(
      `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop
       from pg_trigger where not tgisinternal`,
    )
    for (const { drop } of rows) await client.query(drop)
  })
  return copy.href
}
