import { hash } from 'node:crypto'
import type { Statements } from '../../database/statements.ts'
import type { LeakedKeys, Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { actSetting, manage, recordOnce } from '../acts.ts'
import { toProject } from '../project.ts'
import { hashInHex, hashSecret, isWellFormedSecret } from '../secrets.ts'
import { isUsable, replaceApiKey } from './api-keys.ts'
import type { Scope } from './scopes.ts'

/** A working key whose secret somebody has reported, described without the secret, so that it may be logged. */
export type FoundKey = { prefix: string; project: string; outcome: 'told' | 'rotated' | 'revoked' }

/** Keys with one of these scopes can change something. */
const writingScopes: readonly string[] = [
  'pets:write',
  'orders:write',
  'webhooks:write',
  'project:write',
] satisfies Scope[]

/** How long a leaked key stays valid if the project has chosen to rotate leaked keys. */
const overlapMs = 24 * 60 * 60 * 1000

/**
 * Revokes the working keys with these secrets, in all projects, and adds an event for each key with the current actor.
 * Runs the same statement for real and invented secrets, so that its duration does not reveal which are real. If two
 * requests report a key at once, one waits for the other and finds the key revoked.
 */
export async function revokeBySecret(
  { run }: Statements,
  clock: Clock,
  secrets: readonly string[],
): Promise<FoundKey[]> {
  const hashes = secrets.filter(isWellFormedSecret).map(hashInHex)
  const rows = await run({
    name: 'revoke_by_secret',
    text: `
      WITH act AS MATERIALIZED (
        SELECT set_config('animal_store.act', $3::text, true)
      ), found AS MATERIALIZED (
        SELECT k.id, k.prefix, k.name, k.project_id, p.slug
        FROM act, api_keys k JOIN projects p ON p.id = k.project_id
        WHERE k.hash = ANY (ARRAY(SELECT decode(requested, 'hex') FROM unnest($1::text[]) AS requested))
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2::timestamptz)
      ), ended AS (
        UPDATE api_keys SET revoked_at = $2::timestamptz FROM found
        WHERE api_keys.id = found.id AND api_keys.revoked_at IS NULL
        RETURNING found.*
      ), recorded AS (
        INSERT INTO told (project_id, is_management, type, subject, data, actor, door, address, request_id)
        SELECT project_id, true, 'api_key.leaked', 'api_key:' || id,
          json_build_object('id', id, 'name', name, 'prefix', prefix, 'revoked', true),
          act -> 'actor', act ->> 'door', act ->> 'address', act ->> 'requestId'
        FROM ended CROSS JOIN (SELECT nullif($3::text, '')::json AS act) AS act
      )
      SELECT prefix, slug FROM ended`,
    values: [hashes, new Date(clock.now()).toISOString(), actSetting()],
  })
  return rows.map(([prefix, project]) => ({
    ...{ prefix: prefix ?? '', project: project ?? '' },
    outcome: 'revoked',
  }))
}

/**
 * Treats a working key that was found in public as its project has chosen for leaked keys. Adds the event
 * `api_key.leaked` once for each key and place. Returns null if there is no such key, or if the report contains nothing
 * new.
 */
export async function handleLeak(
  db: PrismaClient,
  clock: Clock,
  secret: string,
  foundAt: string | null,
): Promise<FoundKey | null> {
  if (!isWellFormedSecret(secret)) return null
  const now = new Date(clock.now())
  return manage(db, async tx => {
    // Lock the key, so that of two concurrent reports one waits for the other.
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM api_keys WHERE hash = ${hashSecret(secret)} FOR UPDATE`
    const key = row && (await tx.apiKey.findUnique({ where: { id: row.id }, include }))
    if (!key || !isUsable(key, now)) return null
    const { id, name, prefix, project } = key
    const outcome = chooseOutcome(project.leakedKeys, key)
    const noticeOf = (told: FoundKey['outcome']) =>
      `api_key.leaked ${id} ${told} ${hash('sha256', foundAt ?? '')}`
    // The event that was added when the key was rotated already contains this address.
    const rotated = { projectId: project.id, what: noticeOf('rotated') }
    if (outcome === 'told' && (await tx.notice.count({ where: rotated })) > 0) return null
    const end: { successorId?: string; expiresAt?: Date } = {}
    if (outcome === 'revoked') await tx.apiKey.update({ where: { id }, data: { revokedAt: now } })
    if (outcome === 'rotated') {
      const overlapEndsAt = new Date(now.getTime() + overlapMs)
      // The secret of the new key is discarded. To get a readable secret, the owner rotates the new key. The new key is
      // issued even if the project has as many keys as it may have, because the leaked key must end.
      const { apiKey } = await replaceApiKey(tx, clock, toProject(project), id, overlapEndsAt)
      const replaced = await tx.apiKey.findUniqueOrThrow({ where: { id } })
      Object.assign(end, { successorId: apiKey.id, expiresAt: replaced.expiresAt })
    }
    const data = { id, name, prefix, revoked: outcome === 'revoked', ...end, ...(foundAt && { foundAt }) }
    const entry = { projectId: project.id, type: 'api_key.leaked', subject: `api_key:${id}`, data }
    const recorded = await recordOnce(tx, [{ ...entry, notice: noticeOf(outcome) }])
    return recorded === 0 ? null : { prefix, project: project.slug, outcome }
  })
}

const include = { project: { include: { plan: true } } } satisfies Prisma.ApiKeyInclude

type Leaked = { scopes: readonly string[]; successorId: string | null }

function chooseOutcome(choice: LeakedKeys, { scopes, successorId }: Leaked): FoundKey['outcome'] {
  switch (choice) {
    case 'revoke':
      return 'revoked'
    case 'revoke_writing':
      return scopes.some(scope => writingScopes.includes(scope)) ? 'revoked' : 'told'
    case 'rotate':
      // A key that already has a successor is not rotated again, because the key expires when the overlap of its first
      // rotation ends.
      return successorId === null ? 'rotated' : 'told'
    case 'tell':
      return 'told'
  }
}
