import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { addApiKey, type Scope, scopes } from '../../src/core/keys/api-keys.ts'
import type { Project } from '../../src/core/project.ts'
import { toProject } from '../../src/core/project.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
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
  /** Reads /readyz of the operations port, which includes the reasons. */
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
  const row = await silently(tools, tx =>
    tx.project.create({
      data: {
        slug: `store-${process.pid}-${++made}`,
        name: 'A store',
        planName: plan,
        ...(perMinute && { requestsPerMinute: perMinute }),
        ...(perDay && { requestsPerDay: perDay }),
      },
      include: { plan: true },
    }),
  )
  return makeKey(tools, url, toProject(row), options.scopes)
}

/**
 * Writes without events, so that a test's project begins with its first event. A role that owns nothing may not do so,
 * and writes with events.
 */
const silently = <Result>({ db }: Tools, write: (tx: Prisma.TransactionClient) => Promise<Result>) =>
  db.$transaction(async tx => {
    const [role] = await tx.$queryRaw<{ may: boolean }[]>`
      SELECT rolsuper AS may FROM pg_roles WHERE rolname = current_user`
    if (role?.may) await tx.$executeRaw`SET LOCAL session_replication_role = replica`
    return write(tx)
  })

async function makeKey(
  tools: Tools,
  url: string,
  project: Project,
  wanted: readonly Scope[] = scopes,
): Promise<TestProject> {
  const { secret, apiKey } = await silently(tools, tx =>
    addApiKey(tx, tools.clock, project, { name: 'test', scopes: wanted }),
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
    keyId: apiKey.id,
    secret,
    ask: asIt,
    get: (path, headers = {}) => asIt(path, { headers }),
    post: send('POST'),
    patch: send('PATCH'),
    delete: (path, headers = {}) => asIt(path, { method: 'DELETE', headers }),
    issueKey: scopes => makeKey(tools, url, project, scopes),
  }
}
