import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './programs.ts'

/**
 * Forwards traffic between the service and PostgreSQL, and records each commit that changed rows of some tables. On
 * command it withholds the answer to one of these commits, so that the service cannot know whether the commit has
 * happened.
 */
export type KillingProxy = {
  url: string
  /** The tables of each commit since `arm`, in order. */
  commits: string[]
  /** Calls `kill` at the commit with this number, counted from 1, instead of passing the answer on. */
  arm(at: number, kill: () => void): void
  stop(): void
}

/** The message ReadyForQuery: first without its state, then with the state "in no transaction". */
const answered = Buffer.from('Z\0\0\0\x05', 'latin1')
const ready = Buffer.from('Z\0\0\0\x05I', 'latin1')
const changed = /(?:INSERT 0|UPDATE|DELETE) [1-9]\d*\0/

export async function startKillingProxy(
  databaseUrl: string,
  tables: readonly string[],
): Promise<KillingProxy> {
  const url = new URL(databaseUrl)
  const [host, serverPort] = [url.hostname, Number(url.port || 5432)]
  const port = await freePort()
  const written = new RegExp(
    `(?:INSERT INTO|UPDATE|DELETE FROM)\\s+(?:"?public"?\\.)?"?(${tables.join('|')})\\b`,
    'gi',
  )
  const open = new Set<Socket>()
  const commits: string[] = []
  let killAt = 0
  let kill: (() => void) | null = null
  const server = createServer(client => {
    const upstream = connect(serverPort, host)
    let asked: string[] = []
    let touched = new Set<string>()
    let heldBack = false
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    const readMessages = messageReader(written)
    client.on('data', (data: Buffer) => {
      asked.push(...readMessages(data))
      upstream.write(data)
    })
    upstream.on('data', (data: Buffer) => {
      if (changed.test(data.toString('latin1'))) {
        for (const table of asked) touched.add(table)
      }
      if (data.subarray(-6, -1).equals(answered)) asked = []
      // The connection is in no transaction any more.
      if (data.subarray(-6).equals(ready)) {
        if (touched.size > 0 && kill) {
          commits.push([...touched].sort().join(' '))
          if (commits.length === killAt) {
            heldBack = true
            kill()
          }
        }
        touched = new Set()
      }
      if (!heldBack) client.write(data)
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    commits,
    arm(at, whenReached) {
      commits.length = 0
      killAt = at
      kill = whenReached
    },
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/**
 * Returns a function that reads what a client sends on one connection, and returns the tables that the statements
 * write. A client sends the text of a named statement only once. Later messages bind the statement by name.
 */
function messageReader(written: RegExp) {
  const tablesOf = (sql: string) => [...sql.matchAll(written)].map(([, table = '']) => table)
  const named = new Map<string, string[]>()
  let rest: Buffer = Buffer.alloc(0)
  // The first message of a connection has no byte for its type.
  let head = 0
  return (data: Buffer): string[] => {
    const found: string[] = []
    rest = Buffer.concat([rest, data])
    while (rest.length >= head + 4) {
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) break
      const type = head === 0 ? '' : String.fromCharCode(rest[0] ?? 0)
      const [first = '', second = ''] = rest.toString('latin1', head + 4, length).split('\0')
      if (type === 'Q') found.push(...tablesOf(first))
      if (type === 'P') named.set(first, tablesOf(second))
      if (type === 'B') found.push(...(named.get(second) ?? []))
      rest = rest.subarray(length)
      head = 1
    }
    return found
  }
}
