import { expect, onTestFinished, test } from 'vitest'
import { isUniqueViolation, whyUnavailable } from '../../src/database/faults.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { administer, freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { copyPostgres, startPostgres } from '../support/services.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

/** The reason shown to an operator for each SQLSTATE of a PostgreSQL or pooler that cannot serve. */
const reasons: Record<string, string[]> = {
  'the connection broke': ['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  'it is starting, stopping or has crashed': ['57P01', '57P02', '57P03'],
  'it accepts no connections': ['55000'],
  'it refuses the password': ['28P01'],
  'it does not let this user in': ['28000'],
  'there is no such database': ['3D000', '57P04'],
  'its disk is full': ['53100'],
  'it is out of memory': ['53200'],
  'it has no connection left': ['53300'],
  'it is short of resources': ['53000', '53400'],
  'it takes no writes': ['25006'],
  'it does not answer in time': ['57014', '25P03', '25P04'],
  'statements waited for each other': ['40001', '40003', '40P01', '55P03'],
  'its files cannot be read or written': ['58000', '58030'],
  'its tables are not there yet': ['42P01', '42703', '42P10'],
}
/** SQLSTATEs that are bugs or only resemble the SQLSTATEs above. The operator gets no reason for these SQLSTATEs. */
const mistakes = ['22001', '22P02', '23503', '23505', '25001', '25P02', '40002', '42601', '42804']
const saidBy = new Map([
  ...Object.entries(reasons).flatMap(([reason, states]) => states.map(state => [state, reason] as const)),
  ...mistakes.map(state => [state, null] as const),
])

withPostgres(
  'each SQLSTATE of an unavailable database has its reason, and no other SQLSTATE has one',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const { run, db, close } = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(close)
    await db.$executeRawUnsafe(`create function fail(state text) returns int language plpgsql as
    $$ begin raise exception 'as asked' using errcode = state; end $$`)
    const ways = [
      (state: string) => run({ name: 'fail', text: 'select fail($1)::text', values: [state] }),
      (state: string) => db.$queryRaw`select fail(${state})`,
    ]

    for (const fail of ways) {
      const found = new Map<string, string | null>()
      for (const state of saidBy.keys()) {
        const error = await fail(state).catch((thrown: unknown) => thrown)
        const why = whyUnavailable(error)
        found.set(state, why?.reason ?? null)
        if (why) expect(why.detail, state).toContain('as asked')
      }

      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(saidBy))
    }
  },
)

withPostgres('a PostgreSQL in recovery, whose unlogged tables cannot be read, takes no writes', async () => {
  const primary = await startPostgres()
  onTestFinished(() => primary.stop())
  await administer(primary.url, 'CREATE UNLOGGED TABLE unlogged ()')
  const replica = await copyPostgres(primary)
  onTestFinished(() => replica.stop())

  const error = await administer(replica.url, 'SELECT FROM unlogged').catch((thrown: unknown) => thrown)

  expect(whyUnavailable(error)).toEqual({
    reason: 'it takes no writes',
    detail: 'cannot access temporary or unlogged relations during recovery',
  })
})

test.each([
  ['its host is not known', ['ENOTFOUND']],
  ['the name of its host cannot be looked up', ['EAI_AGAIN']],
  ['the connection is refused', ['ECONNREFUSED']],
  ['it cannot be reached', ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT', 'P1001']],
  ['the connection broke', ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'P1017']],
  ['it refuses the password', ['P1000']],
  ['it does not let this user in', ['P1010']],
  ['there is no such database', ['P1003']],
  ['it has no connection left', ['P2037']],
  ['it does not answer in time', ['P1002', 'P1008', 'P2028']],
  ['no connection was free in time', ['P2024']],
  ['statements waited for each other', ['P2034']],
  ['its tables are not there yet', ['P2021']],
  [
    'its certificate is not trusted',
    [
      ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
      ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ],
  ],
])('an error of Node or Prisma is reported with the reason: %s', (reason, codes) => {
  for (const code of codes) {
    const said = Object.assign(new Error('as said'), { code })

    expect([code, whyUnavailable(said)?.reason]).toEqual([code, reason])
    expect([code, whyUnavailable(new Error('Query failed', { cause: said }))?.reason]).toEqual([code, reason])
  }
})

test('a missing unix socket is reported as a database that cannot be reached', async () => {
  const databaseUrl = 'postgresql://postgres@/x?host=/nowhere'

  const { outage, close } = await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(close)

  expect(outage.reason()).toBe('it cannot be reached')
})

test('the innermost code of an error gives the reason why the database is unavailable', () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), { code: 'ENOTFOUND' })
  const silent = new Error('Connection terminated due to connection timeout', {
    cause: new Error('Connection terminated unexpectedly'),
  })

  expect(whyUnavailable(new Error('Query failed', { cause: unknown }))).toEqual({
    reason: 'its host is not known',
    detail: 'getaddrinfo ENOTFOUND db.example',
  })
  expect(whyUnavailable(silent)?.reason).toBe('it does not answer in time')
  expect(whyUnavailable(new Error('a bug', { cause: new TypeError('x is not a function') }))).toBeNull()
})

