import pg from 'pg'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Change, openChanges } from '../../src/database/changes.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { freshDatabase } from './databases.ts'

export type Follower = Awaited<ReturnType<typeof openFollower>>

/** Makes a database and follows its log of changes. The log is read only on command. */
export async function openFollower() {
  const { env, remove } = await freshDatabase()
  const databaseUrl = env.DATABASE_URL ?? ''
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  const said: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void said.push(JSON.parse(line).msg) })
  database.outage.logTo(log)
  const counts = openMetrics().changes
  const changes = openChanges({ database, log, counts })
  const received: (Change | null)[] = []
  changes.follow(change => received.push(change))
  const sql = async (text: string) => (await database.pool?.query(text))?.rows ?? []
  await sql(twoProjects)
  await changes.read()
  received.length = 0
  const takeReceived = () => received.splice(0).map(change => change && spell(change))
  /** Reads the log once, and returns the new invalidations. */
  const look = async () => {
    await changes.read()
    return takeReceived()
  }
  const stop = async () => {
    await changes.close()
    await database.close()
    await remove()
  }
  return { databaseUrl, database, log, changes, counts, said, sql, takeReceived, look, stop }
}

export async function follow(): Promise<Follower> {
  const follower = await openFollower()
  onTestFinished(follower.stop)
  return follower
}

export const twoProjects = `INSERT INTO projects (slug, name) VALUES ('zoo', 'Zoo'), ('farm', 'Farm')`

export const spell = ({ what, projectId, leastId, name }: Change) =>
  [what, projectId ?? 'all', leastId ?? name].filter(part => part !== null).join(' ')

export async function session(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return (text: string) => client.query(text)
}

export const addPets = (project: number, ...ids: number[]) =>
  `INSERT INTO pets (id, project_id, name, category_id) SELECT id, ${project}, 'Rex', 1 FROM unnest('{${ids}}'::bigint[]) AS id`
