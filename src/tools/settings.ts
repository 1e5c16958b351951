import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Returns the environment, completed by variables of the file .env. */
export function readSettings(): Record<string, string | undefined> {
  return existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...process.env } : process.env
}
