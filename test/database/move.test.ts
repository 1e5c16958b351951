import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { ask } from '../support/ask.ts'
import { databaseInEncoding, emptyDatabase, freshDatabase, freshFolder } from '../support/databases.ts'
import { numberAll } from '../support/events.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const run = promisify(execFile)
const itWithPostgres = it.runIf(findProgram('postgres'))
const operatorKey = 'o'.repeat(32)

/** Runs the command in a folder without a .env. */
async function move(dataDir: string, to: string, more: Record<string, string> = {}) {
  const command = [resolve('src/cli/bin.js'), 'move', '--to', to]
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...more }
  return run(process.execPath, command, { cwd: tmpdir(), env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }) => ({ code, text: String(stderr) }),
  )
}

async function newTarget(): Promise<string> {
  const target = await emptyDatabase()
  onTestFinished(target.remove)
  return target.env.DATABASE_URL ?? ''
}

async function start(env: Record<string, string>) {
  const service = await startProcess({ OPERATOR_KEY: operatorKey, ...env })
  onTestFinished(async () => {
    service.child.kill('SIGKILL')
    await service.ended
  })
  await service.printed(answersAt)
  return service
}

async function stop({ child, ended }: Awaited<ReturnType<typeof start>>): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

/** Starts an embedded service and adds pets. Returns the running service and a client of it. */
async function makeEmbedded() {
  const { env, remove } = await freshFolder()
  onTestFinished(remove)
  const dataDir = env.DATA_DIR
  const service = await start({ DATA_DIR: dataDir })
  const { apiKey } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'))
  const store = clientOf(service.url, apiKey)
  const pets = [{ name: 'Rex "the\\dog", é', categoryId: '9007199254740993' }, { name: '{a,b},NULL' }]
  for (const pet of pets) {
    const body = `{"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId ?? 1}}`
    expect((await store.post('/v1/pets', body)).status).toBe(201)
  }
  return { dataDir, service, store, apiKey: String(apiKey) }
}

const clientOf = (url: string, apiKey: string) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return {
    post: (path: string, body: string) => ask(url + path, { method: 'POST', headers, body }),
    get: (path: string) => ask(url + path, { headers }),
    /** All that a client reads, as one text. */
    async seen() {
      const paths = ['/v1/pets?limit=100', '/v1/store/inventory', '/v1/categories', '/v1/store/orders']
      const seen: [number, string][] = []
      // Read the paths one after the other, because the embedded database has one connection and gives up after two
      // seconds.
      for (const path of paths) {
        const { status, text } = await ask(url + path, { headers })
        seen.push([status, text])
      }
      return seen
    },
  }
}

const rowsOf = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

itWithPostgres(
  'move copies every table, keys and usage included, and clients go on with PostgreSQL',
  async () => {
    const { dataDir, service, store, apiKey } = await makeEmbedded()
    const before = await store.seen()
    await stop(service)
    const to = await newTarget()

    const moved = await move(dataDir, to, { OPERATOR_KEY_FILE: '/etc/operator-key' })
    const counted = await rowsOf(to, 'SELECT count(*)::int AS pets FROM pets')
    const usage = await rowsOf(to, 'SELECT count(*)::int AS rows FROM usage')
    const triggers = await rowsOf(to, "SELECT DISTINCT tgenabled FROM pg_trigger WHERE tgname LIKE 'log_%'")
    const after = await start({ DATABASE_URL: to })
    const seen = await clientOf(after.url, apiKey).seen()
    const created = await clientOf(after.url, apiKey).post('/v1/pets', '{"name":"New","categoryId":1}')
    const { json } = await clientOf(after.url, apiKey).get('/v1/store/inventory')

    expect(moved).toMatchObject({ code: 0, text: expect.stringContaining('was copied and counted') })
    expect(moved.text).not.toContain('Set OPERATOR_KEY')
    expect(moved.text).toMatch(new RegExp(`^ +${counted[0].pets}  pets$`, 'm'))
    expect(seen).toEqual(before)
    expect(before.map(([status]) => status)).toEqual([200, 200, 200, 200])
    expect(usage[0].rows).toBeGreaterThan(0)
    expect(triggers).toEqual([{ tgenabled: 'A' }])
    expect(created.status).toBe(201)
    expect(json).toMatchObject({ total: counted[0].pets + 1 })
  },
  120_000,
)

