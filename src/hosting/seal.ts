import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** Encrypts private keys, so that the database and its backups do not reveal them. */
export type Seal = {
  /** `label` names the purpose, so that a sealed key does not open in another row. */
  close(secret: string, label: string): Uint8Array<ArrayBuffer>
  open(sealed: Uint8Array, label: string): string
  /**
   * Tells which key opens the sealed secret: 'first' for the first key, which is also the key that seals; 'older' for
   * any other key; null if no key opens the secret.
   */
  keyOf(sealed: Uint8Array, label: string): 'first' | 'older' | null
  /** Returns a short hash of each key, in the order of the keys. The hash identifies a key without revealing it. */
  fingerprints(): string[]
}

const version = 1
const nonceBytes = 12
const tagBytes = 16

export const certificateLabel = (name: string) => `certificate:${name}`
export const accountLabel = (directoryUrl: string) => `account:${directoryUrl}`

/** The first key seals; the others only open, until everything is sealed again. */
export function makeSeal(keys: readonly Buffer[]): Seal {
  return {
    close(secret, label) {
      const [first] = keys
      if (!first) throw new Error('a seal needs a key')
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(label))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return new Uint8Array(Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), text]))
    },
    fingerprints: () => keys.map(key => hash('sha256', key, 'hex').slice(0, 16)),
    keyOf(sealed, label) {
      const index = keys.findIndex(key => tryKey(key, sealed, label) !== null)
      return index < 0 ? null : index === 0 ? 'first' : 'older'
    },
    open(sealed, label) {
      for (const key of keys) {
        const opened = tryKey(key, sealed, label)
        if (opened !== null) return opened
      }
      throw new Error(`The secret sealed as ${label} does not open with SECRETS_KEY.`)
    },
  }
}

function tryKey(key: Buffer, sealed: Uint8Array, label: string): string | null {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) return null
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(label)).setAuthTag(tag)
  try {
    const text = decipher.update(bytes.subarray(1 + nonceBytes + tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
