import type { Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { actSetting } from '../acts.ts'
import { hashInHex, isWellFormedSecret } from '../secrets.ts'
import type { Scope } from './api-keys.ts'

/** A working key whose secret was handed in, in words that may be logged. */
export type FoundKey = { prefix: string; project: string; isRevoked: boolean }

/** Keys with one of these scopes can change something. */
export const writingScopes: readonly Scope[] = [
  'pets:write',
  'orders:write',
  'webhooks:write',
  'project:write',
]

/**
 * Finds the working keys with these secrets, in all projects, and revokes those with one of the scopes; `null` revokes
 * all. Each found key is an event, in the name of the act. The same statement runs whether the secrets are real or not.
 */
export async function revokeBySecret(
  { run }: Statements,
  clock: Clock,
  secrets: readonly string[],
  scopes: readonly Scope[] | null,
  foundAt: string | null = null,
): Promise<FoundKey[]> {
  const hashes = secrets.filter(isWellFormedSecret).map(hashInHex)
  const rows = await run({
    name: 'revoke_by_secret',
    text: `
      WITH act AS MATERIALIZED (
        SELECT set_config('animal_store.act', $4::text, true)
      ), found AS MATERIALIZED (
        SELECT k.id, k.prefix, k.name, k.project_id, p.slug, $3::text[] IS NULL OR k.scopes && $3::text[] AS ends
        FROM act, api_keys k JOIN projects p ON p.id = k.project_id
        WHERE k.hash = ANY (ARRAY(SELECT decode(requested, 'hex') FROM unnest($1::text[]) AS requested))
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2::timestamptz)
      ), ended AS (
        UPDATE api_keys SET revoked_at = $2::timestamptz FROM found
        WHERE api_keys.id = found.id AND found.ends AND api_keys.revoked_at IS NULL
      ), recorded AS (
        INSERT INTO told (project_id, is_management, type, subject, data, actor, door, address, request_id)
        SELECT project_id, true, 'api_key.leaked', 'api_key:' || id,
          json_build_object('id', id, 'name', name, 'prefix', prefix, 'revoked', ends, 'foundAt', $5::text),
          act -> 'actor', act ->> 'door', act ->> 'address', act ->> 'requestId'
        FROM found CROSS JOIN (SELECT nullif($4::text, '')::json AS act) AS act
      )
      SELECT prefix, slug, ends::text FROM found`,
    values: [hashes, new Date(clock.now()).toISOString(), scopes, actSetting(), foundAt],
  })
  return rows.map(([prefix, project, ends]) => ({
    prefix: prefix ?? '',
    project: project ?? '',
    isRevoked: ends === 'true',
  }))
}
