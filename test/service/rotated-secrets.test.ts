import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { ask } from '../support/ask.ts'
import { administer, emptyDatabase, freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { startPostgres, startRedis } from '../support/services.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const [day, night, later] = ['d', 'n', 'l'].map(letter => letter.repeat(32))

function secretFile(name: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, name)
  writeFileSync(path, text)
  return { path, write: (text: string) => writeFileSync(path, text) }
}

function withPassword(url: string, user: string, password: string): string {
  const address = new URL(url)
  address.username = user
  address.password = password
  return address.href
}

async function start(env: Record<string, string>) {
  const service = await startProcess(env)
  onTestFinished(async () => {
    service.child.kill('SIGKILL')
    await service.ended
  })
  await service.printed(answersAt)
  return service
}

it.runIf(findProgram('postgres'))(
  'SIGHUP replaces the operator keys, keeps the old ones if a new one is invalid, and the log names the operator',
  async () => {
    const database = await freshDatabase()
    onTestFinished(database.remove)
    const file = secretFile('operator', `day-shift:${day},night-shift:${night}`)
    const { url, child, output, printed } = await start({ ...database.env, OPERATOR_KEY_FILE: file.path })
    const status = async (key = '') => {
      const body = JSON.stringify({ query: 'query WhoAmI { plans { name } }' })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return (await ask(`${url}/graphql`, { method: 'POST', headers, body })).status
    }
    expect([await status(day), await status(night), await status(later)]).toEqual([200, 200, 401])
    const line = await printed(/\{[^\n]*"operator":"night-shift"[^\n]*\}/)
    expect(JSON.parse(line[0])).toMatchObject({
      operation: expect.stringContaining('plans'),
      address: '127.0.0.0/24',
    })

    file.write('too short')
    child.kill('SIGHUP')
    await printed(/SIGHUP: OPERATOR_KEY must have 32 to 190 characters/)
    expect(await status(day)).toBe(200)
    file.write(`night-shift:${night},next-year:${later}`)
    child.kill('SIGHUP')
    await printed(/"read":\["OPERATOR_KEY"\]/)

    expect([await status(day), await status(night), await status(later)]).toEqual([401, 200, 200])
    // Every printed line is JSON, so only the log is printed.
    for (const text of output().trim().split('\n')) expect(() => JSON.parse(text)).not.toThrow()
  },
)

it.runIf(findProgram('postgres') && findProgram('redis-server'))(
  'the service reads new passwords of PostgreSQL and Redis from their files once the old ones are refused',
  async () => {
    const postgres = await startPostgres()
    const redis = await startRedis()
    onTestFinished(async () => {
      await postgres.stop()
      await redis.stop()
    })
    const admin = new Redis(redis.url)
    onTestFinished(() => admin.disconnect())
    await admin.config('SET', 'requirepass', 'old')
    await administer(postgres.url, "CREATE ROLE store LOGIN SUPERUSER PASSWORD 'old'")
    const rules = `VALUES ('host all store all scram-sha-256'), ('host all all all trust')`
    await administer(
      postgres.url,
      `DO $do$ BEGIN EXECUTE format('COPY (%s) TO %L', $$${rules}$$, current_setting('hba_file')); END $do$`,
    )
    await administer(postgres.url, 'SELECT pg_reload_conf()')
    const database = secretFile('database', withPassword(postgres.url, 'store', 'old'))
    const limits = secretFile('redis', withPassword(redis.url, '', 'old'))
    const { opsUrl } = await start({ DATABASE_URL_FILE: database.path, REDIS_URL_FILE: limits.path })
    const readiness = async () => (await ask(`${opsUrl}/readyz`)).json
    await expect.poll(readiness).toMatchObject({ status: 'ready', limiter: 'exact' })

    // A refused password makes the service read both files, which are empty now.
    for (const file of [database, limits]) file.write('')
    await administer(postgres.url, "ALTER ROLE store PASSWORD 'new'")
    await admin.config('SET', 'requirepass', 'new')
    const endAll = () =>
      administer(
        postgres.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'store'",
      )
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await expect
      .poll(() => endAll().then(readiness), { timeout: 10_000 })
      .toMatchObject({ fault: 'it refuses the password', limiter: expect.stringContaining('memory') })
    database.write(withPassword(postgres.url, 'store', 'new'))
    limits.write(withPassword(redis.url, '', 'new'))

    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ status: 'ready', limiter: 'exact' })
  },
)

