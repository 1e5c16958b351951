import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from './start-refused.ts'

/** The keys that the first start made, in a file that only its owner can read. */
export type Credentials = {
  /** The service's last address on this machine, for the command line. */
  url?: string
  operatorKey: string | null
  project: string
  apiKey: string
}

const fileIn = (dataDir: string) => join(dataDir, 'credentials.json')

export function readCredentials(dataDir: string): Credentials | null {
  const file = fileIn(dataDir)
  if (!existsSync(file)) return null
  const stored = parse(readFileSync(file, 'utf8'))
  if (typeof stored?.apiKey === 'string') return stored
  throw new StartRefused(
    `${file} is damaged: restore it, or delete it and get another key for the demo project.`,
  )
}

function parse(text: string): Credentials | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Replaces the file in one step: after half a write, the service would refuse to start. The caller holds a lock, because
 * the draft has one name: so the next write replaces the draft of a process that was killed.
 */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  const file = fileIn(dataDir)
  const draft = `${file}.part`
  try {
    // Without `flush`, node ignores that a full disk has taken only a part of the text.
    writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

export function removeCredentials(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true })
}
