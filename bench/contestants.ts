import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../test/support/programs.ts'
import { type Dialect, ours, plain, postgraphile } from './dialects.ts'
import type { Ground } from './ground.ts'
import type { Question } from './questions.ts'

export type Contestant = {
  name: string
  file: string
  dialect: Dialect
  /** What it leaves out, for the table. */
  does: string
  env?: Record<string, string>
  /** What it is asked until it answers for the first time. */
  greeting?: Question
}

export const contestants = [
  { name: 'bare', file: 'limit/server.ts', dialect: plain, does: 'node:http, one fixed page', env: { STEPS: 'none' } },
  {
    name: 'bare+redis',
    file: 'limit/server.ts',
    dialect: plain,
    does: 'bare and one Redis script that counts two windows',
    env: { STEPS: 'redis' },
  },
  {
    name: 'bare+redis+select',
    file: 'limit/server.ts',
    dialect: plain,
    does: 'bare, the script and one prepared SELECT',
    env: { STEPS: 'redis,select' },
  },
  {
    name: 'bare+redis+insert',
    file: 'limit/server.ts',
    dialect: plain,
    does: 'bare, the script and one INSERT',
    env: { STEPS: 'redis,insert' },
    greeting: { act: 'create', project: 1, name: 'Rex the first' },
  },
  {
    name: 'by the book',
    file: 'by-the-book/server.ts',
    dialect: plain,
    does: 'Express, two RateLimiterRedis, Prisma, Apollo Server; keys from a map in memory, no log, no bans, no cost rules',
  },
  { name: 'Fastify', file: 'peers/fastify.ts', dialect: plain, does: 'Fastify on pg; no key, no limit' },
  {
    name: 'Mercurius',
    file: 'peers/mercurius.ts',
    dialect: plain,
    does: 'Mercurius with its JIT on pg; no key, no limit',
    greeting: { act: 'graphql-list', project: 1 },
  },
  {
    name: 'PostGraphile',
    file: 'peers/postgraphile.ts',
    dialect: postgraphile,
    does: 'PostGraphile 5, Amber preset; no key, no limit',
    greeting: { act: 'graphql-list', project: 1 },
  },
  {
    name: 'ours',
    file: '../src/main.ts',
    dialect: ours,
    does: 'everything on: keys, scopes, limits, bans, log, headers',
    // The one hop that stands for a proxy lets wrong keys come from many addresses.
    env: { TRUST_PROXY: '1' },
  },
] as const satisfies Contestant[]

export type ContestantName = (typeof contestants)[number]['name']
export type Running = Contestant & { port: number; pid: number; firstAnswerMs: number; stop(): Promise<void> }

/** A process of its own, with one core's worth of time where the system can pin it. */
export async function startContestant(contestant: Contestant, ground: Ground): Promise<Running> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(
    'taskset',
    ['-c', '0', process.execPath, join(import.meta.dirname, contestant.file)],
    {
      cwd: ground.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_URL: ground.databaseUrl,
        REDIS_URL: ground.redisUrl,
        KEYS_FILE: ground.keysFile,
        ...contestant.env,
      },
    },
  )
  await firstAnswer(child, contestant, ground, port)
  return {
    ...contestant,
    port,
    pid: child.pid ?? 0,
    firstAnswerMs: performance.now() - startedAt,
    stop: () => end(child),
  }
}

async function firstAnswer(child: ChildProcess, contestant: Contestant, ground: Ground, port: number) {
  const greeting = contestant.greeting ?? { act: 'list', project: 1 }
  const { method, path, headers, body } = contestant.dialect(greeting, ground.keys)
  for (const giveUpAt = Date.now() + 30_000; ; ) {
    if (child.exitCode !== null) throw new Error(`${contestant.name} ended at once.`)
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
      await answer.text()
      if (answer.status < 500) return
    } catch {
      // Not listening yet.
    }
    if (Date.now() > giveUpAt) throw new Error(`${contestant.name} does not answer.`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}
