import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { whyUnavailable } from '../../src/database/faults.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))

/** What an operator reads, of each SQLSTATE by which PostgreSQL, or a pooler before it, says that it cannot serve just now. */
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
  'its tables are not there yet': ['42P01'],
}
/** Neighbours of those, and what a mistake of our own is told by. */
const mistakes = ['22001', '22P02', '23503', '23505', '25001', '25P02', '40002', '42601', '42703', '42804']
const saidBy = new Map([
  ...Object.entries(reasons).flatMap(([reason, states]) => states.map(state => [state, reason] as const)),
  ...mistakes.map(state => [state, null] as const),
])

withPostgres(
  'each SQLSTATE of a database that is away is told by its reason, and no other one is',
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
        found.set(state, whyUnavailable(error)?.reason ?? null)
      }

      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(saidBy))
    }
  },
)

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
])('of what Node and Prisma say this is told: %s', (reason, codes) => {
  for (const code of codes) {
    const said = Object.assign(new Error('as said'), { code })

    expect([code, whyUnavailable(said)?.reason]).toEqual([code, reason])
    expect([code, whyUnavailable(new Error('Query failed', { cause: said }))?.reason]).toEqual([code, reason])
  }
})

test('a unix socket that is not there is told as a database that cannot be reached', async () => {
  const databaseUrl = 'postgresql://postgres@/x?host=/nowhere'

  const { outage, close } = await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(close)

  expect(outage.reason()).toBe('it cannot be reached')
})

test('a database that is away is told by the reason that lies innermost', () => {
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
