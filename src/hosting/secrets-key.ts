import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { refusalOfDataDir } from '../tools/data-dir.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { keepFile, readFile } from './kept-file.ts'

/** Where the keys that seal private keys come from; the first one seals, the others still open. */
export type SecretsKeys = {
  /** None where none was needed yet. */
  read(): readonly Buffer[]
  /** Makes one where there is none; what is new is then either kept or forgotten. */
  readOrMake(): { keep(): void; forget(): void }
  /** Who has another one, in words. */
  whose: string
}

const keyBytes = 32
const nothingNew = { keep() {}, forget() {} }

/** From SECRETS_KEY. */
export function givenKeys(read: () => readonly Buffer[]): SecretsKeys {
  return { read, readOrMake: () => nothingNew, whose: 'SECRETS_KEY of this process is not it' }
}

/** From a file of DATA_DIR: until there is something to seal, nothing is written there; `tell` is told of the file then. */
export function keptKeys(dataDir: string, tell: (file: string) => void): SecretsKeys {
  const name = 'secrets.key'
  const file = join(dataDir, name)
  let known: readonly Buffer[] = []
  const know = (text: string) => {
    const key = Buffer.from(text, 'base64')
    if (key.length !== keyBytes) throw damaged(file)
    known = [key]
  }
  const read = () => {
    const text = known.length > 0 ? null : readKept(dataDir, file)
    if (text !== null) know(text)
    return known
  }
  return {
    read,
    readOrMake() {
      if (read().length > 0) return nothingNew
      let made = ''
      const text = keepFile(dataDir, name, () => {
        made = randomBytes(keyBytes).toString('base64')
        return made
      })
      know(text)
      // What another process has made there is not ours to remove.
      if (text !== made) return nothingNew
      return {
        keep: () => tell(file),
        forget() {
          rmSync(file)
          known = []
        },
      }
    },
    whose: `this process has no SECRETS_KEY, and ${file} is not it`,
  }
}

function readKept(dataDir: string, file: string): string | null {
  try {
    return readFile(file)
  } catch (error) {
    throw refusalOfDataDir(dataDir, error)
  }
}

function damaged(file: string): StartRefused {
  return new StartRefused(
    `${file} is damaged: restore it, since it opens the private keys in the database. If it is lost, docs/domains.md tells how to go on without it.`,
  )
}
