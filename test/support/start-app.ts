import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { type Scope, scopes } from '../../src/core/keys/scopes.ts'
import type { Project } from '../../src/core/project.ts'
import { hashSecret, makeSecret, prefixOf } from '../../src/core/secrets.ts'
import { startService } from '../../src/service.ts'
import type { Clock } from '../../src/tools/clock.ts'
import type { Tools } from '../../src/tools.ts'
import { type Answer, ask, type Question } from './ask.ts'
import { freshDatabase } from './databases.ts'
import { freePort } from './programs.ts'

export type App = {
  url: string
  tools: Tools
  ask(path: string, question?: Question): Promise<Answer>
  /** Reads /readyz of the operations port, which includes the reasons for its status. */
  readiness(): Promise<Answer>
  makeProject(options?: ProjectOptions): Promise<TestProject>
  stop(): Promise<void>
}

type ProjectOptions = { plan?: string; scopes?: readonly Scope[]; perMinute?: number; perDay?: number }

export type TestProject = {
  project: Project
  keyId: string
  secret: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, headers?: Record<string, string>): Promise<Answer>
  ask(path: string, question?: Question): Promise<Answer>
  /** Issues another key of the same project. */
  issueKey(scopes?: readonly Scope[]): Promise<TestProject>
}

export type AppOptions = { env?: Record<string, string>; clock?: Clock }

/** Starts the service on a free port with its own database: PostgreSQL if installed, or else the embedded one. */
export async function startApp({ env = {}, clock }: AppOptions = {}): Promise<App> {
  const database = env.DATABASE_URL ? { env: {}, remove: async () => {} } : await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-data-'))
  const port = env.PORT ? Number(env.PORT) : await freePort()
  const config = readConfig({
    LOG_LEVEL: 'silent',
    HTTPS_PORT: '0',
    DOMAIN_SUFFIXES: 'test,example',
    // An address where nothing listens. Tests that need DNS set their own server.
    DNS_SERVERS: '127.0.0.1:9',
    DATA_DIR: dataDir,
    PORT: String(port),
    OPS_PORT: String(await freePort()),
    ...database.env,
    ...env,
  })
  const service = await startService(config, { clock })
  await service.up
  const url = `http://127.0.0.1:${port}`
  const { tools } = service
  return {
    url,
    tools,
    ask: (path, question) => ask(url + path, question),
    readiness: () => ask(`http://127.0.0.1:${config.opsPort}/readyz`),
    makeProject: options => makeProject(tools, url, options),
    async stop() {
      await service.stop()
      await database.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let made = 0

/** Makes a project with a key, on the plan business, so that only tests of limits reach limits. */
export async function makeProject(
  tools: Tools,
  url: string,
  options: ProjectOptions = {},
): Promise<TestProject> {
  const { plan = 'business', perMinute, perDay } = options
  const [slug, name] = [`store-${process.pid}-${++made}`, 'A store']
  const [row] = await silently<{ id: number; minute: number | null; day: number | null }>(
    tools,
    `WITH made AS (
       INSERT INTO projects (slug, name, plan, requests_per_minute, requests_per_day)
       VALUES ('${slug}', '${name}', '${plan}', ${perMinute || null}, ${perDay || null}) RETURNING *
     )
     SELECT made.id, coalesce(made.requests_per_minute, plans.requests_per_minute) AS minute,
       coalesce(made.requests_per_day, plans.requests_per_day) AS day
     FROM made JOIN plans ON plans.name = made.plan`,
  )
  if (!row) throw new Error(`There is no plan ${plan}.`)
  const limits = { perMinute: row.minute ?? 0, perDay: row.day ?? 0 }
  const project = { id: row.id, slug, name, planName: plan, limits, suspended: false }
  return makeKey(tools, url, project, options.scopes)
}

const superusers = new WeakMap<Tools, boolean>()

/** Only a superuser can write without events, because other roles cannot disable the triggers. */
async function isSuperuser(tools: Tools): Promise<boolean> {
  const known = superusers.get(tools)
  if (known !== undefined) return known
  const [role] = await tools.db.$queryRaw<{ may: boolean }[]>`
    SELECT rolsuper AS may FROM pg_roles WHERE rolname = current_user`
  const may = role?.may ?? false
  superusers.set(tools, may)
  return may
}

/**
 * Runs a statement. If the database role may disable the triggers, the statement writes no events. With events, the
 * first event of a project would be about the creation of the project, and not about an action of the test. The
 * function needs only one round trip to PostgreSQL, because the tests make thousands of projects.
 */
async function silently<Row>(tools: Tools, sql: string): Promise<Row[]> {
  const { db, database } = tools
  if (!(await isSuperuser(tools))) return db.$queryRawUnsafe<Row[]>(sql)
  const quiet = 'SET LOCAL session_replication_role = replica'
  if (!database.pool)
    return (await db.$transaction([db.$executeRawUnsafe(quiet), db.$queryRawUnsafe<Row[]>(sql)]))[1]
  // PostgreSQL runs the statements of one text in one transaction, and pg returns a result for each.
  const results = (await database.pool.query(`${quiet}; ${sql}`)) as unknown as { rows: Row[] }[]
  return results.at(-1)?.rows ?? []
}

let lastIdAt = 0

/**
 * Returns an id of a later millisecond than the last one. Lists of keys are ordered by id, and ids of the same
 * millisecond have no fixed order.
 */
async function laterId(): Promise<string> {
  while (Date.now() <= lastIdAt) await pause(1)
  lastIdAt = Date.now()
  return randomUUIDv7()
}

async function makeKey(
  tools: Tools,
  url: string,
  project: Project,
  wanted: readonly Scope[] = scopes,
): Promise<TestProject> {
  const secret = makeSecret()
  const keyId = await laterId()
  const granted = scopes.filter(scope => wanted.includes(scope))
  await silently(
    tools,
    `INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes, created_at) VALUES ('${keyId}', ${project.id}, 'test',
       '${prefixOf(secret)}', '\\x${hashSecret(secret).toString('hex')}', '{${granted}}',
       '${new Date(tools.clock.now()).toISOString()}')`,
  )
  const bearer = { authorization: `Bearer ${secret}` }
  const asIt = (path: string, question: Question = {}) =>
    ask(url + path, { ...question, headers: { ...bearer, ...question.headers } })
  const send =
    (method: string) =>
    (path: string, body: unknown, headers: Record<string, string> = {}) =>
      asIt(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
  return {
    project,
    keyId,
    secret,
    ask: asIt,
    get: (path, headers = {}) => asIt(path, { headers }),
    post: send('POST'),
    patch: send('PATCH'),
    delete: (path, headers = {}) => asIt(path, { method: 'DELETE', headers }),
    issueKey: scopes => makeKey(tools, url, project, scopes),
  }
}