itWithPostgres(
  'move is refused while a service uses the data, for a full target or one that is not in UTF8, and without data; nothing is half moved',
  async () => {
    const { dataDir, service } = await makeEmbedded()
    const [to, full] = [await newTarget(), await freshDatabase()]
    onTestFinished(full.remove)
    const fullUrl = full.env.DATABASE_URL ?? ''
    await rowsOf(fullUrl, "INSERT INTO projects (slug, name, plan) VALUES ('a', 'A', 'free')")
    const other = await newTarget()
    const latin = await databaseInEncoding('LATIN1')
    onTestFinished(latin.remove)
    await rowsOf(other, 'CREATE TABLE payroll AS SELECT 1 AS salary')

    const whileServed = await move(dataDir, to)
    await stop(service)
    const intoFull = await move(dataDir, fullUrl)
    const intoOther = await move(dataDir, other)
    const intoLatin = await move(dataDir, latin.env.DATABASE_URL ?? '')
    const away = await move(dataDir, 'postgresql://127.0.0.1:9/store')
    const withTls = await move(dataDir, `${other}?sslmode=verify-full`)
    // This name has several addresses, and each of them gives an error.
    const local = await move(dataDir, 'postgresql://localhost:9/store')
    const fromNothing = await move(join(dataDir, 'no'), to)
    const wrong = await move(dataDir, 'mysql://x')

    expect(whileServed).toMatchObject({ code: 1, text: expect.stringMatching(/in use by process \d+/) })
    expect(await rowsOf(to, "SELECT to_regclass('pets')::text AS found")).toEqual([{ found: null }])
    expect(intoFull.text).toMatch(
      /^Nothing was moved, because the target is not empty: it has rows in .*projects/,
    )
    expect(intoOther.text).toMatch(/not empty: it has rows in payroll/)
    expect(await rowsOf(other, "SELECT to_regclass('pets')::text AS found")).toEqual([{ found: null }])
    expect(intoLatin.text).toMatch(/^The database has the encoding LATIN1, but [^\n]*\n$/)
    expect(away.text).toMatch(/^Nothing was moved, because .*\n$/)
    expect(withTls.text).toBe(
      'Nothing was moved, because of PostgreSQL: it does not support TLS (The server does not support SSL connections).\n',
    )
    expect(local.text).toMatch(
      /^Nothing was moved, because of PostgreSQL: the connection is refused \(connect ECONNREFUSED .*\)\.\n$/,
    )
    expect(fromNothing.text).toMatch(/^There is no embedded database in /)
    expect(wrong.text).toBe('--to must be a postgresql:// address.\n')
  },
  120_000,
)

itWithPostgres(
  'a move to a PostgreSQL that was once promoted keeps the ids of events',
  async () => {
    const { env, remove } = await freshFolder()
    onTestFinished(remove)
    const source = await openDatabase({ databaseUrl: null, dataDir: env.DATA_DIR })
    // The PostgreSQL of the tests was never promoted. Give the embedded database another timeline instead, so that the
    // timelines of the source and the target differ.
    await source.db.eventEra.updateMany({ data: { timeline: '00000009' } })
    const { era } = await source.db.eventEra.findFirstOrThrow()
    await source.close()
    const to = await newTarget()

    const moved = await move(env.DATA_DIR, to)
    const target = await openDatabase({ databaseUrl: to, dataDir: '' })
    onTestFinished(target.close)
    await numberAll({ database: target, db: target.db })

    expect(moved.code).toBe(0)
    expect(await target.db.eventEra.findFirstOrThrow()).toMatchObject({ era })
  },
  120_000,
)

itWithPostgres(
  'a move that fails leaves a target to which it can be repeated',
  async () => {
    const { dataDir, service, apiKey } = await makeEmbedded()
    await stop(service)
    // A database that is migrated but unused also counts as empty.
    const target = await freshDatabase()
    onTestFinished(target.remove)
    const to = target.env.DATABASE_URL ?? ''
    await rowsOf(to, 'ALTER TABLE pets ADD CONSTRAINT no_pets CHECK (false)')

    const failed = await move(dataDir, to)
    const left = await rowsOf(to, 'SELECT count(*)::int AS count FROM projects')
    await rowsOf(to, 'ALTER TABLE pets DROP CONSTRAINT no_pets')
    const repeated = await move(dataDir, to)
    const { url } = await start({ DATABASE_URL: to })

    expect(failed.text).toMatch(/^Nothing was moved, because PostgreSQL refused: .*no_pets/)
    expect(left).toEqual([{ count: 0 }])
    expect(repeated.code).toBe(0)
    expect((await clientOf(url, apiKey).get('/v1/pets')).status).toBe(200)
  },
  120_000,
)
