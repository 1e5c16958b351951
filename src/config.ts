import * as v from 'valibot'
import { readAuthorities } from './config-authorities.ts'
import {
  addresses,
  caaIdentities,
  count,
  databaseAddress,
  directories,
  dnsServers,
  externalAccounts,
  issuerAddress,
  mailServer,
  networks,
  onOff,
  operatorKeys,
  port,
  processCount,
  redisAddress,
  seconds,
  secretsKeys,
  share,
  suffixes,
  trustProxy,
  webAddress,
} from './config-values.ts'
import { secretFilesOf, withSecretsFromFiles } from './tools/secret-files.ts'
import { StartRefused } from './tools/start-refused.ts'

const variables = v.object({
  HOST: v.optional(v.string(), '127.0.0.1'),
  PORT: v.optional(port('PORT', 1), '4000'),
  PROCESSES: v.optional(processCount('PROCESSES')),
  DRAIN_SECONDS: v.optional(seconds('DRAIN_SECONDS'), '5'),
  OPS_PORT: v.optional(port('OPS_PORT', 0), '0'),
  OPS_HOST: v.optional(v.string(), '127.0.0.1'),
  PUBLIC_URL: v.optional(webAddress('PUBLIC_URL')),
  STAGING_URL: v.optional(webAddress('STAGING_URL')),
  TRUST_PROXY: v.optional(trustProxy('TRUST_PROXY'), '0'),
  HTTPS_TRUST_PROXY: v.optional(trustProxy('HTTPS_TRUST_PROXY'), '0'),
  PROXY_PROTOCOL: v.optional(
    v.picklist(['0', '1', 'http', 'https'], 'PROXY_PROTOCOL must be 0, 1, http or https.'),
    '0',
  ),
  CONNECTIONS_PER_ADDRESS: v.optional(count('CONNECTIONS_PER_ADDRESS'), '1000'),
  DATA_DIR: v.optional(v.string(), '.data'),
  DATABASE_URL: v.optional(databaseAddress('DATABASE_URL')),
  DATABASE_DIRECT_URL: v.optional(databaseAddress('DATABASE_DIRECT_URL')),
  DATABASE_POOL_SIZE: v.optional(count('DATABASE_POOL_SIZE'), '10'),
  REDIS_URL: v.optional(redisAddress('REDIS_URL')),
  REDIS_CA_FILE: v.optional(v.string()),
  OPERATOR_KEY: v.optional(operatorKeys),
  OIDC_ISSUER: v.optional(issuerAddress('OIDC_ISSUER')),
  OIDC_CLIENT_ID: v.optional(v.string()),
  OIDC_CLIENT_SECRET: v.optional(v.string()),
  SMTP_URL: v.optional(mailServer('SMTP_URL')),
  MAIL_FROM: v.optional(v.pipe(v.string(), v.email('MAIL_FROM must be an e-mail address.'))),
  SEED_DEMO: v.optional(onOff('SEED_DEMO'), '0'),
  DNS_SERVERS: v.optional(dnsServers),
  DOMAIN_SUFFIXES: v.optional(suffixes),
  PLATFORM_ADDRESSES: v.optional(addresses),
  ACME_DIRECTORY_URL: v.optional(directories),
  ACME_EMAIL: v.optional(v.pipe(v.string(), v.email('ACME_EMAIL must be an e-mail address.'))),
  ACME_CA_FILE: v.optional(v.string()),
  ACME_EAB: v.optional(externalAccounts),
  ACME_CAA_IDENTITIES: v.optional(caaIdentities),
  CERTIFICATE_ORDERS_PER_HOUR: v.optional(count('CERTIFICATE_ORDERS_PER_HOUR'), '50'),
  CERTIFICATE_ORDERS_PER_DAY: v.optional(count('CERTIFICATE_ORDERS_PER_DAY'), '100'),
  SECRETS_KEY: v.optional(secretsKeys),
  HTTPS_PORT: v.optional(port('HTTPS_PORT', 0)),
  HTTPS_REDIRECT: v.optional(onOff('HTTPS_REDIRECT'), '1'),
  BAN_REFUSALS_FACTOR: v.optional(count('BAN_REFUSALS_FACTOR'), '3'),
  BAN_SECONDS: v.optional(seconds('BAN_SECONDS', 1), '300'),
  PLATFORM_HOST: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/,
        'PLATFORM_HOST must be a domain name in lower case, like animals.example.com.',
      ),
    ),
    'animals.localhost',
  ),
  GRAPHQL_INTROSPECTION: v.optional(onOff('GRAPHQL_INTROSPECTION'), '1'),
  GRAPHQL_SANDBOX: v.optional(onOff('GRAPHQL_SANDBOX'), '1'),
  WARM_UP: v.optional(onOff('WARM_UP'), '1'),
  WEBHOOK_NETWORKS: v.optional(networks),
  GITHUB_LEAK_KEYS: v.optional(v.string()),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    ),
    'info',
  ),
  LOG_REQUESTS: v.optional(share('LOG_REQUESTS'), '1'),
  LOG_ADDRESSES: v.optional(
    v.picklist(['whole', 'truncated', 'none'], 'LOG_ADDRESSES must be whole, truncated or none.'),
    'truncated',
  ),
})

/** The names of all settings; .env.example documents each. */
export const settingNames = Object.keys(variables.entries)

export type Config = ReturnType<typeof readConfig>