it.runIf(findProgram('postgres') && findProgram('redis-server'))(
  'after SIGHUP new connections to PostgreSQL and Redis use the users in the files, and an invalid address is logged and changes nothing',
  async () => {
    const postgres = await startPostgres()
    const redis = await startRedis()
    onTestFinished(async () => {
      await postgres.stop()
      await redis.stop()
    })
    const admin = new Redis(redis.url)
    onTestFinished(() => admin.disconnect())
    for (const user of ['first', 'second']) {
      await administer(postgres.url, `CREATE ROLE ${user} LOGIN SUPERUSER`)
      await admin.call('ACL', 'SETUSER', user, 'on', `>${user}`, '~*', '&*', '+@all')
    }
    const database = secretFile('database', withPassword(postgres.url, 'first', 'first'))
    const limits = secretFile('redis', withPassword(redis.url, 'first', 'first'))
    const { child, printed } = await start({ DATABASE_URL_FILE: database.path, REDIS_URL_FILE: limits.path })
    const usersOfRedis = async () => String(await admin.call('CLIENT', 'LIST')).match(/user=(first|second)/g)
    await expect.poll(usersOfRedis).toContain('user=first')

    database.write('no address')
    limits.write(redis.url.replace('//', '//:100%@'))
    child.kill('SIGHUP')
    await printed(/SIGHUP: DATABASE_URL must be [^\n]* The old value is kept\./)
    await printed(/SIGHUP: REDIS_URL must be [^\n]* The old value is kept\./)
    database.write(`${postgres.url}?sslrootcert=/absent.pem`)
    child.kill('SIGHUP')
    await printed(/SIGHUP: The database address names a file [^\n]* The old value is kept\./)
    database.write(withPassword(postgres.url, 'second', 'second'))
    limits.write(withPassword(redis.url, 'second', 'second'))
    child.kill('SIGHUP')
    await printed(/"read":\["DATABASE_URL","REDIS_URL"\]/)

    await administer(postgres.url, 'ALTER ROLE first NOLOGIN')
    await administer(
      postgres.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'first'",
    )
    await admin.call('CLIENT', 'KILL', 'USER', 'first')
    await expect.poll(usersOfRedis, { timeout: 10_000 }).toEqual(['user=second'])
    await expect
      .poll(
        () =>
          administer(
            postgres.url,
            `DO $$ BEGIN ASSERT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'second')
             AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'first'); END $$`,
          ).then(
            () => 'second',
            error => error.message,
          ),
        { timeout: 10_000 },
      )
      .toBe('second')
  },
)

it('SIGHUP reads the keys of external accounts again, and keeps the old ones if the file is empty or a new one is invalid', async () => {
  const database = await freshDatabase()
  onTestFinished(database.remove)
  const file = secretFile('eab', 'ca.test:key-1:c2VjcmV0')
  const { child, printed } = await start({
    ...database.env,
    ...{ ACME_DIRECTORY_URL: 'https://ca.test/dir', ACME_EAB_FILE: file.path },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  })

  for (const [text, answer] of [
    ['', /SIGHUP: ACME_EAB_FILE names an empty file: [^\n]* The old value is kept\./],
    ['key-1', /SIGHUP: ACME_EAB must be [^\n]* The old value is kept\./],
    ['other.test:key-1:c2VjcmV0', /SIGHUP: ACME_EAB names other\.test, [^\n]* The old value is kept\./],
    ['ca.test:key-2:c2VjcmV0', /"read":\["ACME_EAB"\]/],
  ] as const) {
    file.write(text)
    child.kill('SIGHUP')
    await printed(answer)
  }
})

it.runIf(findProgram('postgres'))(
  'after SIGHUP with a new user in DATABASE_DIRECT_URL, the service runs the migrations for which PostgreSQL refused the old user',
  async () => {
    const { env, remove } = await emptyDatabase()
    onTestFinished(remove)
    const url = env.DATABASE_URL ?? ''
    const old = withPassword(url, 'dismissed', 'any')
    const file = secretFile('direct', old)
    const database = await openDatabase({
      ...{ databaseUrl: url, databaseDirectUrl: old, dataDir: '' },
      secretFiles: { DATABASE_DIRECT_URL: file.path },
    })
    onTestFinished(() => database.close())
    expect(database.outage.reason()).toBe('it does not let this user in')

    file.write(url)
    const read = database.rereadAddress('DATABASE_DIRECT_URL')
    await database.migrated

    expect(read).toBe(true)
    expect(await database.db.plan.count()).toBe(4)
  },
)
