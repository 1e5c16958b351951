import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The environment, and under it the file .env. */
export function readSettings(): Record<string, string | undefined> {
  return existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...process.env } : process.env
}
