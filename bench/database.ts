import pg from 'pg'

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Disables triggers while millions of generated rows are inserted, and then enables them again. This is safe, because
 * the rows' foreign keys are right and no process needs the log of changes.
 */
export async function withoutTriggers(
  client: pg.Client,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; mode: string }>(
    `select quote_ident(tgname) as name, tgenabled::text as mode from pg_trigger
     where tgrelid = $1::regclass and not tgisinternal`,
    [table],
  )
  await client.query(`alter table ${table} disable trigger user`)
  await work()
  for (const { name, mode } of rows) {
    const how = { O: 'enable', A: 'enable always', R: 'enable replica', D: 'disable' }[mode]
    await client.query(`alter table ${table} ${how} trigger ${name}`)
  }
}

/**
 * Drops the indexes and rebuilds them after the insert, which is far faster than adding each row to them. Keeps indexes
 * of constraints.
 */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await client.query("set maintenance_work_mem = '512MB'")
  for (const { definition } of rows) await client.query(definition)
}
