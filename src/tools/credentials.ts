import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the first start hands to whoever tries the service; only the owner of the files may read it. */
export type Credentials = {
  /** Where the service last listened on this machine, for the command line. */
  url?: string
  operatorKey: string | null
  project: string
  apiKey: string
}

const fileIn = (dataDir: string) => join(dataDir, 'credentials.json')

export function readCredentials(dataDir: string): Credentials | null {
  const file = fileIn(dataDir)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Credentials) : null
}

export function writeCredentials(dataDir: string, credentials: Credentials): void {
  const file = fileIn(dataDir)
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}
