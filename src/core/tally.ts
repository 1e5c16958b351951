import type { Logger } from 'pino'
import type { Clock } from '../tools/clock.ts'
import type { Statements } from '../tools/statements.ts'
import type { Caller } from './callers.ts'

export type Door = 'rest' | 'graphql'

/** Counts what was used, in memory, and writes it in batches: never on a request's way. */
export type Tally = {
  countRequest(caller: Caller, door: Door, refused: boolean, points?: number): void
  countDeprecated(caller: Caller, field: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

type Used = { projectId: number; day: string; door: Door; requests: number; refusals: number }
type Deprecated = { apiKeyId: string; field: string; count: number; lastUsedAt: number }

const flushMs = 1000
const dayMs = 24 * 60 * 60 * 1000

export function openTally(database: Statements, clock: Clock, log: Logger): Tally {
  let used = new Map<string, Used>()
  let deprecated = new Map<string, Deprecated>()
  let lastUses = new Map<string, number>()
  let flushing = Promise.resolve()
  const dayOf = daySpeller()

  const timer = setInterval(() => void flush(), flushMs).unref()

  function countRequest(caller: Caller, door: Door, refused: boolean, points = 1): void {
    const now = clock.now()
    lastUses.set(caller.key.id, now)
    add({
      projectId: caller.project.id,
      day: dayOf(now),
      door,
      requests: refused ? 0 : points,
      refusals: refused ? 1 : 0,
    })
  }

  function add(more: Used): void {
    const key = `${more.projectId} ${more.day} ${more.door}`
    const sum = used.get(key)
    if (!sum) return void used.set(key, more)
    sum.requests += more.requests
    sum.refusals += more.refusals
  }

  function countDeprecated(caller: Caller, field: string): void {
    addDeprecated({ apiKeyId: caller.key.id, field, count: 1, lastUsedAt: clock.now() })
  }

  function addDeprecated(more: Deprecated): void {
    const key = `${more.apiKeyId} ${more.field}`
    const sum = deprecated.get(key)
    if (!sum) return void deprecated.set(key, more)
    sum.count += more.count
    if (more.lastUsedAt > sum.lastUsedAt) sum.lastUsedAt = more.lastUsedAt
  }

  function flush(): Promise<void> {
    flushing = flushing.then(write)
    return flushing
  }

  async function write(): Promise<void> {
    const taken = { used, deprecated, lastUses }
    used = new Map()
    deprecated = new Map()
    lastUses = new Map()
    // What cannot be written now is counted again and written with the next batch.
    await writeUsed(database, [...taken.used.values()]).catch(error => {
      log.warn({ error }, 'usage could not be written yet')
      for (const sum of taken.used.values()) add(sum)
    })
    await writeDeprecated(database, [...taken.deprecated.values()]).catch(() => {
      for (const sum of taken.deprecated.values()) addDeprecated(sum)
    })
    await writeLastUses(database, taken.lastUses).catch(() => {
      for (const [id, at] of taken.lastUses) if (!lastUses.has(id)) lastUses.set(id, at)
    })
  }

  return {
    countRequest,
    countDeprecated,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

// Rows are written in the order of their keys, so that processes writing at once never wait for each other in a circle.
const inOrder = <Row>(rows: Row[], key: (row: Row) => string) =>
  rows.sort((a, b) => (key(a) < key(b) ? -1 : 1))

/** The day in UTC, spelled once a day and not for each request. */
function daySpeller(): (at: number) => string {
  let number = Number.NaN
  let day = ''
  return at => {
    const asked = Math.floor(at / dayMs)
    if (asked !== number) day = new Date(at).toISOString().slice(0, 10)
    number = asked
    return day
  }
}

async function writeUsed(database: Statements, rows: Used[]): Promise<void> {
  if (rows.length === 0) return
  const sorted = inOrder(rows, row => `${row.projectId} ${row.day} ${row.door}`)
  await database.run({
    name: 'add_usage',
    text: `
      INSERT INTO usage (project_id, day, door, requests, refusals)
      SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::int[], $5::int[])
      ON CONFLICT (project_id, day, door) DO UPDATE
      SET requests = usage.requests + excluded.requests, refusals = usage.refusals + excluded.refusals`,
    values: [
      sorted.map(r => r.projectId),
      sorted.map(r => r.day),
      sorted.map(r => r.door),
      sorted.map(r => r.requests),
      sorted.map(r => r.refusals),
    ],
  })
}

async function writeDeprecated(database: Statements, rows: Deprecated[]): Promise<void> {
  if (rows.length === 0) return
  const sorted = inOrder(rows, row => `${row.apiKeyId} ${row.field}`)
  await database.run({
    name: 'add_deprecated_uses',
    text: `
      INSERT INTO deprecated_uses (api_key_id, field, count, last_used_at)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[])
      ON CONFLICT (api_key_id, field) DO UPDATE
      SET count = deprecated_uses.count + excluded.count,
        last_used_at = greatest(deprecated_uses.last_used_at, excluded.last_used_at)`,
    values: [
      sorted.map(r => r.apiKeyId),
      sorted.map(r => r.field),
      sorted.map(r => r.count),
      sorted.map(r => instant(r.lastUsedAt)),
    ],
  })
}

async function writeLastUses(database: Statements, lastUses: Map<string, number>): Promise<void> {
  if (lastUses.size === 0) return
  const sorted = inOrder([...lastUses], ([id]) => id)
  await database.run({
    name: 'note_last_uses',
    text: `
      UPDATE api_keys SET last_used_at = seen.at
      FROM unnest($1::uuid[], $2::timestamptz[]) AS seen(id, at)
      WHERE api_keys.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at)`,
    values: [sorted.map(([id]) => id), sorted.map(([, at]) => instant(at))],
  })
}

const instant = (at: number) => new Date(at).toISOString()
