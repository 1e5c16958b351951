import { isIP } from 'node:net'
import * as v from 'valibot'
import { readAddresses } from './database/addresses.ts'
import { readRedisAddress } from './limiter/redis-address.ts'
import { withSecretsFromFiles } from './secret-files.ts'
import { StartRefused } from './tools/start-refused.ts'

const number = (problem: string) =>
  v.pipe(v.string(), v.transform(Number), v.number(problem), v.integer(problem))

const port = (name: string, least: number) =>
  v.pipe(
    number(`${name} must be a whole number.`),
    v.minValue(least, `${name} must be at least ${least}.`),
    v.maxValue(65535, `${name} must be at most 65535.`),
  )

const count = (name: string) => {
  const problem = `${name} must be a whole number above 0.`
  return v.pipe(number(problem), v.minValue(1, problem))
}

/** Up to an hour. */
const seconds = (name: string) => {
  const problem = `${name} must be a whole number from 0 to 3600.`
  return v.pipe(number(problem), v.minValue(0, problem), v.maxValue(3600, problem))
}

const address = (name: string, protocol: RegExp, kind: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check(text => protocol.test(text) && URL.canParse(text), `${name} must be ${kind}.`),
  )

const webAddress = (name: string) =>
  v.pipe(
    address(name, /^https?:\/\//i, 'an http or https address'),
    v.transform(url => url.replace(/\/+$/, '')),
  )

const onOff = (name: string) =>
  v.pipe(
    v.picklist(['0', '1'], `${name} must be 0 or 1.`),
    v.transform(value => value === '1'),
  )

/** What `read` makes of a text, or the problem where that is null. */
const readAs = <Read>(read: (text: string) => Read | null, problem: string) =>
  v.pipe(
    v.string(),
    v.rawTransform<string, Read>(({ dataset, addIssue, NEVER }) => {
      const found = read(dataset.value)
      if (found !== null) return found
      addIssue({ message: problem })
      return NEVER
    }),
  )

/** How many proxies stand in front, or which addresses they have; anyone else's X-Forwarded-For is ignored. */
const trustProxy = (name: string) =>
  readAs(text => {
    if (/^\d{1,2}$/.test(text)) return Number(text)
    const proxies = text.split(',').map(part => part.trim())
    return proxies.every(proxy => isIP(proxy.split('/')[0] ?? '') !== 0) ? proxies : null
  }, `${name} must be a number of proxies, or their addresses or subnets separated by commas.`)

/** Several at once while they are changed: the first seals, the others still open what is sealed already. */
const secretsKeys = readAs(text => {
  const keys = text
    .split(',')
    .map(part => Buffer.from(part.trim(), /^[0-9a-f]{64}$/i.test(part.trim()) ? 'hex' : 'base64'))
  return keys.every(key => key.length === 32) ? keys : null
}, 'SECRETS_KEY must be 32 random bytes in base64 or hexadecimal; several are separated by commas.')

/** The address stays a text, and is read where the database is opened. */
const databaseAddress = (name: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.rawCheck(({ dataset, addIssue }) => {
      const read = dataset.typed ? readAddresses(dataset.value) : null
      if (read === null) addIssue({ message: `${name} must be a postgresql:// address.` })
      if (typeof read === 'string') addIssue({ message: `${name} ${read}` })
    }),
  )

const dnsServers = readAs(text => {
  const servers = text.split(',').map(part => readServer(part.trim()))
  return servers.every(server => server !== null) ? servers : null
}, 'DNS_SERVERS must be addresses, each with a port if it is not 53, separated by commas.')

function readServer(text: string): { address: string; port: number } | null {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([0-9.]+|[0-9a-f:]+?))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const address = isIP(text) ? text : (bracketed ?? plain ?? '')
  return isIP(address) ? { address, port: isIP(text) ? 53 : Number(port ?? 53) } : null
}

const addresses = readAs(text => {
  const all = text.split(',').map(part => part.trim().toLowerCase())
  return all.length <= 4 && all.every(one => isIP(one) !== 0) ? all.map(canonicalAddress) : null
}, 'PLATFORM_ADDRESSES must be up to four IPv4 and IPv6 addresses separated by commas.')

/** The one spelling in which DNS answers are compared. */
function canonicalAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

const suffixes = readAs(text => {
  const names = text.split(',').map(part => part.trim().toLowerCase().replace(/^\./, ''))
  return names.every(name => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)) ? names : null
}, 'DOMAIN_SUFFIXES must be names like test or customers.example, separated by commas.')

