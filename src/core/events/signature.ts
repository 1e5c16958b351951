import { createHmac, randomBytes } from 'node:crypto'

// Signs as Standard Webhooks 1.0.0 defines, so that receivers can verify with an existing library.

const prefix = 'whsec_'
const secretBytes = 32

/** Makes the secret that an endpoint and its receiver share. */
export const makeSigningSecret = () => prefix + randomBytes(secretBytes).toString('base64')

/**
 * Returns the headers of one attempt, with a signature by each of the secrets. A receiver needs only one of these
 * secrets.
 */
export function signedHeaders(
  id: string,
  sentAt: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000))
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
