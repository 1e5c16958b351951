import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, Refused } from './exit.ts'

export type Environment = Record<string, string | undefined>
export type Connection = { url: string; key: string }
type Credentials = { operatorKey: string | null; apiKey: string }

/** Where the service is and with which key: from the environment, or from what a local service has left on disk. */
export function findConnection(env: Environment, role: 'owner' | 'operator'): Connection {
  const url = (env.ANIMAL_STORE_URL || 'http://localhost:4000').replace(/\/+$/, '')
  if (env.ANIMAL_STORE_KEY) return { url, key: env.ANIMAL_STORE_KEY }
  const credentials = isLocal(url) ? readCredentials(env.DATA_DIR || '.data') : null
  const key = role === 'operator' ? credentials?.operatorKey : credentials?.apiKey
  if (key) return { url, key }
  throw new Refused(
    `There is no key for ${url}: set ANIMAL_STORE_KEY${role === 'operator' ? " to the operator's key" : ''}.`,
    exitCodes.notAllowed,
  )
}

/** Keys found on this machine are for this machine. */
function isLocal(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}

function readCredentials(dataDir: string): Credentials | null {
  const file = join(dataDir, 'credentials.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Credentials) : null
}
