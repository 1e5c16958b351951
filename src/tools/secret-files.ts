import { readFileSync } from 'node:fs'
import { StartRefused } from './tools/start-refused.ts'

const secrets = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL', 'OPERATOR_KEY', 'SECRETS_KEY']

/** Reads a secret from the file that NAME_FILE names, so that the environment does not show it. */
export function withSecretsFromFiles(env: Record<string, string | undefined>): typeof env {
  const read = secrets.flatMap(name => {
    const file = env[`${name}_FILE`]
    if (file === undefined) return []
    if (env[name] !== undefined)
      throw new StartRefused(`Either ${name} or ${name}_FILE may be set, not both.`)
    return [[name, readSecret(`${name}_FILE`, file)] as const]
  })
  return { ...env, ...Object.fromEntries(read) }
}

function readSecret(name: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text !== '') return text
  } catch (error) {
    throw new StartRefused(`${name} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
  throw new StartRefused(`${name} names an empty file: ${file}.`)
}
