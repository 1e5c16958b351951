import { triggers } from '../../database/change-log.ts'
import { beingRestored } from '../../database/faults.ts'
import type { Columns, Statements } from '../../database/statements.ts'
import { instant, type KnownKey, projectColumns, projectOf, text } from './lookup.ts'
import { type Role, scopesOfRole } from './roles.ts'

/**
 * Looks up people's access tokens by their hashes in hexadecimal. Reads the role with the token, so that a new role
 * takes effect at once. Missing triggers of the table show that a restore of the table is running. During a restore, a
 * missing token is reported as an outage, because the restore may still bring the token back.
 */
export async function lookUpAccessTokens(
  database: Statements,
  hashes: readonly string[],
): Promise<(KnownKey | null)[]> {
  const rows = await database.run({
    name: 'look_up_access_tokens',
    text: lookUp,
    values: [hashes.join(' ')],
  })
  const found = new Map(rows.flatMap(row => (row[0] == null ? [] : [[row[0], toKnownToken(row)]])))
  const isWhole = rows.every(row => Number(row.at(-1)) === triggers.access_tokens.length)
  return hashes.map(hash => {
    const known = found.get(hash) ?? null
    if (known === null && !isWhole) throw beingRestored('access_tokens')
    return known
  })
}

const lookUp = `
  SELECT encode(a.hash, 'hex'), a.person_id, a.session_id, m.role,
    (extract(epoch FROM a.expires_at) * 1000)::bigint,
    ${projectColumns},
    t.in_force
  FROM (
    SELECT count(*) AS in_force FROM pg_trigger
    WHERE tgrelid = to_regclass('access_tokens') AND tgenabled <> 'D'
      AND tgname IN (${triggers.access_tokens.map(name => `'${name}'`).join(', ')})
  ) AS t
  LEFT JOIN (
    unnest(string_to_array($1, ' ')) AS requested (hash)
    JOIN "access_tokens" a ON a.hash = decode(requested.hash, 'hex')
    JOIN "memberships" m ON m.project_id = a.project_id AND m.person_id = a.person_id
    JOIN "projects" p ON p.id = a.project_id
    JOIN "plans" l ON l.name = p.plan
  ) ON true`

function toKnownToken([, personId, sessionId, role, expiresAt, ...ofProject]: Columns): KnownKey {
  const held = text(role) as Role
  return {
    caller: {
      project: projectOf(ofProject),
      key: { id: text(sessionId), prefix: 'asa_', scopes: scopesOfRole[held] },
      person: { id: text(personId), sessionId: text(sessionId), role: held },
    },
    revokedAt: null,
    expiresAt: instant(expiresAt),
  }
}
