import { invalidInput } from './errors.ts'
import { writeExactJson } from './exact-json.ts'
import { wire } from './generated/wire.ts'
import type { OperationId } from './operations.ts'

/** A request. `safe`: sending it again has no further effect. With `streamed`, the caller reads the answer's stream. */
export type Request = { url: string; init: RequestInit; safe: boolean; streamed: boolean }

type Parameters = Record<string, unknown>
/** Inputs that are sent as headers. */
type Said = {
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
  /** The media type of an answer that is not JSON; the answer is then read as a stream. */
  accept?: string | undefined
}
type Input = { path?: Parameters | undefined; query?: Parameters | undefined; body?: unknown }

const printable = /^[ -~]+$/

/**
 * Refuses a key that the service would refuse, or that no header can hold, because fetch throws a TypeError for such a
 * header.
 */
export function requireIdempotencyKey(key: string, most = 255): void {
  if (printable.test(key) && String(key).length <= most) return
  throw invalidInput('idempotencyKey', `must be 1 to ${most} printable ASCII characters`)
}

export function composeRequest(
  base: string,
  key: string,
  id: OperationId,
  { path = {}, query = {}, body }: Input,
  {
    // Pages over plain HTTP have no crypto.randomUUID.
    idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join('-'),
    ifMatch,
    accept,
  }: Said = {},
): Request {
  const { method, path: template, keyed, idempotent, streamed } = wire[id]
  const url = new URL(
    base + template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name]))),
  )
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const headers = new Headers({ Accept: accept ?? 'application/json', Authorization: `Bearer ${key}` })
  const isJson = !(body instanceof Blob)
  if (body !== undefined) headers.set('Content-Type', isJson ? 'application/json' : body.type)
  // The source of an import: `collect` has compressed it.
  if (!isJson) headers.set('Content-Encoding', 'gzip')
  if (keyed) {
    requireIdempotencyKey(idempotencyKey)
    headers.set('Idempotency-Key', `"${idempotencyKey}"`)
  }
  if (ifMatch !== undefined) {
    if (!printable.test(ifMatch)) throw invalidInput('ifMatch', 'must be a tag from etagOf')
    headers.set('If-Match', ifMatch)
  }
  // A repeated PUT with If-Match would be refused, because the first attempt may already have changed the tag.
  const isConditionalPut = method === 'PUT' && ifMatch !== undefined
  // The store never redirects, and following a redirect could send the key to another host.
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (body !== undefined) init.body = isJson ? writeExactJson(body) : body
  return {
    url: url.href,
    init,
    safe: keyed || (idempotent && !isConditionalPut),
    streamed: streamed || accept !== undefined,
  }
}
