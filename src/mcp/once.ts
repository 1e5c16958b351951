import { hash } from 'node:crypto'
import { parseIdempotencyKey } from '../core/pets/idempotency.ts'
import type { Arguments } from './tool.ts'

/**
 * Random request ids, such as UUIDs, are at least this long. Shorter ones are counters, which repeat in each session.
 */
const leastUnique = 16

/**
 * Makes an idempotency key from the id of a call, for agents and transports that send a call again. Returns null if
 * another call may have the same id: without a session, a short id is a count of calls that begins at 0 in every
 * client.
 */
export function onceKeyOf(
  apiKeyId: string,
  session: string | undefined,
  callId: string | number,
): string | null {
  const isUnique = typeof callId === 'string' && callId.length >= leastUnique
  if (session === undefined && !isUnique) return null
  return `mcp-${hash('sha256', JSON.stringify([apiKeyId, session ?? null, callId]), 'base64url')}`
}

/** Returns the key that the agent has given; without one, returns `onceKey`. */
export function chooseKey(given: Arguments[string], onceKey: string | null): string | null {
  return given == null ? onceKey : parseIdempotencyKey('idempotencyKey', String(given))
}
