import pg from 'pg'
import { StartRefused } from '../tools/start-refused.ts'
import { readAddresses } from './addresses.ts'
import { TimedClient } from './timed-client.ts'

/**
 * `renew` reads the file that contains the database address again, and returns true if the address has changed. Throws
 * a StartRefused if the new address cannot be used.
 */
export type Clients = typeof pg.Client & { renew(): boolean }

type Done = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * Makes a pg.Client class for a database with several hosts. A client connects to the host that answered last. After a
 * failure the next client tries the next host, so the clients find a promoted replica. All clients of the class share
 * the current host. PostgreSQL may end a connection at any time, and an `error` event without a listener would end the
 * process, so each client listens from its creation. After such an error, the client's next query fails or gets another
 * client.
 */
export function clientsOf(databaseUrl: string, readAgain: () => string | null = () => null): Clients {
  let known = databaseUrl
  let { urls, needsPrimary, options } = parseAddresses(databaseUrl)
  let current = urls[0]

  function renew(): boolean {
    const text = readAgain()
    if (text === null || text === known) return false
    ;({ urls, needsPrimary, options } = parseAddresses(text))
    known = text
    current = urls[0]
    return true
  }

  function renewIfUsable(): void {
    try {
      renew()
    } catch {
      // The next refusal reads the file again.
    }
  }

  function passOver(url: string): void {
    if (current === url) current = urls[(urls.indexOf(url) + 1) % urls.length] ?? url
  }

  return class extends TimedClient {
    static renew = renew
    readonly #url = current

    constructor(config?: string | pg.ClientConfig) {
      const given = typeof config === 'object' ? config : {}
      const all = [options, given.options].filter(Boolean).join(' ')
      super({ ...given, connectionString: current, ...(all && { options: all }) })
      this.on('error', () => {})
    }

    override connect(): Promise<pg.Client>
    override connect(done: Done): void
    override connect(done?: Done): Promise<pg.Client> | undefined {
      const connecting = this.#connectOrPassOver()
      if (!done) return connecting
      connecting.then(
        client => Reflect.apply(done, undefined, [null, client]),
        error => Reflect.apply(done, undefined, [error]),
      )
      return undefined
    }

    async #connectOrPassOver(): Promise<pg.Client> {
      try {
        await super.connect()
        if (needsPrimary) await this.#requireWrites()
        return this
      } catch (error) {
        // If the check of the host got no answer, the connection is still open.
        this.end().catch(() => {})
        if (error instanceof pg.DatabaseError && refusals.includes(error.code ?? '')) renewIfUsable()
        else passOver(this.#url)
        throw error
      }
    }

    async #requireWrites(): Promise<void> {
      const { rows }: pg.QueryResult = await this.query('show transaction_read_only')
      if (rows[0]?.transaction_read_only !== 'on') return
      throw Object.assign(new Error('This host of the database takes no writes.'), { code: '25006' })
    }
  }
}

/** SQLSTATEs of a wrong password, and of a user that must not connect. */
const refusals = ['28P01', '28000']

function parseAddresses(databaseUrl: string) {
  const addresses = readAddresses(databaseUrl)
  if (typeof addresses === 'string') throw new StartRefused(`The address of the database ${addresses}`)
  if (addresses === null) throw new StartRefused('The address of the database cannot be read.')
  for (const connectionString of addresses.urls) requireFiles(connectionString)
  return addresses
}

/** Fails early if certificate files in the URL are missing: pg reads them in the constructor. */
function requireFiles(connectionString: string): void {
  try {
    new pg.Client({ connectionString })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const why = 'syscall' in error ? 'names a file that cannot be read' : 'cannot be read'
    throw new StartRefused(`The database address ${why}: ${error.message}.`)
  }
}