/** Reads and validates the environment. An empty or blank variable counts as absent. */
export function readConfig(env: Record<string, string | undefined>) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''))
  const secretFiles = secretFilesOf(present)
  const given = withSecretsFromFiles(present, secretFiles)
  const validated = v.safeParse(variables, given, { abortPipeEarly: true })
  if (!validated.success) throw new StartRefused(validated.issues.map(issue => issue.message).join('\n'))
  const { output } = validated
  const isEmbedded = output.DATABASE_URL === undefined
  const servesCertificates = output.ACME_DIRECTORY_URL !== undefined || Boolean(output.HTTPS_PORT)
  if (!isEmbedded && servesCertificates && !output.SECRETS_KEY) {
    throw new StartRefused(
      'SECRETS_KEY is needed if DATABASE_URL is set together with ACME_DIRECTORY_URL or HTTPS_PORT: all processes encrypt private keys with it (openssl rand -base64 32).',
    )
  }
  if (output.PROCESSES !== undefined && (isEmbedded || !output.REDIS_URL)) {
    throw new StartRefused(
      'PROCESSES needs DATABASE_URL and REDIS_URL: several processes share their data in PostgreSQL and count the limits in Redis.',
    )
  }
  if (Boolean(output.OIDC_ISSUER) !== Boolean(output.OIDC_CLIENT_ID)) {
    throw new StartRefused('OIDC_ISSUER and OIDC_CLIENT_ID must be set together.')
  }
  if (Boolean(output.SMTP_URL) !== Boolean(output.MAIL_FROM)) {
    throw new StartRefused('SMTP_URL and MAIL_FROM must be set together.')
  }
  return {
    host: output.HOST,
    port: output.PORT,
    /** Null: a single process serves, without a parent process. */
    processes: output.PROCESSES ?? null,
    drainSeconds: output.DRAIN_SECONDS,
    opsPort: output.OPS_PORT,
    opsHost: output.OPS_HOST,
    publicUrl: output.PUBLIC_URL ?? `http://localhost:${output.PORT}`,
    stagingUrl: output.STAGING_URL ?? null,
    /** URL or file of GitHub's keys for secret scanning; null: reports of leaked keys are not accepted. */
    githubLeakKeys: output.GITHUB_LEAK_KEYS ?? null,
    /**
     * Each listener has its own setting. If a balancer passes TLS through, the client itself writes the headers of
     * HTTPS requests, so they must not be trusted.
     */
    trustProxy: { http: output.TRUST_PROXY, https: output.HTTPS_TRUST_PROXY },
    proxyProtocol: {
      http: ['1', 'http'].includes(output.PROXY_PROTOCOL),
      https: ['1', 'https'].includes(output.PROXY_PROTOCOL),
    },
    connectionsPerAddress: output.CONNECTIONS_PER_ADDRESS,
    dataDir: output.DATA_DIR,
    secretFiles,
    databaseUrl: output.DATABASE_URL ?? null,
    databaseDirectUrl: output.DATABASE_DIRECT_URL ?? null,
    databasePoolSize: output.DATABASE_POOL_SIZE,
    redisUrl: output.REDIS_URL ?? null,
    redisCaFile: output.REDIS_CA_FILE ?? null,
    operatorKeys: output.OPERATOR_KEY ?? [],
    /** Null: no identity provider is configured. */
    oidc:
      output.OIDC_ISSUER && output.OIDC_CLIENT_ID
        ? {
            issuer: output.OIDC_ISSUER,
            clientId: output.OIDC_CLIENT_ID,
            clientSecret: output.OIDC_CLIENT_SECRET ?? null,
          }
        : null,
    /** Null: the service sends no mail. */
    mail: output.SMTP_URL && output.MAIL_FROM ? { url: output.SMTP_URL, from: output.MAIL_FROM } : null,
    seedDemo: output.SEED_DEMO,
    webhookNetworks: output.WEBHOOK_NETWORKS ?? [],
    hosting: {
      dnsServers: output.DNS_SERVERS ?? null,
      suffixes: output.DOMAIN_SUFFIXES ?? [],
      platformAddresses: output.PLATFORM_ADDRESSES ?? [],
      acme: output.ACME_DIRECTORY_URL
        ? {
            authorities: readAuthorities({
              directories: output.ACME_DIRECTORY_URL,
              email: output.ACME_EMAIL ?? null,
              externalAccounts: output.ACME_EAB ?? [],
              caaIdentities: output.ACME_CAA_IDENTITIES ?? [],
            }),
            caFile: output.ACME_CA_FILE ?? null,
          }
        : null,
      orderBounds: {
        perHour: output.CERTIFICATE_ORDERS_PER_HOUR,
        perDay: output.CERTIFICATE_ORDERS_PER_DAY,
      },
      secretsKeys: output.SECRETS_KEY ?? null,
      // Derived from PORT, so that two services on one machine use different ports.
      httpsPort: output.HTTPS_PORT ?? (isEmbedded && output.PORT < 65_000 ? output.PORT + 443 : 0),
      httpsRedirect: output.HTTPS_REDIRECT,
    },
    ban: { refusalsFactor: output.BAN_REFUSALS_FACTOR, seconds: output.BAN_SECONDS, maxSeconds: 3600 },
    platformHost: output.PLATFORM_HOST,
    graphqlIntrospection: output.GRAPHQL_INTROSPECTION,
    graphqlSandbox: output.GRAPHQL_SANDBOX,
    warmUp: output.WARM_UP,
    logLevel: output.LOG_LEVEL,
    log: { requests: output.LOG_REQUESTS, addresses: output.LOG_ADDRESSES },
  }
}
