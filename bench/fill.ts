import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Project } from '../src/core/project.ts'
import { hashSecret, makeSecret, prefixOf } from '../src/core/secrets.ts'
import { withClient, withoutIndexes, withoutTriggers } from './database.ts'
import { categories, refusedProjects, type Size, statuses } from './questions.ts'

export type Keys = {
  project(id: number): Project
  secret(project: number): string
  /** Projects with a daily limit of one request. Their requests are refused, but too rarely for a ban. */
  refused: number[]
  /** Well-formed keys that do not exist, so that a process must query the database to reject them. */
  wrong: string[]
  /** Keys for a contestant that has all keys in memory. */
  known: [secret: string, project: { id: number; perMinute: number; perDay: number }][]
}

const plenty = 2_000_000_000
const names = ['Rex', 'Bella', 'Milo', 'Luna', 'Oscar', 'Nala', 'Simba', 'Coco', 'Zoë', 'Ōkami']

export async function fill(databaseUrl: string, size: Size): Promise<Keys> {
  const projects = Array.from({ length: size.projects + refusedProjects }, (_, index) => ({
    secret: makeSecret(),
    ...makeProject(index + 1, index < size.projects ? plenty : 1),
  }))
  await withClient(databaseUrl, async client => {
    // Skip the checks of a million foreign keys, because the generated rows are right.
    await client.query('set session_replication_role = replica')
    await withoutTriggers(client, 'projects', () => addProjects(client, projects))
    await withoutTriggers(client, 'api_keys', () => addKeys(client, projects))
    await withoutTriggers(client, 'pets', () => withoutIndexes(client, 'pets', () => addPets(client, size)))
    await client.query('select recount_pets()')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  const byId = new Map(projects.map(project => [project.id, project]))
  const find = (id: number) => byId.get(id) ?? throwMissing(id)
  return {
    project: find,
    secret: id => find(id).secret,
    refused: projects.slice(size.projects).map(({ id }) => id),
    wrong: Array.from({ length: 10_000 }, makeSecret),
    known: projects.map(({ secret, id, limits }) => [secret, { id, ...limits }]),
  }
}

/** Every key has all scopes. */
export async function addKeys(client: pg.Client, owners: { id: number; secret: string }[]): Promise<void> {
  await client.query(
    `insert into api_keys (id, project_id, name, prefix, hash, scopes)
     select id, project_id, 'bench', prefix, hash, '{pets:read,pets:write,orders:read,orders:write,project:read,project:write,events:read}'
     from unnest($1::uuid[], $2::int[], $3::text[], $4::bytea[]) as k (id, project_id, prefix, hash)`,
    [
      owners.map(() => randomUUID()),
      owners.map(owner => owner.id),
      owners.map(owner => prefixOf(owner.secret)),
      owners.map(owner => hashSecret(owner.secret)),
    ],
  )
}

async function addProjects(client: pg.Client, projects: Project[]): Promise<void> {
  await client.query(
    `insert into projects (id, slug, name, plan, requests_per_minute, requests_per_day)
     select id, 'store-' || id, 'Store ' || id, 'enterprise', $3, per_day
     from unnest($1::int[], $2::int[]) as p (id, per_day)`,
    [projects.map(p => p.id), projects.map(p => p.limits.perDay), plenty],
  )
  await client.query(`select setval(pg_get_serial_sequence('projects', 'id'), $1)`, [projects.length])
}

async function addPets(client: pg.Client, size: Size): Promise<void> {
  await client.query(
    `insert into pets (id, project_id, name, category_id, status)
     select n, (n - 1) % $2 + 1, ($3::text[])[n / $2 % $4 + 1] || ' ' || n, n / $2 % $5 + 1,
            ($6::text[])[n / $2 % $7 + 1]::"PetStatus"
     from generate_series(1, $1) as n`,
    [size.pets, size.projects, names, names.length, categories, statuses, statuses.length],
  )
  await client.query(`select setval(pg_get_serial_sequence('pets', 'id'), $1)`, [size.pets])
}

const makeProject = (id: number, perDay: number): Project => ({
  id,
  slug: `store-${id}`,
  name: `Store ${id}`,
  planName: 'enterprise',
  limits: { perMinute: plenty, perDay },
  suspended: false,
})

function throwMissing(id: number): never {
  throw new Error(`There is no project ${id}.`)
}
