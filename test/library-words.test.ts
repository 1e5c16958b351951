import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { ApolloServer } from '@apollo/server'
import {
  buildSchema,
  type DocumentNode,
  execute,
  type GraphQLError,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { Redis, ReplyError } from 'ioredis'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { whyUnavailable } from '../src/database/faults.ts'
import { outageOr, RedisOutage } from '../src/limiter/circuit.ts'
import { freshDatabase } from './support/databases.ts'
import { findProgram } from './support/programs.ts'
import { startRedis } from './support/services.ts'

const schema = buildSchema(`
  enum Colour { red }
  input In { count: Int!, list: [Int!] }
  type Query { it(count: Int, colour: Colour, given: In): String, needs(count: Int!): String }
`)
const faultsOf = (query: string, mostFaults = 10) =>
  validate(schema, parse(query), specifiedRules, { maxErrors: mostFaults }).map(({ message }) => message)

async function faultsOfRun(query: string, variableValues: Record<string, unknown>): Promise<GraphQLError[]> {
  const { errors = [] } = await execute({ schema, document: parse(query), variableValues })
  return [...errors]
}

/**
 * The service matches these error texts of libraries, although they are not part of the libraries' interfaces. If a
 * test fails after an upgrade, change the text here and its reader: documents.ts, errors.ts, faults.ts, redis.ts or
 * circuit.ts.
 */
describe('words of graphql by which documents.ts and errors.ts recognise a fault', () => {
  test.each([
    ['a literal of the wrong type', '{ it(count: "x") }', /cannot represent/],
    ['a missing field of an input', '{ it(given: {}) }', /of required type/],
    ['a null for a required argument', '{ needs(count: null) }', /Expected value of type/],
    ['an unknown value of an enumeration', '{ it(colour: blue) }', /does not exist in/],
    ['a number instead of an input object', '{ it(given: 7) }', /Expected value of type/],
  ])('graphql-js validation reports %s in words that match %s', (_what, query, words) => {
    expect(faultsOf(query).join()).toMatch(words)
  })

  test('graphql-js ends its list of faults with Validation aborted if a document has too many faults', () => {
    expect(faultsOf('{ a b c d }', 2).at(-1)).toMatch(/^.+Validation aborted\.$/)
  })

  test('graphql-js reports only Validation aborted if too many fields would have to be compared', () => {
    expect(faultsOf(`{ ${'it '.repeat(3000)} }`)).toEqual(['Validation aborted.'])
  })

  test('graphql-js names the limit of tokens when it refuses a document with too many tokens', () => {
    expect(() => parse('{ a b c d }', { maxTokens: 3 })).toThrow('3 tokens')
  })

  test('the error of graphql-js for a variable names the faulty field before a semicolon and the reason after it', async () => {
    const [fault] = await faultsOfRun('query($in: In) { it(given: $in) }', { in: { count: 'x' } })

    expect(fault?.message).toMatch(/^Variable "\$in" got invalid value "x" at "in\.count"; .+/)
  })

  test('the error of graphql-js for a required argument whose variable is null begins with the name of the argument', async () => {
    const [fault] = await faultsOfRun('query($count: Int = 1) { needs(count: $count) }', { count: null })

    expect(fault?.message).toMatch(/^Argument "count"/)
  })

  test('graphql-js ends a long list of variable errors with a message of its own', async () => {
    const list = Array.from({ length: 60 }, () => 'x')
    const faults = await faultsOfRun('query($in: In) { it(given: $in) }', { in: { count: 1, list } })

    expect(faults.at(-1)?.message).toMatch(/^Too many errors processing variables/)
  })

  test('graphql-js ends an error with its suggestion of a similar name: Did you mean', () => {
    expect(faultsOf('{ itt }').join()).toMatch(/ Did you mean "it"\?$/)
  })
})

test("the key that Apollo looks up in its document store is the schema's hash, a colon and the query's hash", async () => {
  const keys: string[] = []
  const documentStore = {
    get: async (key: string): Promise<DocumentNode | undefined> => {
      keys.push(key)
      return undefined
    },
    set: async () => {},
    delete: async () => {},
  }
  const server = new ApolloServer({ schema, documentStore })
  onTestFinished(() => server.stop())
  const query = '{ it }'

  await server.executeOperation({ query })

  expect(keys).toEqual([
    expect.stringMatching(new RegExp(`.+:${createHash('sha256').update(query).digest('hex')}$`)),
  ])
})

/** Starts a TCP server that calls `act` with each connection, and returns its port. */
async function portOf(act: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    act(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}
const thrownBy = (act: () => Promise<unknown>) =>
  act().then(
    () => null,
    (thrown: Error) => thrown,
  )
const at = (port: number, more: pg.PoolConfig = {}) => ({ host: '127.0.0.1', port, user: 'x', ...more })

describe('words of pg by which faults.ts recognises an outage', () => {
  test.each([
    ['timeout expired', (port: number) => new pg.Client(at(port, { connectionTimeoutMillis: 20 })).connect()],
    [
      'Connection terminated due to connection timeout',
      (port: number) => new pg.Pool(at(port, { connectionTimeoutMillis: 20 })).connect(),
    ],
  ])('a server that does not answer makes pg say: %s', async (words, connect) => {
    const thrown = await thrownBy(() => portOf(() => {}).then(connect))

    expect(thrown?.message).toBe(words)
    expect(whyUnavailable(thrown)?.reason).toBe('it does not answer in time')
  })

  test('a server that hangs up makes pg say that the connection was terminated', async () => {
    const port = await portOf(socket => socket.once('data', () => socket.end()))

    const thrown = await thrownBy(() => new pg.Client(at(port)).connect())

    expect(thrown?.message).toMatch(/^Connection terminated/)
    expect(whyUnavailable(thrown)?.reason).toBe('the connection broke')
  })

  test('a server without TLS makes pg say that it supports no SSL', async () => {
    const port = await portOf(socket => socket.once('data', () => socket.write('N')))

    const thrown = await thrownBy(() => new pg.Client(at(port, { ssl: true })).connect())

    expect(thrown?.message).toContain('The server does not support SSL connections')
    expect(whyUnavailable(thrown)?.reason).toBe('it does not support TLS')
  })

  test.runIf(findProgram('postgres'))(
    'the texts of node-postgres and PostgreSQL for a full pool, a timeout and a replaced table are recognised',
    async () => {
      const { env, remove } = await freshDatabase()
      const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 1, connectionTimeoutMillis: 1_000 })
      pool.on('error', () => {})
      const client = await pool.connect()
      const run = (more: object) => thrownBy(() => client.query(more as pg.QueryConfig))

      const full = await thrownBy(() => pool.connect())
      await client.query('create temporary table words (id int)')
      const read = { name: 'read_words', text: 'select * from words' }
      await client.query(read)
      await client.query('alter table words add column more text')
      const replaced = await run(read)
      const slow = await run({ text: 'select pg_sleep(5)', query_timeout: 20 })
      const broken = thrownBy(() => client.query('select 1'))
      client.release(true)
      const after = await thrownBy(() => client.query('select 1'))
      await broken
      await pool.end()
      await remove()

      expect(full?.message).toBe('timeout exceeded when trying to connect')
      expect(replaced?.message).toBe('cached plan must not change result type')
      expect(slow?.message).toBe('Query read timeout')
      expect(after?.message).toMatch(/^Client (was closed|has encountered a connection error)/)
    },
  )
})

test.runIf(findProgram('redis-server'))(
  'the error of Redis for a missing or wrong password begins with NOAUTH or WRONGPASS, and counts as an outage',
  async () => {
    const service = await startRedis()
    onTestFinished(() => service.stop())
    const { port } = new URL(service.url)
    const redis = new Redis({ port: Number(port) })
    onTestFinished(() => redis.disconnect())
    await redis.config('SET', 'requirepass', 'secret')
    // RESET ends the connection's authentication.
    await redis.call('RESET')

    const missing = await thrownBy(() => redis.get('x'))
    const wrong = await thrownBy(() => redis.auth('wrong'))

    expect(missing?.message).toMatch(/^NOAUTH/)
    expect(wrong?.message).toMatch(/^WRONGPASS/)
    for (const thrown of [missing, wrong]) {
      expect(thrown).toBeInstanceOf(ReplyError)
      expect(() => outageOr(thrown)).toThrow(RedisOutage)
    }
  },
)