const variables = v.object({
  HOST: v.optional(v.string(), '127.0.0.1'),
  PORT: v.optional(port('PORT', 1), '4000'),
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
  DATA_DIR: v.optional(v.string(), '.data'),
  DATABASE_URL: v.optional(databaseAddress('DATABASE_URL')),
  DATABASE_DIRECT_URL: v.optional(databaseAddress('DATABASE_DIRECT_URL')),
  DATABASE_POOL_SIZE: v.optional(count('DATABASE_POOL_SIZE'), '10'),
  REDIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => readRedisAddress(text) !== null,
        'REDIS_URL must be a redis:// or rediss:// address, several of a cluster separated by commas, rediss+sentinel://HOST,HOST/NAME, or unix:///PATH.',
      ),
    ),
  ),
  REDIS_CA_FILE: v.optional(v.string()),
  OPERATOR_KEY: v.optional(
    v.pipe(v.string(), v.minLength(32, 'OPERATOR_KEY must have at least 32 characters.')),
  ),
  SEED_DEMO: v.optional(onOff('SEED_DEMO'), '0'),
  DNS_SERVERS: v.optional(dnsServers),
  DOMAIN_SUFFIXES: v.optional(suffixes),
  PLATFORM_ADDRESSES: v.optional(addresses),
  ACME_DIRECTORY_URL: v.optional(address('ACME_DIRECTORY_URL', /^https:\/\//i, 'an https address')),
  ACME_EMAIL: v.optional(v.pipe(v.string(), v.email('ACME_EMAIL must be an e-mail address.'))),
  ACME_CA_FILE: v.optional(v.string()),
  CERTIFICATE_ORDERS_PER_HOUR: v.optional(count('CERTIFICATE_ORDERS_PER_HOUR'), '50'),
  CERTIFICATE_ORDERS_PER_DAY: v.optional(count('CERTIFICATE_ORDERS_PER_DAY'), '100'),
  SECRETS_KEY: v.optional(secretsKeys),
  HTTPS_PORT: v.optional(port('HTTPS_PORT', 0)),
  HTTPS_REDIRECT: v.optional(onOff('HTTPS_REDIRECT'), '1'),
  BAN_REFUSALS_FACTOR: v.optional(count('BAN_REFUSALS_FACTOR'), '3'),
  BAN_SECONDS: v.optional(count('BAN_SECONDS'), '300'),
  PLATFORM_HOST: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
        'PLATFORM_HOST must be a domain name in lower case, like animals.example.com.',
      ),
    ),
    'animals.localhost',
  ),
  GRAPHQL_INTROSPECTION: v.optional(onOff('GRAPHQL_INTROSPECTION'), '1'),
  GRAPHQL_SANDBOX: v.optional(onOff('GRAPHQL_SANDBOX'), '1'),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    ),
    'info',
  ),
})

export type Config = ReturnType<typeof readConfig>

/** Judges the environment once; an empty variable counts as absent. */
export function readConfig(env: Record<string, string | undefined>) {
  const given = withSecretsFromFiles(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  )
  const judged = v.safeParse(variables, given, { abortPipeEarly: true })
  if (!judged.success) throw new StartRefused(judged.issues.map(issue => issue.message).join('\n'))
  const { output } = judged
  const isEmbedded = output.DATABASE_URL === undefined
  const servesCertificates = output.ACME_DIRECTORY_URL !== undefined || Boolean(output.HTTPS_PORT)
  if (!isEmbedded && servesCertificates && !output.SECRETS_KEY) {
    throw new StartRefused(
      'SECRETS_KEY is needed with DATABASE_URL and ACME_DIRECTORY_URL or HTTPS_PORT: all processes seal private keys with it (openssl rand -base64 32).',
    )
  }
  return {
    host: output.HOST,
    port: output.PORT,
    drainSeconds: output.DRAIN_SECONDS,
    opsPort: output.OPS_PORT,
    opsHost: output.OPS_HOST,
    publicUrl: output.PUBLIC_URL ?? `http://localhost:${output.PORT}`,
    stagingUrl: output.STAGING_URL ?? null,
    /** By listener: over TLS that is passed through unopened, a client writes its headers itself. */
    trustProxy: { http: output.TRUST_PROXY, https: output.HTTPS_TRUST_PROXY },
    proxyProtocol: {
      http: ['1', 'http'].includes(output.PROXY_PROTOCOL),
      https: ['1', 'https'].includes(output.PROXY_PROTOCOL),
    },
    dataDir: output.DATA_DIR,
    databaseUrl: output.DATABASE_URL ?? null,
    databaseDirectUrl: output.DATABASE_DIRECT_URL ?? null,
    databasePoolSize: output.DATABASE_POOL_SIZE,
    redisUrl: output.REDIS_URL ?? null,
    redisCaFile: output.REDIS_CA_FILE ?? null,
    operatorKey: output.OPERATOR_KEY ?? null,
    seedDemo: output.SEED_DEMO,
    hosting: {
      dnsServers: output.DNS_SERVERS ?? null,
      suffixes: output.DOMAIN_SUFFIXES ?? [],
      platformAddresses: output.PLATFORM_ADDRESSES ?? [],
      acme: output.ACME_DIRECTORY_URL
        ? {
            directoryUrl: output.ACME_DIRECTORY_URL,
            email: output.ACME_EMAIL ?? null,
            caFile: output.ACME_CA_FILE ?? null,
          }
        : null,
      orderBounds: {
        perHour: output.CERTIFICATE_ORDERS_PER_HOUR,
        perDay: output.CERTIFICATE_ORDERS_PER_DAY,
      },
      secretsKeys: output.SECRETS_KEY ?? null,
      // Beside PORT, so that two services on one machine do not meet.
      httpsPort: output.HTTPS_PORT ?? (isEmbedded && output.PORT < 65_000 ? output.PORT + 443 : 0),
      httpsRedirect: output.HTTPS_REDIRECT,
    },
    ban: { refusalsFactor: output.BAN_REFUSALS_FACTOR, seconds: output.BAN_SECONDS, maxSeconds: 3600 },
    platformHost: output.PLATFORM_HOST,
    graphqlIntrospection: output.GRAPHQL_INTROSPECTION,
    graphqlSandbox: output.GRAPHQL_SANDBOX,
    logLevel: output.LOG_LEVEL,
  }
}
