import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartRefused } from '../tools/start-refused.ts'

export type DataDirLock = { release(): void }

/** Keeps references to the locks, because a garbage-collected lock is released while the process still writes. */
const held = new Set<DatabaseSync>()

/**
 * Locks the folder for this process. The operating system holds the lock through SQLite and releases it however the
 * process ends, so two processes can never have it. A file beside the lock names the process that has it.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const holderFile = join(dataDir, 'lock')
  const lock = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: 0 })
  try {
    // BEGIN IMMEDIATE reserves the file, which only one process can do. An exclusive lock takes two steps, between
    // which two processes could block each other.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === 5)) throw error
    throw new StartRefused(`The data in ${dataDir} is in use by ${holder(holderFile)}.`)
  }
  held.add(lock)
  const own = { pid: process.pid, since: new Date().toISOString() }
  writeFileSync(holderFile, `${JSON.stringify(own)}\n`, { mode: 0o600 })
  return {
    release() {
      rmSync(holderFile, { force: true })
      held.delete(lock)
      lock.close()
    },
  }
}

function holder(file: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(file, 'utf8'))
    return `process ${pid}, running since ${since}; stop it first, or give this process another DATA_DIR`
  } catch {
    return 'another process, which is just starting or stopping'
  }
}
