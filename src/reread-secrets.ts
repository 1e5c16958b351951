import * as v from 'valibot'
import { requireKnownHosts, valuesOf } from './config-authorities.ts'
import {
  databaseAddress,
  externalAccounts,
  mailServer,
  operatorKeys,
  redisAddress,
  secretsKeys,
} from './config-values.ts'
import { setCredentials } from './limiter/redis.ts'
import { readSecretAgain } from './tools/secret-files.ts'
import { StartRefused } from './tools/start-refused.ts'
import type { Tools } from './tools.ts'

/**
 * Handles SIGHUP: reads the files of the secrets again. An invalid value changes nothing. New connections to PostgreSQL
 * and Redis use the new addresses; open connections stay open.
 */
export function rereadSecrets(tools: Tools): void {
  const { config, log } = tools
  const read: string[] = []
  // `use` may return false if the value has not changed.
  const reread = <T>(name: string, form: v.GenericSchema<string, T>, use: (value: T) => unknown) => {
    try {
      const text = readSecretAgain(config.secretFiles, name)
      if (text === null) return
      const parsed = v.safeParse(form, text)
      if (!parsed.success) throw new StartRefused(parsed.issues[0].message)
      if (use(parsed.output) !== false) read.push(name)
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error
      log.error(`SIGHUP: ${error.message} The old value is kept.`)
    }
  }
  reread('OPERATOR_KEY', operatorKeys, keys => {
    tools.operatorKeys = keys
  })
  reread('SECRETS_KEY', secretsKeys, keys => {
    const { seal } = tools.hosting
    const before = seal.fingerprints().join()
    config.hosting.secretsKeys = keys
    // The number of secrets that are sealed with an older key is unknown until a scan with the new keys.
    if (seal.fingerprints().join() !== before) tools.metrics.sealed.older = null
  })
  reread('OIDC_CLIENT_SECRET', v.string(), secret => {
    if (config.oidc) config.oidc.clientSecret = secret
  })
  reread('SMTP_URL', mailServer('SMTP_URL'), url => {
    if (config.mail) config.mail.url = url
  })
  reread('ACME_EAB', externalAccounts, given => {
    const authorities = config.hosting.acme?.authorities ?? []
    requireKnownHosts(
      'ACME_EAB',
      given,
      authorities.map(({ directoryUrl }) => directoryUrl),
    )
    // Open accounts need no change, because the service uses an external account value only when the service opens a
    // new account at the authority.
    for (const one of authorities) one.externalAccount = valuesOf(given, one.directoryUrl)[0] ?? null
  })
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const)
    reread(name, databaseAddress(name), () => tools.database.rereadAddress(name))
  reread(
    'REDIS_URL',
    redisAddress('REDIS_URL'),
    url => tools.redis !== null && setCredentials(tools.redis, url),
  )
  log.info({ read }, 'SIGHUP: secrets were read from their files again')
}
