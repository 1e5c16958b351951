import pg from 'pg'
import { ownShareUsed } from './faults.ts'
import { noProject, ownerNow } from './owner.ts'
import { openFairPlaces } from './shares.ts'

type Done = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: pg.PoolClient['release'],
) => void

/**
 * True if a transaction is still open on the connection; the connection must then be closed. When the database does not
 * answer in time, Prisma gives a connection back although the ROLLBACK of the transaction got no answer. Later writes
 * on the connection would become part of the open transaction, and would be undone with the transaction.
 */
const hasOpenTransaction = (client: pg.PoolClient) => client.getTransactionStatus() !== 'I'

/** The pool's own message for a request that waited too long for a connection. */
const busy = 'timeout exceeded when trying to connect'
/** The driver's own message for a connection that the database did not open in time. */
const late = 'Connection terminated due to connection timeout'

/**
 * A pool in which one project uses at most half of the connections, at least one. Work without a project has no such
 * limit. When all connections are in use, the projects take turns. `query` also calls `connect`, so the limit applies
 * to every statement.
 */
export class SharedPool extends pg.Pool {
  readonly #places
  readonly #owners = new WeakMap<pg.PoolClient, number>()

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config)
    const half = Math.ceil(config.max / 2)
    this.#places = openFairPlaces(config.max, owner => (owner === noProject ? config.max : half))
    // The clients of clientsOf handle errors of idle connections already. The pool emits these errors too, and without
    // a listener they would end the process.
    this.on('error', () => {})
    this.on('release', (_error, client) => this.#giveBack(client))
  }

  /** Number of statements and transactions that wait for a connection. */
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

  /** One timeout covers the wait for a place and the opening of a connection. */
  #connect(owner: number, done: Done): void {
    let isOver = false
    let hasPlace = false
    const timer = setTimeout(() => {
      isOver = true
      giveUp()
      done(new Error(hasPlace ? late : this.#whyBusy()), undefined, () => {})
    }, this.options.connectionTimeoutMillis)
    const giveUp = this.#places.ask(owner, () => {
      hasPlace = true
      super.connect((error, client, release) => {
        clearTimeout(timer)
        if (!client) this.#places.end(owner)
        else {
          this.#owners.set(client, owner)
          // TimedClient explains why the function is not written in the assignment to the property.
          const releaseSafely: typeof release = failure => release(failure || hasOpenTransaction(client))
          client.release = releaseSafely
        }
        if (!isOver) done(error, client, client?.release ?? release)
        else client?.release()
      })
    })
  }

  #whyBusy(): string {
    return this.#places.isFull() ? busy : `${busy}: ${ownShareUsed}`
  }

  #giveBack(client: pg.PoolClient): void {
    const owner = this.#owners.get(client)
    if (owner === undefined) return
    this.#owners.delete(client)
    this.#places.end(owner)
  }
}
