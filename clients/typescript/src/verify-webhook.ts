import { StoreError } from './errors.ts'
import { parseExactJson } from './exact-json.ts'

export type ReceivedEvent = {
  id: string
  type: string
  timestamp: string
  number?: bigint
  subject?: string
  data: Record<string, unknown>
  previous?: Record<string, unknown>
}

/** Headers of a received request: of fetch's Request, or of Node.js. */
type ReceivedHeaders = Headers | Record<string, string | string[] | undefined>

const prefix = 'whsec_'

/**
 * Verifies that a received request comes from the store, and returns its event. `body` must be the text or the bytes
 * exactly as received, because the signature no longer matches if the body is parsed and formatted again. Throws a
 * StoreError with the code `invalid_signature` if the signature does not match or the secret is missing. Also throws it
 * if the request was sent more than five minutes ago, so that a request cannot be replayed later.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: { toleranceSeconds?: number; now?: number } = {},
): Promise<ReceivedEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headers instanceof Headers ? headers.get(name) : String(headers?.[name] ?? ''),
  )
  if (!id || !timestamp || !signatures) throw invalid('The request has no signature.')
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw invalid('The request is too old, or the clock of this computer is wrong.')
  }
  const key = await importKey(secret)
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures.split(' ')) {
    const [version, base64 = ''] = signature.split(',')
    const bytes = version === 'v1' ? decode(base64) : null
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
      return parseExactJson(text) as ReceivedEvent
    }
  }
  throw invalid('The signature is not that of the store, or the body was changed.')
}

function importKey(secret: string): Promise<CryptoKey> {
  // A program without strict types may pass an unset environment variable.
  if (typeof secret !== 'string' || secret === '' || secret === prefix) throw invalid('No secret was given.')
  const bytes = secret.startsWith(prefix) ? decode(secret.slice(prefix.length)) : null
  if (!bytes) throw invalid(`The secret of a webhook begins with ${prefix}.`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  } catch {
    return null
  }
}

const invalid = (message: string) => new StoreError('invalid_signature', message)
