import pg from 'pg'

type Query = string | pg.QueryConfig
type Done = (error: Error | null, result?: pg.QueryResult) => void

/** pg's own message for a query that took longer than `query_timeout`. */
const late = 'Query read timeout'

/**
 * A pg.Client that applies `query_timeout` itself, and always passes a callback to pg. If pg had to apply the timeout or
 * to return a promise, it would assign `query.callback = (error, result) => …` for each query. V8 expects a function that
 * is assigned to a property to live long, so it creates the function in the old generation. There the function keeps the
 * query and its rows in memory until the next full garbage collection.
 */
export class TimedClient extends pg.Client {
  readonly #timeoutMs: number

  constructor({ query_timeout = 0, ...config }: pg.ClientConfig) {
    super(config)
    this.#timeoutMs = query_timeout
  }

  // pg declares a dozen forms of `query`. In each of them, the last argument may be a callback.
  override query(query: Query, ...more: unknown[]) {
    return Reflect.apply(this.#query, this, [query, ...more])
  }

  #query(
    query: Query,
    values?: unknown[] | Done,
    done?: Done,
  ): Promise<pg.QueryResult | undefined> | undefined {
    if (typeof values === 'function') return this.#ask(query, undefined, values)
    if (done) return this.#ask(query, values, done)
    return new Promise((resolve, reject) => {
      this.#ask(query, values, (error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #ask(query: Query, values: unknown[] | undefined, done: Done): undefined {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const finish: Done = (error, result) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      done(error, result)
    }
    if (this.#timeoutMs > 0) timer = setTimeout(() => finish(new Error(late)), this.#timeoutMs)
    Reflect.apply(super.query, this, [query, values, finish])
  }
}
