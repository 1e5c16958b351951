import { type Dialect, ours, plain, postgraphile } from './dialects.ts'
import type { Question } from './questions.ts'

export type Contestant = {
  name: string
  file: string
  dialect: Dialect
  /** Shown in the report's table: what the contestant consists of, and which features it lacks. */
  does: string
  env?: Record<string, string>
  /** A request whose success shows that the contestant is ready. */
  greeting?: Question
}

export const contestants = [
  {
    name: 'bare',
    file: 'limit/server.ts',
    dialect: plain,
    does: 'node:http, one fixed page',
    env: { STEPS: 'none' },
  },
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
    file: '../src/start.js',
    dialect: ours,
    does: 'everything on: keys, scopes, limits, bans, log, headers',
    // Trust one proxy, so that the bench can send wrong keys from many addresses through X-Forwarded-For.
    env: { TRUST_PROXY: '1' },
  },
] as const satisfies Contestant[]

export type ContestantName = (typeof contestants)[number]['name']
