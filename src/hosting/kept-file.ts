import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a secret file of DATA_DIR, and reads what is there: of processes that make it at once, all read the same one. */
export function keepFile(dataDir: string, name: string, make: () => string): string {
  const file = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  // On the disk itself before anything can be sealed with it.
  writeFileSync(draft, make(), { mode: 0o600, flush: true })
  try {
    // A link appears whole or not at all, and never over a file that is there already.
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

/** Null where there is none. */
export function readFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return null
    throw error
  }
}
