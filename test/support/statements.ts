import type { App } from './start-app.ts'

/** The statements that the service sends to PostgreSQL about these tables while something runs. */
export async function countStatements(
  app: App,
  tables: string[],
  run: () => Promise<unknown>,
): Promise<number> {
  const { pool } = app.tools.database
  if (!pool) throw new Error('asked to count without PostgreSQL')
  const { query } = pool
  let count = 0
  pool.query = ((...args: unknown[]) => {
    const text = String((args[0] as { text?: string })?.text ?? args[0])
    if (tables.some(table => text.includes(`"${table}"`))) count += 1
    return (query as (...all: unknown[]) => unknown).apply(pool, args)
  }) as typeof pool.query
  await run()
  pool.query = query
  return count
}
