import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import type { Statements } from '../database/statements.ts'
import type { Clock } from '../tools/clock.ts'
import type { Caller } from './callers.ts'

export type Door = 'rest' | 'graphql'

/** Counts what was used, in memory, and writes it in batches: never on a request's way. */
export type UsageCounter = {
  countRequest(caller: Caller, door: Door, refused: boolean, points?: number): void
  countDeprecated(caller: Caller, field: string): void
  /** How many rows wait to be written. */
  backlog(): number
  flush(): Promise<void>
  close(): Promise<void>
}

type Used = { projectId: number; day: string; door: Door; requests: number; refusals: number }
type Deprecated = { apiKeyId: string; field: string; count: number; lastUsedAt: number }

type Writes = Pick<Database, 'outage' | 'run'>
type LastUse = { apiKeyId: string; at: number }

/** What a caller did since it was last its turn to be written. */
type Lately = Record<Door, { requests: number; refusals: number }> & { day: string; at: number }

const tickMs = 1000
/** Of thousands of projects in use each is written in its turn, and what it uses meanwhile adds up. */
const mostInATick = 500
const dayMs = 24 * 60 * 60 * 1000

export function openUsageCounter(database: Writes, clock: Clock, log: Logger): UsageCounter {
  // By the caller itself: to spell a key for each request would cost more than to count it.
  const lately = new Map<Caller, Lately>()
  const used = new Map<string, Used>()
  const deprecated = new Map<string, Deprecated>()
  const lastUses = new Map<string, LastUse>()
  let flushing = Promise.resolve()
  const dayOf = daySpeller()

  const timer = setInterval(() => {
    flushing = flushing.then(() => write(mostInATick))
  }, tickMs).unref()

  function countRequest(caller: Caller, door: Door, refused: boolean, points = 1): void {
    const at = clock.now()
    const day = dayOf(at)
    let uses = lately.get(caller)
    if (uses?.day !== day) {
      if (uses) addAll(caller, uses)
      uses = { day, at, rest: { requests: 0, refusals: 0 }, graphql: { requests: 0, refusals: 0 } }
      lately.set(caller, uses)
    }
    uses.at = at
    if (refused) uses[door].refusals++
    else uses[door].requests += points
  }

  function addAll({ project, key }: Caller, { day, at, ...uses }: Lately): void {
    lastUses.set(key.id, { apiKeyId: key.id, at })
    for (const door of ['rest', 'graphql'] as const) {
      const { requests, refusals } = uses[door]
      if (requests + refusals > 0) add({ projectId: project.id, day, door, requests, refusals })
    }
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
    flushing = flushing.then(() => write(Number.POSITIVE_INFINITY))
    return flushing
  }

  async function write(most: number): Promise<void> {
    for (const [caller, uses] of takeFirst(lately, most)) addAll(caller, uses)
    await writeAll(takeFirst(used, most), writeUsed, add)
    await writeAll(takeFirst(deprecated, most), writeDeprecated, addDeprecated)
    await writeAll(takeFirst(lastUses, most), writeLastUses, use => {
      if (!lastUses.has(use.apiKeyId)) lastUses.set(use.apiKeyId, use)
    })
  }

  /** What cannot be written while the database is away is counted again, to be written later. */
  async function writeAll<Row>(
    rows: ReadonlyMap<string, Row>,
    writeRows: (database: Statements, rows: Row[]) => Promise<void>,
    countAgain: (row: Row) => void,
  ): Promise<void> {
    for await (const piece of inPieces(rows)) {
      await writeRows(database, piece).catch(error => keepApart(error, piece))
    }

    /** A row that never can be, as of a project that is gone, must not keep back the others, and is found by halving. */
    async function keepApart(error: unknown, piece: Row[]): Promise<void> {
      if (database.outage.note(error)) return piece.forEach(countAgain)
      if (piece.length === 1)
        return log.error({ error, use: piece[0] }, 'use that cannot be written is left out')
      const middle = piece.length >> 1
      for (const half of [piece.slice(0, middle), piece.slice(middle)]) {
        await writeRows(database, half).catch(error => keepApart(error, half))
      }
    }
  }

  return {
    countRequest,
    countDeprecated,
    backlog: () => lately.size + used.size + deprecated.size + lastUses.size,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Takes out what has waited longest. */
function takeFirst<Key, Row>(rows: Map<Key, Row>, most: number): Map<Key, Row> {
  const taken = new Map(rows.entries().take(most))
  for (const key of taken.keys()) rows.delete(key)
  return taken
}

/** Few enough for one statement not to hold up the requests beside it. */
const mostTogether = 250
const betweenPiecesMs = 10

/** Rows are written in the order of their keys, so that processes writing at once never wait for each other in a circle. */
async function* inPieces<Row>(rows: ReadonlyMap<string, Row>): AsyncGenerator<Row[]> {
  const keys = [...rows.keys()].sort()
  for (let from = 0; from < keys.length; from += mostTogether) {
    if (from > 0) await pause(betweenPiecesMs)
    yield keys.slice(from, from + mostTogether).flatMap(key => rows.get(key) ?? [])
  }
}

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
  await database.run({
    name: 'add_usage',
    text: `
      INSERT INTO usage (project_id, day, door, requests, refusals)
      SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::bigint[], $5::bigint[])
      ON CONFLICT (project_id, day, door) DO UPDATE
      SET requests = usage.requests + excluded.requests, refusals = usage.refusals + excluded.refusals`,
    values: [
      rows.map(r => r.projectId),
      rows.map(r => r.day),
      rows.map(r => r.door),
      rows.map(r => r.requests),
      rows.map(r => r.refusals),
    ],
  })
}

async function writeDeprecated(database: Statements, rows: Deprecated[]): Promise<void> {
  await database.run({
    name: 'add_deprecated_uses',
    text: `
      INSERT INTO deprecated_uses (api_key_id, field, count, last_used_at)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[])
      ON CONFLICT (api_key_id, field) DO UPDATE
      SET count = deprecated_uses.count + excluded.count,
        last_used_at = greatest(deprecated_uses.last_used_at, excluded.last_used_at)`,
    values: [
      rows.map(r => r.apiKeyId),
      rows.map(r => r.field),
      rows.map(r => r.count),
      rows.map(r => instant(r.lastUsedAt)),
    ],
  })
}

async function writeLastUses(database: Statements, rows: LastUse[]): Promise<void> {
  await database.run({
    name: 'note_last_uses',
    text: `
      UPDATE api_keys SET last_used_at = seen.at
      FROM unnest($1::uuid[], $2::timestamptz[]) AS seen(id, at)
      WHERE api_keys.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at)`,
    values: [rows.map(r => r.apiKeyId), rows.map(r => instant(r.at))],
  })
}

const instant = (at: number) => new Date(at).toISOString()
