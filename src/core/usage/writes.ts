import type { Statements } from '../../database/statements.ts'
import type { Counts, Door } from './counts.ts'
import { type Latencies, sumOfBoth } from './latency.ts'

export type ProjectUse = { projectId: number; day: string; door: Door; counts: Counts }
export type KeyUse = { projectId: number; apiKeyId: string; hour: number; door: Door; counts: Counts }
export type ProjectLatency = { projectId: number; hour: number; door: Door; latencies: Latencies }
export type Deprecated = { apiKeyId: string; field: string; count: number; lastUsedAt: number }
export type LastUse = { apiKeyId: string; at: number }

// Each function writes all rows in one SQL statement, because Prisma cannot upsert several rows at once. A Prisma
// transaction with one upsert for each row takes several times the CPU time of the SQL statement. The factors for 1 row
// and for 50 rows are 9 and 25 for add_usage and add_key_usage, 4 and 21 for add_deprecated_uses, 3 and 15 for
// note_last_uses (in Prisma an updateMany).

export async function writeProjectUse(database: Statements, rows: ProjectUse[]): Promise<void> {
  await database.run({
    name: 'add_usage',
    text: `
      INSERT INTO usage (project_id, day, door, requests, refusals, faulty, failed)
      SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
      ON CONFLICT (project_id, day, door) DO UPDATE
      SET requests = usage.requests + excluded.requests, refusals = usage.refusals + excluded.refusals,
        faulty = usage.faulty + excluded.faulty, failed = usage.failed + excluded.failed`,
    values: [rows.map(r => r.projectId), rows.map(r => r.day), rows.map(r => r.door), ...columnsOf(rows)],
  })
}

export async function writeKeyUse(database: Statements, rows: KeyUse[]): Promise<void> {
  await database.run({
    name: 'add_key_usage',
    text: `
      INSERT INTO key_usage (project_id, api_key_id, hour, door, requests, refusals, faulty, failed)
      SELECT * FROM unnest($1::int[], $2::uuid[], $3::timestamptz[], $4::text[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[])
      ON CONFLICT (project_id, hour, api_key_id, door) DO UPDATE
      SET requests = key_usage.requests + excluded.requests, refusals = key_usage.refusals + excluded.refusals,
        faulty = key_usage.faulty + excluded.faulty, failed = key_usage.failed + excluded.failed`,
    values: [
      rows.map(r => r.projectId),
      rows.map(r => r.apiKeyId),
      rows.map(r => instant(r.hour)),
      rows.map(r => r.door),
      ...columnsOf(rows),
    ],
  })
}

export async function writeLatencies(database: Statements, rows: ProjectLatency[]): Promise<void> {
  await database.run({
    name: 'add_latencies',
    text: `
      INSERT INTO latencies (project_id, hour, door, counts)
      SELECT project_id, hour, door, counts::bigint[]
      FROM unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[]) AS more(project_id, hour, door, counts)
      ON CONFLICT (project_id, hour, door) DO UPDATE SET counts = ${sumOfBoth('latencies.counts', 'excluded.counts')}`,
    values: [
      rows.map(r => r.projectId),
      rows.map(r => instant(r.hour)),
      rows.map(r => r.door),
      // Pass each row's counts as text, because PostgreSQL takes an array of arrays only if all inner arrays have equal
      // lengths.
      rows.map(r => `{${r.latencies.join()}}`),
    ],
  })
}

const columnsOf = (rows: { counts: Counts }[]) => [
  rows.map(({ counts }) => counts.requests),
  rows.map(({ counts }) => counts.refusals),
  rows.map(({ counts }) => counts.faulty),
  rows.map(({ counts }) => counts.failed),
]

export async function writeDeprecated(database: Statements, rows: Deprecated[]): Promise<void> {
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

export async function writeLastUses(database: Statements, rows: LastUse[]): Promise<void> {
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
