import pg from 'pg'

/** Writes down what is sent to PostgreSQL, over whichever connection, until it is told to stop. */
export function watchStatements() {
  const { query } = pg.Client.prototype
  const texts: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    texts.push(String((args[0] as { text?: string })?.text ?? args[0]))
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  return {
    about: (...tables: string[]) =>
      texts.filter(text => tables.some(table => text.includes(`"${table}"`))).length,
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

/** The statements about these tables while something runs. */
export async function countStatements(tables: string[], run: () => Promise<unknown>): Promise<number> {
  const watch = watchStatements()
  try {
    await run()
  } finally {
    watch.stop()
  }
  return watch.about(...tables)
}
