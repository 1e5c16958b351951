import pg from 'pg'
import { nobody, ownerNow } from './owner.ts'
import { openPlaces } from './shares.ts'

type Done = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void

/** The pool waits for a connection under the same message. */
const busy = 'timeout exceeded when trying to connect'

/**
 * A pool of which one project holds at most half, at least one connection. Work without a project has no such bound.
 * When all are in use, the projects take turns. Every statement passes `connect`, since `query` calls it too.
 */
export class SharedPool extends pg.Pool {
  readonly #places
  readonly #owners = new WeakMap<pg.PoolClient, number>()

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config)
    const half = Math.ceil(config.max / 2)
    this.#places = openPlaces(config.max, owner => (owner === nobody ? config.max : half))
    // The pool emits errors of idle connections again, although the clients of clientsOf handle them.
    this.on('error', () => {})
    this.on('release', (_error, client) => this.#giveBack(client))
  }

  /** Statements and transactions that wait for a connection. */
  waiting(): number {
    return this.waitingCount + this.#places.waitingCount()
  }

  override connect(): Promise<pg.PoolClient>
  override connect(done: Done): void
  override connect(done?: Done): Promise<pg.PoolClient> | undefined {
    if (done) return void this.#connect(ownerNow(), done)
    return new Promise((resolve, reject) =>
      this.#connect(ownerNow(), (error, client) => (client ? resolve(client) : reject(error))),
    )
  }

  #connect(owner: number, done: Done): void {
    const timer = setTimeout(() => {
      giveUp()
      done(new Error(busy), undefined, () => {})
    }, this.options.connectionTimeoutMillis)
    const giveUp = this.#places.ask(owner, () => {
      clearTimeout(timer)
      super.connect((error, client, release) => {
        if (client) this.#owners.set(client, owner)
        else this.#places.end(owner)
        done(error, client, release)
      })
    })
  }

  #giveBack(client: pg.PoolClient): void {
    const owner = this.#owners.get(client)
    if (owner === undefined) return
    this.#owners.delete(client)
    this.#places.end(owner)
  }
}
