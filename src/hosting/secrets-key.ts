import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusalOfDataDir } from '../tools/data-dir.ts'
import { StartRefused } from '../tools/start-refused.ts'

/** The keys that seal private keys. The first seals, the others only open. */
export type SecretsKeys = {
  /** Returns the keys; none before the first sealing. */
  read(): readonly Buffer[]
  /**
   * Creates a key if there is no key. The caller then calls `keep` if the database is claimed for the new key, and
   * `forget` if the database is claimed for another key. `forget` removes the new key.
   */
  readOrMake(): { keep(): void; forget(): void }
  /** Describes the source of the keys in error messages. */
  whose: string
}

const keyBytes = 32
const nothingNew = { keep() {}, forget() {} }

/** Takes the keys from SECRETS_KEY. */
export function givenKeys(read: () => readonly Buffer[]): SecretsKeys {
  return {
    read,
    readOrMake: () => nothingNew,
    whose: 'they cannot be decrypted with the SECRETS_KEY of this process',
  }
}

/** Reads the key from a file in DATA_DIR. Creates it at the first sealing and calls `onStored` with its path. */
export function storedKeys(dataDir: string, onStored: (file: string) => void): SecretsKeys {
  const name = 'secrets.key'
  const file = join(dataDir, name)
  let known: readonly Buffer[] = []
  const know = (text: string) => {
    const key = Buffer.from(text, 'base64')
    if (key.length !== keyBytes) throw damaged(file)
    known = [key]
  }
  const read = () => {
    const text = known.length > 0 ? null : readStored(dataDir, file)
    if (text !== null) know(text)
    return known
  }
  return {
    read,
    readOrMake() {
      if (read().length > 0) return nothingNew
      let made = ''
      const text = readOrCreateFile(dataDir, name, () => {
        made = randomBytes(keyBytes).toString('base64')
        return made
      })
      know(text)
      // Another process created this key, so do not remove it.
      if (text !== made) return nothingNew
      return {
        keep: () => onStored(file),
        forget() {
          rmSync(file)
          known = []
        },
      }
    },
    whose: `this process has no SECRETS_KEY, and they cannot be decrypted with ${file}`,
  }
}

function readStored(dataDir: string, file: string): string | null {
  try {
    return readFileIfAny(file)
  } catch (error) {
    throw refusalOfDataDir(dataDir, error)
  }
}

function damaged(file: string): StartRefused {
  return new StartRefused(
    `${file} is damaged: restore it, because it decrypts the private keys in the database. If the file is lost, see docs/domains.md.`,
  )
}

/**
 * Creates a secret file in DATA_DIR unless it exists. Returns its content; concurrent processes get the same content.
 */
function readOrCreateFile(dataDir: string, name: string, make: () => string): string {
  const file = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // A random name, because processes in containers that share the folder may have the same pid.
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  // Flush to disk before the key seals anything.
  writeFileSync(draft, make(), { mode: 0o600, flush: true })
  try {
    // `link` is atomic and never overwrites a file.
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

/** Returns null if the file does not exist. */
function readFileIfAny(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return null
    throw error
  }
}
