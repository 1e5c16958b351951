import { readFileSync } from 'node:fs'
import { StartRefused } from './start-refused.ts'

const secrets = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'OPERATOR_KEY',
  'SECRETS_KEY',
  'ACME_EAB',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
]

/** The files of the secrets, by variable. */
export type SecretFiles = Readonly<Record<string, string>>

export function secretFilesOf(env: Record<string, string | undefined>): SecretFiles {
  return Object.fromEntries(
    secrets.flatMap(name => {
      const file = env[`${name}_FILE`]
      return file === undefined ? [] : [[name, file] as const]
    }),
  )
}

/** Reads each secret from the file that NAME_FILE names, so that the environment does not contain it. */
export function withSecretsFromFiles(
  env: Record<string, string | undefined>,
  files: SecretFiles,
): typeof env {
  const read = Object.entries(files).map(([name, file]) => {
    if (env[name] !== undefined)
      throw new StartRefused(`Either ${name} or ${name}_FILE may be set, not both.`)
    return [name, readSecret(`${name}_FILE`, file)] as const
  })
  return { ...env, ...Object.fromEntries(read) }
}

/** Reads a secret's file again; null if the secret has no file. Throws a StartRefused if the file cannot be read. */
export function readSecretAgain(files: SecretFiles, name: string): string | null {
  const file = files[name]
  return file === undefined ? null : readSecret(`${name}_FILE`, file)
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
