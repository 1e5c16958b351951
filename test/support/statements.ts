import { inspect } from 'node:util'
import pg from 'pg'

/** Statements that the service sends on its own: reading the log of changes, and noting when keys were used. */
const ofItsOwn = /pg_current_snapshot|SET last_used_at/

/** Records all statements sent to PostgreSQL, with their rows, until `stop` is called. */
export function watchStatements() {
  const { query } = pg.Client.prototype
  const managing = new Set<pg.Client>()
  let mostManaging = 0
  const sent: { text: string; values: string; rows: number }[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const sending = args[0] as { text?: string; values?: unknown } | undefined
    const text = String(sending?.text ?? sending)
    if (text.includes("set_config('animal_store.act'")) managing.add(this)
    if (/^(COMMIT|ROLLBACK)/i.test(text)) managing.delete(this)
    mostManaging = Math.max(mostManaging, managing.size)
    const statement = {
      text,
      values: inspect(sending?.values ?? args[1], { depth: 4 }),
      rows: 0,
    }
    sent.push(statement)
    const count = (result?: pg.QueryResult) => {
      statement.rows = result?.rows?.length ?? 0
    }
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result?: pg.QueryResult) => {
        count(result)
        callback(error, result)
      }
    }
    const answer = (query as (...all: unknown[]) => unknown).apply(this, args)
    if (!(answer instanceof Promise)) return answer
    return answer.then((result: pg.QueryResult) => {
      count(result)
      return result
    })
  } as typeof query
  const about = (tables: string[]) =>
    sent.filter(({ text }) => tables.some(table => text.includes(`"${table}"`)))
  return {
    /** Statements that read or write rows, except those that the service sends on its own. */
    ofRequests: () =>
      sent.filter(({ text }) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(text) && !ofItsOwn.test(text))
        .length,
    /**
     * The highest number of management transactions that were open at the same time. A management transaction records
     * who makes the change, and holds a connection to PostgreSQL until the transaction ends.
     */
    mostManaging: () => mostManaging,
    about: (...tables: string[]) => about(tables).length,
    /** Statements with a parameter that contains this text. */
    naming: (text: string) => sent.filter(({ values }) => values.includes(text)).length,
    rowsOf: (...tables: string[]) => about(tables).reduce((sum, { rows }) => sum + rows, 0),
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

/** Counts the statements about these tables while `run` runs. */
export async function countStatements(tables: string[], run: () => Promise<unknown>): Promise<number> {
  const watch = watchStatements()
  try {
    await run()
  } finally {
    watch.stop()
  }
  return watch.about(...tables)
}
