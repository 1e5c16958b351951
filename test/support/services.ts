import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type Account, findProgram, freePort, type Program, recordUse, startProgram } from './programs.ts'

/** `folder` holds the files of the started program. For PostgreSQL, `folder` also holds the Unix socket. */
export type Service = Program & { url: string; port: number; folder: string }

/** Starts a separate Redis, for tests that break it. Other tests use a `freshRedis()` of the shared one. */
export async function startRedis(options: { args?: string[] } = {}): Promise<Service> {
  recordUse('redis-server')
  return launchRedis(options.args)
}

/** Starts a separate PostgreSQL, for tests that break it. Other tests use a `freshDatabase()` of the shared one. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<Service> {
  recordUse('postgres')
  return launchPostgres(settings)
}

export async function launchRedis(more: string[] = []): Promise<Service> {
  const command = need('redis-server')
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-redis-'))
  const url = `redis://127.0.0.1:${port}`
  const program = await startProgram({
    command,
    args: ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...more],
    answers: () => askRedis(url),
  })
  return { ...removing(folder, program), url, port, folder }
}

export async function launchPostgres(more: Record<string, string> = {}): Promise<Service> {
  const account = postgresAccount()
  const folder = folderOf(account)
  emptyCluster ??= makeEmptyCluster(account)
  execFileSync('cp', ['-a', emptyCluster, join(folder, 'data')], { stdio: 'pipe', cwd: folder, ...account })
  return servePostgres(folder, account, more)
}

/** The files of a new PostgreSQL, made once in this process: initdb takes a second of CPU, a copy of its files does not. */
let emptyCluster: string | undefined

function makeEmptyCluster(account: Account): string {
  const folder = folderOf(account)
  const data = join(folder, 'data')
  execFileSync(
    need('initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { stdio: 'pipe', cwd: folder, ...account },
  )
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return data
}

/**
 * Copies a PostgreSQL and starts the copy as a replica. The replica receives later changes only with `streams`. The
 * statement `select pg_promote()` promotes the replica.
 */
export async function copyPostgres(service: Service, { streams = false } = {}): Promise<Service> {
  return backUpPostgres(service, streams ? ['-R'] : [])('standby')
}

/** Makes a backup of PostgreSQL, to be started as a replica or restored from an archive. */
export function backUpPostgres({ url }: Service, more: string[] = []) {
  const account = postgresAccount()
  const folder = folderOf(account)
  const data = join(folder, 'data')
  const args = ['-D', data, '-d', url, '-c', 'fast', '--no-sync', ...more]
  execFileSync(need('pg_basebackup'), args, { stdio: 'pipe', cwd: folder, ...account })
  return async (as: 'standby' | 'recovery', settings: Record<string, string> = {}): Promise<Service> => {
    writeFileSync(join(data, `${as}.signal`), '')
    return servePostgres(folder, account, settings)
  }
}

function folderOf(account: Account): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-postgres-'))
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

async function servePostgres(
  folder: string,
  account: Account,
  more: Record<string, string> = {},
): Promise<Service> {
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    ...more,
  }
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  const program = await startProgram({
    command: need('postgres'),
    args: [
      '-D',
      join(folder, 'data'),
      '-p',
      `${port}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    account,
    // SIGINT is PostgreSQL's fast shutdown, which ends open connections.
    stopSignal: 'SIGINT',
    answers: () => askPostgres(url),
  })
  return { ...removing(folder, program), url, port, folder }
}

/** The settings that the service's role needs behind a pooler. */
export const settingsForPooler = [
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
  "standard_conforming_strings = 'on'",
  "search_path = 'public'",
  "plan_cache_mode = 'force_generic_plan'",
  "enable_seqscan = 'off'",
  "jit = 'off'",
  "default_transaction_isolation = 'read committed'",
  "statement_timeout = '1900'",
  "idle_in_transaction_session_timeout = '10000'",
]

export type Pooler = {
  command?: string
  mode?: 'session' | 'transaction'
  ignored?: string
  /** Number of connections to PostgreSQL. */
  size?: number
  more?: string[]
}

/** Starts a pooler in front of a PostgreSQL, configured as an operator does it for the service. */
export async function startPgBouncer(postgres: Service, pooler: Pooler = {}): Promise<Service> {
  recordUse('pgbouncer')
  const { command = need('pgbouncer'), mode = 'session', size = 50, more = [] } = pooler
  const { ignored = 'statement_timeout,idle_in_transaction_session_timeout,options' } = pooler
  const port = await freePort()
  const account = postgresAccount()
  const folder = folderOf(account)
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    ...[`listen_addr = 127.0.0.1`, `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...[
      `pool_mode = ${mode}`,
      `default_pool_size = ${size}`,
      'max_client_conn = 1000',
      'server_login_retry = 1',
    ],
    ...[`ignore_startup_parameters = ${ignored}`, ...more],
  ]
  const database = `* = host=127.0.0.1 port=${postgres.port} user=postgres`
  writeFileSync(file, `[databases]\n${database}\n[pgbouncer]\n${settings.join('\n')}\n`)
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  const program = await startProgram({ command, args: [file], account, answers: () => askPostgres(url) })
  return { ...removing(folder, program), url, port, folder }
}

/** Stores the settings for a pooler in the role, so that clients need not send them. */
export async function setForPooler(postgres: Service): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  for (const setting of settingsForPooler) await client.query(`ALTER ROLE postgres SET ${setting}`)
  await client.end()
}

function need(name: string): string {
  const program = findProgram(name)
  if (!program) throw new Error(`${name} is not installed.`)
  return program
}

/** Removes the folder when the program ends, also after an interrupted run. */
function removing(folder: string, program: Program): Program {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    ...program,
    async stop() {
      await program.stop()
      remove()
      process.off('exit', remove)
    },
  }
}

/** PostgreSQL refuses to run as root. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

async function askRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 1000 })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
  } finally {
    redis.disconnect()
  }
}

async function askPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    await client.end().catch(() => {})
  }
}