test.each([
  ['Connection terminated unexpectedly', 'the connection broke'],
  ['Connection terminated due to connection timeout', 'it does not answer in time'],
  ['Client has encountered a connection error and is not queryable', 'the connection broke'],
  ['connect ENOENT /run/postgresql/.s.PGSQL.5432', 'it cannot be reached'],
  ['connect EACCES /run/postgresql/.s.PGSQL.5432', 'it cannot be reached'],
  ['connect EMFILE 10.0.0.7:5432 - Local (undefined:undefined)', 'it cannot be reached'],
  ['Invalid `plan.count()` invocation:\nconnect EADDRNOTAVAIL 10.0.0.7:5432', 'it cannot be reached'],
  ['The server does not support SSL connections', 'it does not support TLS'],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'it refuses the password'],
  ['Query read timeout', 'it does not answer in time'],
  ['timeout expired', 'it does not answer in time'],
  ['timeout exceeded when trying to connect', 'no connection was free in time'],
  ['cached plan must not change result type', 'its tables were replaced'],
  ['cache lookup failed for type 16385', 'its tables were replaced'],
  ['cache lookup failed for function 16385', 'its tables were replaced'],
  ['could not open relation with OID 16385', 'its tables were replaced'],
])('an error without a code is recognised by its message: %s', (message, reason) => {
  expect(whyUnavailable(new Error(message))).toEqual({ reason, detail: message })
  expect(whyUnavailable(new Error('Query failed', { cause: new Error(message) }))?.reason).toBe(reason)
})

test('a PgBouncer that accepts no more clients is distinguished from a broken connection, although both have one code', () => {
  const message = 'no more connections allowed (max_client_conn)'
  const refusal = Object.assign(new Error(message), { code: '08P01' })
  const wrapped = byPrisma({ cause: { kind: 'postgres', code: '08P01', message } })

  for (const error of [refusal, wrapped])
    expect(whyUnavailable(error)?.reason).toBe('it has no connection left')
})

const byPrisma = (driverAdapterError: object) =>
  Object.assign(new Error('Query failed'), { code: 'P2010', meta: { driverAdapterError } })

test.each([
  ['it cannot be reached', 'DatabaseNotReachable'],
  ['the connection broke', 'ConnectionClosed'],
  ['it refuses the password', 'AuthenticationFailed'],
  ['it does not let this user in', 'DatabaseAccessDenied'],
  ['there is no such database', 'DatabaseDoesNotExist'],
  ['it has no connection left', 'TooManyConnections'],
  ['it does not answer in time', 'SocketTimeout'],
  ['statements waited for each other', 'TransactionWriteConflict'],
  ['its tables are not there yet', 'TableDoesNotExist'],
])('an error that Prisma gets from its adapter is recognised by its kind: %s', (reason, kind) => {
  const cause = { kind, message: 'as said' }

  expect(whyUnavailable(byPrisma({ name: 'DriverAdapterError', cause }))?.reason).toBe(reason)
  expect(whyUnavailable({ cause })).toEqual({ reason, detail: 'as said' })
})

test('a refused connection is distinguished from an unknown host, although Prisma drops both codes', () => {
  const ofPort = (port?: number) =>
    whyUnavailable(byPrisma({ cause: { kind: 'DatabaseNotReachable', host: '127.0.0.1', port } }))?.reason

  expect([ofPort(5432), ofPort()]).toEqual(['the connection is refused', 'it cannot be reached'])
})

test('if a host has several addresses, the error of any of them can give the reason', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' })

  expect(whyUnavailable(new AggregateError([new Error('no'), refused], ''))?.reason).toBe(
    'the connection is refused',
  )
})

test('a thrown value that is no database error, and an error that is its own cause, are not reported as an unavailable database', () => {
  const endless = new Error('a bug')
  endless.cause = Object.assign(new Error('a bug'), { cause: endless })

  const ofAPet = new Error('the name "connect Eve " is no number')
  for (const thrown of [endless, ofAPet, null, undefined, 'ECONNREFUSED', { code: 42 }, { message: 42 }]) {
    expect(whyUnavailable(thrown)).toBeNull()
    expect(isUniqueViolation(thrown)).toBe(false)
  }
  expect(whyUnavailable(Object.assign(new Error(), { code: '57P01', message: undefined }))).toEqual({
    reason: 'it is starting, stopping or has crashed',
    detail: '',
  })
})

test('a duplicate row is recognised by PostgreSQL’s code, however the error is wrapped', () => {
  const said = (code: string) => [
    Object.assign(new Error('as said'), { code }),
    new Error('Query failed', { cause: { code } }),
    byPrisma({ cause: { originalCode: code, kind: 'UniqueConstraintViolation' } }),
  ]

  expect(said('23505').map(isUniqueViolation)).toEqual([true, true, true])
  expect(said('23503').map(isUniqueViolation)).toEqual([false, false, false])
})
