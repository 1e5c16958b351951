import type { Logger } from 'pino'
import type { Clock } from '../tools/clock.ts'
import type { Caller } from './callers.ts'
import type { Db } from './db.ts'

export type Door = 'rest' | 'graphql'

/** Counts what was used, in memory, and writes it in batches: never on a request's way. */
export type Tally = {
  countRequest(caller: Caller, door: Door, refused: boolean, points?: number): void
  countDeprecated(caller: Caller, field: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

type Used = { projectId: number; day: string; door: Door; requests: number; refusals: number }
type Deprecated = { apiKeyId: string; field: string; count: number; lastUsedAt: Date }

const flushMs = 1000

export function openTally(db: Db, clock: Clock, log: Logger): Tally {
  let used = new Map<string, Used>()
  let deprecated = new Map<string, Deprecated>()
  let lastUses = new Map<string, Date>()
  let flushing = Promise.resolve()

  const timer = setInterval(() => void flush(), flushMs).unref()

  function countRequest(caller: Caller, door: Door, refused: boolean, points = 1): void {
    const now = new Date(clock.now())
    lastUses.set(caller.key.id, now)
    add({
      projectId: caller.project.id,
      day: now.toISOString().slice(0, 10),
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
    addDeprecated({ apiKeyId: caller.key.id, field, count: 1, lastUsedAt: new Date(clock.now()) })
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
    await writeUsed(db, [...taken.used.values()]).catch(error => {
      log.warn({ error }, 'usage could not be written yet')
      for (const sum of taken.used.values()) add(sum)
    })
    await writeDeprecated(db, [...taken.deprecated.values()]).catch(() => {
      for (const sum of taken.deprecated.values()) addDeprecated(sum)
    })
    await writeLastUses(db, taken.lastUses).catch(() => {
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

async function writeUsed(db: Db, rows: Used[]): Promise<void> {
  if (rows.length === 0) return
  const sorted = inOrder(rows, row => `${row.projectId} ${row.day} ${row.door}`)
  await db.$executeRaw`
    INSERT INTO usage (project_id, day, door, requests, refusals)
    SELECT * FROM unnest(${sorted.map(r => r.projectId)}::int[], ${sorted.map(r => r.day)}::date[], ${sorted.map(r => r.door)}::text[],
      ${sorted.map(r => r.requests)}::int[], ${sorted.map(r => r.refusals)}::int[])
    ON CONFLICT (project_id, day, door) DO UPDATE
    SET requests = usage.requests + excluded.requests, refusals = usage.refusals + excluded.refusals`
}

async function writeDeprecated(db: Db, rows: Deprecated[]): Promise<void> {
  if (rows.length === 0) return
  const sorted = inOrder(rows, row => `${row.apiKeyId} ${row.field}`)
  await db.$executeRaw`
    INSERT INTO deprecated_uses (api_key_id, field, count, last_used_at)
    SELECT * FROM unnest(${sorted.map(r => r.apiKeyId)}::uuid[], ${sorted.map(r => r.field)}::text[],
      ${sorted.map(r => r.count)}::int[], ${sorted.map(r => r.lastUsedAt.toISOString())}::timestamptz[])
    ON CONFLICT (api_key_id, field) DO UPDATE
    SET count = deprecated_uses.count + excluded.count,
      last_used_at = greatest(deprecated_uses.last_used_at, excluded.last_used_at)`
}

async function writeLastUses(db: Db, lastUses: Map<string, Date>): Promise<void> {
  if (lastUses.size === 0) return
  const sorted = inOrder([...lastUses], ([id]) => id)
  await db.$executeRaw`
    UPDATE api_keys SET last_used_at = seen.at
    FROM unnest(${sorted.map(([id]) => id)}::uuid[], ${sorted.map(([, at]) => at.toISOString())}::timestamptz[]) AS seen(id, at)
    WHERE api_keys.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at)`
}
