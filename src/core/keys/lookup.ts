import { triggers } from '../../database/change-log.ts'
import { beingRestored } from '../../database/faults.ts'
import type { Columns, Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import type { Caller } from './caller.ts'
import { type Scope, scopes } from './scopes.ts'

export type KnownKey = { caller: Caller; revokedAt: Date | null; expiresAt: Date | null }

/**
 * Looks up keys by their hashes in hexadecimal. The statement's text never changes, so PostgreSQL plans the statement
 * once. Prisma's findMany with the project and its plan costs 6 times the CPU for one key and 4 times for 32 keys,
 * although findMany does not count triggers. The statement counts the triggers of the table of keys: if triggers are
 * missing, a restore of the table is running. During a restore, a missing key is reported as an outage, because a 401
 * would make clients discard good keys.
 */
export async function lookUpKeys(
  database: Statements,
  hashes: readonly string[],
): Promise<(KnownKey | null)[]> {
  const rows = await database.run({
    name: 'look_up_keys',
    text: lookUp,
    values: [hashes.join(' ')],
  })
  const found = new Map(rows.flatMap(row => (row[0] == null ? [] : [[row[0], toKnownKey(row)]])))
  const isWhole = rows.every(row => Number(row.at(-1)) === triggers.api_keys.length)
  return hashes.map(hash => {
    const known = found.get(hash) ?? null
    if (known === null && !isWhole) throw beingRestored('api_keys')
    return known
  })
}

/** The project's columns in the statements for keys and for access tokens. */
export const projectColumns = `p.id, p.slug, p.name, p.plan, p.suspended_at IS NOT NULL,
    coalesce(p.requests_per_minute, l.requests_per_minute, 0), coalesce(p.requests_per_day, l.requests_per_day, 0)`

const lookUp = `
  SELECT encode(k.hash, 'hex'), k.id, k.prefix, array_to_string(k.scopes, ' '),
    (extract(epoch FROM k.revoked_at) * 1000)::bigint, (extract(epoch FROM k.expires_at) * 1000)::bigint,
    ${projectColumns},
    k.issued_by, t.in_force
  FROM (
    SELECT count(*) AS in_force FROM pg_trigger
    WHERE tgrelid = to_regclass('api_keys') AND tgenabled <> 'D'
      AND tgname IN (${triggers.api_keys.map(name => `'${name}'`).join(', ')})
  ) AS t
  LEFT JOIN (
    unnest(string_to_array($1, ' ')) AS requested (hash)
    JOIN "api_keys" k ON k.hash = decode(requested.hash, 'hex')
    JOIN "projects" p ON p.id = k.project_id
    JOIN "plans" l ON l.name = p.plan
  ) ON true`

function toKnownKey(row: Columns): KnownKey {
  const [, keyId, prefix, held, revokedAt, expiresAt, ...ofProject] = row
  const issuedBy = row.at(-2) ?? null
  const own = new Set<string>(text(held).split(' '))
  return {
    caller: {
      project: projectOf(ofProject),
      key: {
        id: text(keyId),
        prefix: text(prefix),
        scopes: scopes.filter((scope: Scope) => own.has(scope)),
        issuedBy,
      },
    },
    revokedAt: instant(revokedAt),
    expiresAt: instant(expiresAt),
  }
}

export function projectOf([id, slug, name, planName, suspended, minute, day]: Columns): Project {
  return {
    id: Number(id),
    slug: text(slug),
    name: text(name),
    planName: text(planName),
    limits: { perMinute: Number(minute), perDay: Number(day) },
    suspended: text(suspended).startsWith('t'),
  }
}

export const text = (value: string | null | undefined) => String(value ?? '')
export const instant = (value: string | null | undefined) => (value ? new Date(Number(value)) : null)
