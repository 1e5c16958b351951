import { isIP } from 'node:net'
import { z } from 'zod'
import { StartRefused } from './tools/start-refused.ts'

const port = (name: string, least: number) =>
  z.coerce
    .number(`${name} must be a whole number.`)
    .int(`${name} must be a whole number.`)
    .min(least, `${name} must be at least ${least}.`)
    .max(65535, `${name} must be at most 65535.`)

const count = (name: string) =>
  z.coerce
    .number(`${name} must be a whole number above 0.`)
    .int(`${name} must be a whole number above 0.`)
    .positive(`${name} must be a whole number above 0.`)

const address = (name: string, protocol: RegExp, kind: string) =>
  z.url({ protocol, error: `${name} must be ${kind}.` })

const webAddress = (name: string) =>
  address(name, /^https?$/, 'an http or https address').transform(url => url.replace(/\/+$/, ''))

const onOff = (name: string) =>
  z.enum(['0', '1'], `${name} must be 0 or 1.`).transform(value => value === '1')

/** How many proxies stand in front, or which addresses they have; anyone else's X-Forwarded-For is ignored. */
const trustProxy = z.string().transform((text, context) => {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const proxies = text.split(',').map(part => part.trim())
  if (proxies.every(proxy => isIP(proxy.split('/')[0] ?? '') !== 0)) return proxies
  context.addIssue(
    'TRUST_PROXY must be a number of proxies, or their addresses or subnets separated by commas.',
  )
  return z.NEVER
})

/** Several at once while they are changed: the first seals, the others still open what is sealed already. */
const secretsKeys = z.string().transform((text, context) => {
  const keys = text
    .split(',')
    .map(part => Buffer.from(part.trim(), /^[0-9a-f]{64}$/i.test(part.trim()) ? 'hex' : 'base64'))
  if (keys.every(key => key.length === 32)) return keys
  context.addIssue(
    'SECRETS_KEY must be 32 random bytes in base64 or hexadecimal; several are separated by commas.',
  )
  return z.NEVER
})

const dnsServers = z.string().transform((text, context) => {
  const servers = text.split(',').map(part => readServer(part.trim()))
  if (servers.every(server => server !== null)) return servers
  context.addIssue('DNS_SERVERS must be addresses, each with a port if it is not 53, separated by commas.')
  return z.NEVER
})

function readServer(text: string): { address: string; port: number } | null {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([0-9.]+|[0-9a-f:]+?))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const address = isIP(text) ? text : (bracketed ?? plain ?? '')
  return isIP(address) ? { address, port: isIP(text) ? 53 : Number(port ?? 53) } : null
}

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port('PORT', 1).default(4000),
  OPS_PORT: port('OPS_PORT', 0).default(0),
  PUBLIC_URL: webAddress('PUBLIC_URL').optional(),
  STAGING_URL: webAddress('STAGING_URL').optional(),
  TRUST_PROXY: trustProxy.default(0),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: address('DATABASE_URL', /^postgres(ql)?$/, 'a postgresql:// address').optional(),
  DATABASE_POOL_SIZE: count('DATABASE_POOL_SIZE').default(10),
  REDIS_URL: z
    .string()
    .regex(
      /^rediss?:\/\/[^\s,]+(,rediss?:\/\/[^\s,]+)*$/,
      'REDIS_URL must be a redis:// or rediss:// address, or several of a cluster separated by commas.',
    )
    .optional(),
  OPERATOR_KEY: z.string().min(32, 'OPERATOR_KEY must have at least 32 characters.').optional(),
  SEED_DEMO: onOff('SEED_DEMO').default(false),
  DNS_SERVERS: dnsServers.optional(),
  ACME_DIRECTORY_URL: address('ACME_DIRECTORY_URL', /^https$/, 'an https address').optional(),
  ACME_EMAIL: z.email('ACME_EMAIL must be an e-mail address.').optional(),
  ACME_CA_FILE: z.string().optional(),
  SECRETS_KEY: secretsKeys.optional(),
  HTTPS_PORT: port('HTTPS_PORT', 0).optional(),
  HTTPS_REDIRECT: onOff('HTTPS_REDIRECT').default(true),
  BAN_REFUSALS_FACTOR: count('BAN_REFUSALS_FACTOR').default(3),
  BAN_SECONDS: count('BAN_SECONDS').default(300),
  PLATFORM_HOST: z
    .string()
    .regex(
      /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
      'PLATFORM_HOST must be a domain name in lower case, like animals.example.com.',
    )
    .default('animals.localhost'),
  GRAPHQL_INTROSPECTION: onOff('GRAPHQL_INTROSPECTION').default(true),
  GRAPHQL_SANDBOX: onOff('GRAPHQL_SANDBOX').default(true),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    )
    .default('info'),
})

export type Config = ReturnType<typeof readConfig>

/** Judges the environment once; an empty variable counts as absent. */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const judged = variables.safeParse(given)
  if (!judged.success) throw new StartRefused(judged.error.issues.map(issue => issue.message).join('\n'))
  const v = judged.data
  const isEmbedded = v.DATABASE_URL === undefined
  if (!isEmbedded && v.ACME_DIRECTORY_URL && !v.SECRETS_KEY) {
    throw new StartRefused(
      'SECRETS_KEY is needed with ACME_DIRECTORY_URL: all processes seal private keys with it.',
    )
  }
  return {
    host: v.HOST,
    port: v.PORT,
    opsPort: v.OPS_PORT,
    publicUrl: v.PUBLIC_URL ?? `http://localhost:${v.PORT}`,
    stagingUrl: v.STAGING_URL ?? null,
    trustProxy: v.TRUST_PROXY,
    dataDir: v.DATA_DIR,
    databaseUrl: v.DATABASE_URL ?? null,
    databasePoolSize: v.DATABASE_POOL_SIZE,
    redisUrl: v.REDIS_URL ?? null,
    operatorKey: v.OPERATOR_KEY ?? null,
    seedDemo: v.SEED_DEMO,
    hosting: {
      dnsServers: v.DNS_SERVERS ?? null,
      acme: v.ACME_DIRECTORY_URL
        ? { directoryUrl: v.ACME_DIRECTORY_URL, email: v.ACME_EMAIL ?? null, caFile: v.ACME_CA_FILE ?? null }
        : null,
      secretsKeys: v.SECRETS_KEY ?? null,
      // Beside PORT, so that two services on one machine do not meet.
      httpsPort: v.HTTPS_PORT ?? (isEmbedded && v.PORT < 65_000 ? v.PORT + 443 : 0),
      httpsRedirect: v.HTTPS_REDIRECT,
    },
    ban: { refusalsFactor: v.BAN_REFUSALS_FACTOR, seconds: v.BAN_SECONDS, maxSeconds: 3600 },
    platformHost: v.PLATFORM_HOST,
    graphqlIntrospection: v.GRAPHQL_INTROSPECTION,
    graphqlSandbox: v.GRAPHQL_SANDBOX,
    logLevel: v.LOG_LEVEL,
  }
}
