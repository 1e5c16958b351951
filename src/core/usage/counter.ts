import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import type { Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { hourMs } from '../../tools/durations.ts'
import type { Caller } from '../keys/caller.ts'
import { addCounts, addOutcome, type Counts, type Door, doors, noCounts, type Outcome } from './counts.ts'
import { addLatencies, addLatency, type Latencies } from './latency.ts'
import { openDayOf } from './report.ts'
import {
  type Deprecated,
  type KeyUse,
  type LastUse,
  type ProjectLatency,
  type ProjectUse,
  writeDeprecated,
  writeKeyUse,
  writeLastUses,
  writeLatencies,
  writeProjectUse,
} from './writes.ts'

/** Counts requests in memory and writes them in batches, so that no request waits for the write. */
export type UsageCounter = {
  /** `milliseconds`: how long the answer took. Refusals and requests that cost nothing are not timed. */
  countRequest(caller: Caller, door: Door, outcome: Outcome, points?: number, milliseconds?: number): void
  countDeprecated(caller: Caller, field: string): void
  /** Number of rows waiting to be written. */
  backlog(): number
  flush(): Promise<void>
  close(): Promise<void>
}

type Writes = Pick<Database, 'outage' | 'run'>

/** Requests of one caller in one hour since the last write. */
type Lately = Record<Door, Counts> & {
  hour: number
  at: number
  latencies: Partial<Record<Door, Latencies>>
}

const tickMs = 1000
/** Write at most 500 projects per tick. The counts of further projects stay in memory until a later tick. */
const mostInATick = 500

export function openUsageCounter(database: Writes, clock: Clock, log: Logger): UsageCounter {
  // The key is the caller object, because building a string key for each request would cost more than counting.
  const lately = new Map<Caller, Lately>()
  const ofProjects = new Map<string, ProjectUse>()
  const ofKeys = new Map<string, KeyUse>()
  const latencies = new Map<string, ProjectLatency>()
  const deprecated = new Map<string, Deprecated>()
  const lastUses = new Map<string, LastUse>()
  let flushing = Promise.resolve()

  const timer = setInterval(() => {
    flushing = flushing.then(() => write(mostInATick))
  }, tickMs).unref()

  function countRequest(
    caller: Caller,
    door: Door,
    outcome: Outcome,
    points = 1,
    milliseconds?: number,
  ): void {
    // Count only requests with the project's keys, because a person's calls cost the project nothing.
    if (caller.person) return
    const at = clock.now()
    const hour = Math.floor(at / hourMs)
    let uses = lately.get(caller)
    if (uses?.hour !== hour) {
      if (uses) addAll(caller, uses)
      uses = { hour, at, rest: noCounts(), graphql: noCounts(), mcp: noCounts(), latencies: {} }
      lately.set(caller, uses)
    }
    uses.at = at
    addOutcome(uses[door], outcome, points)
    if (milliseconds === undefined || outcome === 'refused' || points === 0) return
    uses.latencies[door] ??= []
    addLatency(uses.latencies[door], milliseconds)
  }

  function addAll({ project, key }: Caller, uses: Lately): void {
    noteLastUse({ apiKeyId: key.id, at: uses.at })
    const hour = uses.hour * hourMs
    const day = new Date(hour).toISOString().slice(0, 10)
    for (const door of doors) {
      const counts = uses[door]
      if (counts.requests + counts.refusals === 0) continue
      addOfProject({ projectId: project.id, day, door, counts: { ...counts } })
      addOfKey({ projectId: project.id, apiKeyId: key.id, hour, door, counts })
      const ofDoor = uses.latencies[door]
      if (ofDoor) addLatencyOfProject({ projectId: project.id, hour, door, latencies: ofDoor })
    }
  }

  function noteLastUse(use: LastUse): void {
    if ((lastUses.get(use.apiKeyId)?.at ?? 0) < use.at) lastUses.set(use.apiKeyId, use)
  }

  function addOfProject(more: ProjectUse): void {
    addTo(ofProjects, keyOfUse(more), more)
  }

  /** Moves requests that were not written before their day became final to today, because a final day must not change. */
  function moveToOpenDays(rows: ReadonlyMap<string, ProjectUse>): Map<string, ProjectUse> {
    const moved = new Map<string, ProjectUse>()
    for (const row of rows.values()) {
      const use = { ...row, day: openDayOf(clock, row.day) }
      addTo(moved, keyOfUse(use), use)
    }
    return moved
  }

  function addOfKey(more: KeyUse): void {
    addTo(ofKeys, `${more.projectId} ${more.hour} ${more.apiKeyId} ${more.door}`, more)
  }

  function addLatencyOfProject(more: ProjectLatency): void {
    const key = `${more.projectId} ${more.hour} ${more.door}`
    const sum = latencies.get(key)
    if (sum) addLatencies(sum.latencies, more.latencies)
    else latencies.set(key, more)
  }

  function countDeprecated(caller: Caller, field: string): void {
    if (!caller.person) addDeprecated({ apiKeyId: caller.key.id, field, count: 1, lastUsedAt: clock.now() })
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
    await writeAll(moveToOpenDays(takeFirst(ofProjects, most)), writeProjectUse, addOfProject)
    await writeAll(takeFirst(ofKeys, most), writeKeyUse, addOfKey)
    await writeAll(takeFirst(latencies, most), writeLatencies, addLatencyOfProject)
    await writeAll(takeFirst(deprecated, most), writeDeprecated, addDeprecated)
    await writeAll(takeFirst(lastUses, most), writeLastUses, noteLastUse)
  }

  /**
   * Writes all rows. If the database is unavailable, adds the unwritten rows back to the counts in memory, so that a
   * later tick writes them.
   */
  async function writeAll<Row>(
    rows: ReadonlyMap<string, Row>,
    writeRows: (database: Statements, rows: Row[]) => Promise<void>,
    countAgain: (row: Row) => void,
  ): Promise<void> {
    for await (const piece of inPieces(rows)) {
      await writeRows(database, piece).catch(error => keepApart(error, piece))
    }

    /**
     * Halves the batch again and again to find the rows that the database always rejects, for example rows of a deleted
     * project. Drops them so that they do not block the other rows.
     */
    async function keepApart(error: unknown, piece: Row[]): Promise<void> {
      if (database.outage.note(error)) return piece.forEach(countAgain)
      if (piece.length === 1)
        return log.error({ error, use: piece[0] }, 'usage rows dropped: the database rejected them')
      const middle = piece.length >> 1
      for (const half of [piece.slice(0, middle), piece.slice(middle)]) {
        await writeRows(database, half).catch(error => keepApart(error, half))
      }
    }
  }

  return {
    countRequest,
    countDeprecated,
    backlog: () =>
      lately.size + ofProjects.size + ofKeys.size + latencies.size + deprecated.size + lastUses.size,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const keyOfUse = ({ projectId, day, door }: ProjectUse) => `${projectId} ${day} ${door}`

function addTo<Row extends { counts: Counts }>(rows: Map<string, Row>, key: string, more: Row): void {
  const sum = rows.get(key)
  if (sum) addCounts(sum.counts, more.counts)
  else rows.set(key, more)
}

/** Removes and returns the entries that have waited longest. */
function takeFirst<Key, Row>(rows: Map<Key, Row>, most: number): Map<Key, Row> {
  const taken = new Map(rows.entries().take(most))
  for (const key of taken.keys()) rows.delete(key)
  return taken
}

/** Small enough that one statement does not delay concurrent requests. */
const mostTogether = 250
const betweenPiecesMs = 10

/** Yields the rows in pieces, sorted by key, so that two processes cannot deadlock. */
async function* inPieces<Row>(rows: ReadonlyMap<string, Row>): AsyncGenerator<Row[]> {
  const keys = [...rows.keys()].sort()
  for (let from = 0; from < keys.length; from += mostTogether) {
    if (from > 0) await pause(betweenPiecesMs)
    yield keys.slice(from, from + mostTogether).flatMap(key => rows.get(key) ?? [])
  }
}
