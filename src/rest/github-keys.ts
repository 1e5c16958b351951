import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../tools/clock.ts'

type Published = { public_keys: { key_identifier: string; key: string }[] }

/**
 * In milliseconds: read the keys again after this time, because GitHub rotates them. An unknown key causes a read at
 * once.
 */
const freshMs = 60 * 60_000
/** In milliseconds: read the keys at most this often, even if clients name unknown keys. */
const leastPauseMs = 60_000
const timeoutMs = 5_000

/**
 * Makes a function that checks GitHub's signature of a body (ECDSA P-256, SHA-256). `source`: the URL of the published
 * keys, or a file with them.
 */
export function openGithubKeys(source: string, clock: Clock) {
  let keys = new Map<string, KeyObject>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function find(id: string): Promise<KeyObject | undefined> {
    const age = clock.now() - readAt
    if (age > freshMs || (!keys.has(id) && age > leastPauseMs)) {
      readAt = clock.now()
      // If the new keys cannot be read, keep those of the last read.
      reading = readKeys(source)
        .then(read => {
          keys = read
        })
        .catch(() => {})
        .finally(() => {
          reading = null
        })
    }
    // Wait for the running read of the keys. The read may have been started by the check of another report.
    if (!keys.has(id)) await reading
    return keys.get(id)
  }

  return async (body: Buffer, id: string, signature: string): Promise<boolean> => {
    const key = await find(id)
    return key !== undefined && verify('sha256', body, key, Buffer.from(signature, 'base64'))
  }
}

async function readKeys(source: string): Promise<Map<string, KeyObject>> {
  const text = /^https?:/.test(source)
    ? await (await fetch(source, { signal: AbortSignal.timeout(timeoutMs) })).text()
    : await readFile(source, 'utf8')
  const { public_keys: published } = JSON.parse(text) as Published
  return new Map(published.map(({ key_identifier: id, key }) => [id, createPublicKey(key)]))
}
