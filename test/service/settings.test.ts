import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, settingNames } from '../../src/config.ts'

const whole = (least: number, most: number) => ({
  taken: [String(least), String(most)],
  refused: [String(least - 1), String(most + 1), `${least}.5`, 'many', '0x10', '1e3', '+1', '1 1'],
})
const above0 = { taken: ['1'], refused: ['0', '-1', '1.5', 'many', '0x10', '1e15', '9007199254740993'] }
const onOff = { taken: ['0', '1'], refused: ['2', 'yes', 'true'] }

test.each([
  ['PORT', whole(1, 65_535)],
  ['OPS_PORT', whole(0, 65_535)],
  ['HTTPS_PORT', whole(0, 65_535)],
  ['DRAIN_SECONDS', whole(0, 3_600)],
  ['DATABASE_POOL_SIZE', above0],
  ['CERTIFICATE_ORDERS_PER_HOUR', above0],
  ['CERTIFICATE_ORDERS_PER_DAY', above0],
  ['BAN_REFUSALS_FACTOR', above0],
  ['BAN_SECONDS', whole(1, 3_600)],
  ['SEED_DEMO', onOff],
  ['HTTPS_REDIRECT', onOff],
  ['GRAPHQL_INTROSPECTION', onOff],
  ['GRAPHQL_SANDBOX', onOff],
  ['WARM_UP', onOff],
  [
    'OPERATOR_KEY',
    { taken: ['k'.repeat(32)], refused: ['k'.repeat(31), 'é'.repeat(40), 'a key '.repeat(8)] },
  ],
  [
    'TRUST_PROXY',
    {
      taken: ['0', '99', '10.0.0.1, 2001:db8::/32', '10.0.0.0/1', '10.0.0.1/32', '::/1', '2001:db8::1/128'],
      refused: [
        ...['100', '-1', '10.0.0.256', 'proxy', '10.0.0.1,proxy', '10.0.0.0/33', '::1/129', '10.0.0.0/0'],
        ...['10.0.0.0/', '10.0.0.0/x', '10.0.0.0/8/8', '1.5', '/8'],
      ],
    },
  ],
  ['HTTPS_TRUST_PROXY', { taken: ['0', '99', '10.0.0.0/8'], refused: ['100', '10.0.0.0/99'] }],
  [
    'PUBLIC_URL',
    {
      taken: ['http://a', 'HTTPS://a.example/b/'],
      refused: [
        ...['ftp://a', 'a.example', 'http://', 'xhttp://a', 'https://a?b=1', 'https://a/?', 'https://a#b'],
        ...['https://u@a', 'https://u:p@a'],
      ],
    },
  ],
  [
    'OIDC_ISSUER',
    {
      taken: [],
      refused: [
        ...['http://id.example', 'id.example', 'ftp://localhost', 'https://id.example?x=1'],
        ...['https://id.example#x', 'https://u@id.example', 'http://localhost.example'],
      ],
    },
  ],
  [
    'SMTP_URL',
    {
      taken: [],
      refused: [
        ...['http://smtp.test', 'smtp.test', 'smtp://', 'smtp://smtp.test/x', 'smtps://smtp.test?pool=true'],
        ...['smtp://smtp.test#x', 'smtp://smtp.test:0x'],
      ],
    },
  ],
  ['STAGING_URL', { taken: ['https://a.example'], refused: ['ftp://a', '/a'] }],
  ['ACME_EMAIL', { taken: ['it@shop.test'], refused: ['shop.test', 'it@'] }],
  [
    'DOMAIN_SUFFIXES',
    {
      taken: ['test', '.test, Shops.example'],
      refused: ['test..example', 'te_st', 'test,', '*.test', 'test.'],
    },
  ],
  [
    'REDIS_URL',
    {
      taken: ['redis://cache', 'rediss://cache'],
      refused: ['http://cache', 'cache:6379', 'redis://h:99999'],
    },
  ],
  [
    'DATABASE_URL',
    { taken: ['postgresql://db/x'], refused: ['mysql://db/x', 'db', 'postgresql://h:99999/x'] },
  ],
  ['DATABASE_DIRECT_URL', { taken: [' postgres://db/x'], refused: ['mysql://db/x'] }],
  [
    'LOG_LEVEL',
    { taken: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], refused: ['loud', 'INFO'] },
  ],
  [
    'PLATFORM_ADDRESSES',
    {
      taken: ['192.0.2.1', '192.0.2.1,192.0.2.2,2001:db8::1,2001:db8::2'],
      refused: ['192.0.2.1,192.0.2.2,192.0.2.3,2001:db8::1,2001:db8::2', 'shop.test', '192.0.2.1,shop.test'],
    },
  ],
  [
    'PLATFORM_HOST',
    {
      taken: ['animals.example', 'a-1.example'],
      refused: [
        'Animals.example',
        'animals',
        'animals.example.',
        '-.-',
        'a-.example',
        `${'a'.repeat(64)}.example`,
      ],
    },
  ],
  [
    'ACME_DIRECTORY_URL',
    {
      taken: ['https://ca.test/dir', 'https://ca.test/dir, https://ca.test:444/dir,https://other.test/d'],
      refused: [
        'http://ca.test/dir',
        'ca.test',
        'https://ca.test/a,https://ca.test/b',
        'https://ca.test/dir,',
      ],
    },
  ],
  [
    'ACME_EAB',
    {
      taken: ['key-1:c2VjcmV0', 'key-1:c2Vjc+/0_w=='],
      refused: ['key-1', 'c2VjcmV0 ', ':c2VjcmV0', 'key-1:', 'key-1:c2VjcmV0,', 'key-1:not base64'],
    },
  ],
  [
    'ACME_CAA_IDENTITIES',
    { taken: ['ca.test', 'CA.test,other.test'], refused: ['ca', 'ca.test,', 'https://ca.test', 'ca.test.'] },
  ],
])(
  '%s accepts values within its bounds, and the error for any other value names the setting',
  (name, { taken, refused }) => {
    for (const value of taken) expect(() => readConfig({ [name]: value })).not.toThrow()
    for (const value of refused) expect(() => readConfig({ [name]: value })).toThrow(`${name} must`)
  },
)

test('PROCESSES is auto or a number, and needs PostgreSQL and Redis', () => {
  const shared = { DATABASE_URL: 'postgresql://db/x', REDIS_URL: 'redis://cache' }

  expect(readConfig({ ...shared, PROCESSES: 'auto' }).processes).toBe(availableParallelism())
  expect(readConfig({ ...shared, PROCESSES: '3' }).processes).toBe(3)
  expect(readConfig(shared).processes).toBeNull()
  for (const value of ['0', '-1', '1.5', '1000', 'all', 'AUTO'])
    expect(() => readConfig({ ...shared, PROCESSES: value })).toThrow('PROCESSES must be auto')
  for (const name of Object.keys(shared))
    expect(() => readConfig({ ...shared, [name]: '', PROCESSES: '1' })).toThrow(
      'PROCESSES needs DATABASE_URL and REDIS_URL',
    )
})

test('OIDC_ISSUER needs OIDC_CLIENT_ID, and is kept as it is written', () => {
  const client = { OIDC_CLIENT_ID: 'animal-store' }
  for (const issuer of ['https://id.example', 'https://id.example/store/', 'http://localhost:8080'])
    expect(readConfig({ ...client, OIDC_ISSUER: issuer }).oidc).toEqual({
      ...{ issuer, clientId: 'animal-store', clientSecret: null },
    })

  expect(readConfig({}).oidc).toBeNull()
  expect(() => readConfig(client)).toThrow('OIDC_ISSUER and OIDC_CLIENT_ID must be set together.')
  expect(() => readConfig({ OIDC_ISSUER: 'https://id.example' })).toThrow('must be set together')
})

test('SMTP_URL needs MAIL_FROM, which is one e-mail address', () => {
  const from = { MAIL_FROM: 'store@shop.test' }
  for (const url of ['smtps://store:p%40ss@smtp.test', 'smtp://smtp.test:587', 'smtp://127.0.0.1:2525/'])
    expect(readConfig({ ...from, SMTP_URL: url }).mail).toEqual({ url, from: 'store@shop.test' })

  expect(readConfig({}).mail).toBeNull()
  expect(() => readConfig(from)).toThrow('SMTP_URL and MAIL_FROM must be set together.')
  expect(() => readConfig({ SMTP_URL: 'smtp://smtp.test' })).toThrow('must be set together')
  for (const address of [
    'store',
    'Store <store@shop.test>',
    'a@shop.test,b@shop.test',
    'a@shop.test\nBcc: b',
  ])
    expect(() => readConfig({ SMTP_URL: 'smtp://smtp.test', MAIL_FROM: address })).toThrow(
      'MAIL_FROM must be',
    )
})

test('each variable sets only its own setting', () => {
  const config = readConfig({
    ...{ HOST: '192.0.2.1', PORT: '4001', OPS_PORT: '4002', OPS_HOST: '192.0.2.2', DRAIN_SECONDS: '3' },
    ...{ PUBLIC_URL: 'https://animals.example/', STAGING_URL: 'https://staging.example' },
    ...{ TRUST_PROXY: '1', HTTPS_TRUST_PROXY: '2', PROXY_PROTOCOL: 'https', DATA_DIR: '/data' },
    ...{ DATABASE_POOL_SIZE: '11', BAN_REFUSALS_FACTOR: '12', BAN_SECONDS: '13' },
    ...{ CERTIFICATE_ORDERS_PER_HOUR: '14', CERTIFICATE_ORDERS_PER_DAY: '15', HTTPS_PORT: '4003' },
    ...{ HTTPS_REDIRECT: '0', GRAPHQL_SANDBOX: '0', WARM_UP: '0' },
    ...{ SEED_DEMO: '1', LOG_LEVEL: 'warn' },
    ...{ ACME_DIRECTORY_URL: 'https://ca.test/dir', ACME_EMAIL: 'it@shop.test', ACME_CA_FILE: '/ca.pem' },
    ...{ PLATFORM_ADDRESSES: '192.0.2.3,2001:DB8:0:0::1', DOMAIN_SUFFIXES: '.Test,shops.example' },
  })

  expect(config).toMatchObject({
    ...{ host: '192.0.2.1', port: 4001, opsPort: 4002, opsHost: '192.0.2.2', drainSeconds: 3 },
    ...{ publicUrl: 'https://animals.example', stagingUrl: 'https://staging.example', dataDir: '/data' },
    ...{ trustProxy: { http: 1, https: 2 }, proxyProtocol: { http: false, https: true } },
    ...{ databasePoolSize: 11, ban: { refusalsFactor: 12, seconds: 13 } },
    ...{ graphqlIntrospection: true, graphqlSandbox: false, warmUp: false },
    ...{ seedDemo: true, logLevel: 'warn' },
    hosting: {
      orderBounds: { perHour: 14, perDay: 15 },
      ...{ httpsPort: 4003, httpsRedirect: false },
      acme: {
        authorities: [{ directoryUrl: 'https://ca.test/dir', email: 'it@shop.test' }],
        caFile: '/ca.pem',
      },
      // The service normalises these addresses, so that the service can compare the addresses with those in DNS
      // answers.
      platformAddresses: ['192.0.2.3', '2001:db8::1'],
      suffixes: ['test', 'shops.example'],
    },
  })
})

test.each([
  ['4000', {}, 4443],
  ['64999', {}, 65_442],
  ['65000', {}, 0],
  ['65535', {}, 0],
  ['4000', { HTTPS_PORT: '0' }, 0],
  ['65535', { HTTPS_PORT: '4443' }, 4443],
  ['4000', { DATABASE_URL: 'postgresql://db/x' }, 0],
])('the HTTPS port for PORT=%s with %j is %i', (PORT, env, httpsPort) => {
  expect(readConfig({ PORT, ...env }).hosting.httpsPort).toBe(httpsPort)
})

test('.env.example names every setting and no other', () => {
  const documented = Object.keys(parseEnv(readFileSync('.env.example', 'utf8')))
  // Each secret may be in a file named by a variable such as OPERATOR_KEY_FILE.
  const known = settingNames.flatMap(name => [name, `${name}_FILE`])

  expect(settingNames.filter(name => !documented.includes(name))).toEqual([])
  expect(documented.filter(name => !known.includes(name))).toEqual([])
})

test('an unset, empty or blank setting has the default in .env.example', () => {
  const example = parseEnv(readFileSync('.env.example', 'utf8'))
  const bare = readConfig({})

  expect(Object.keys(example).length).toBeGreaterThan(30)
  expect(readConfig(example)).toEqual(bare)
  for (const empty of ['', ' '])
    expect(readConfig(Object.fromEntries(Object.keys(example).map(name => [name, empty])))).toEqual(bare)
  expect(bare).toMatchObject({
    ...{ publicUrl: 'http://localhost:4000', stagingUrl: null, operatorKeys: [] },
    ...{ databaseUrl: null, databaseDirectUrl: null, redisUrl: null, redisCaFile: null },
    ban: { refusalsFactor: 3, seconds: 300, maxSeconds: 3600 },
    hosting: {
      ...{ dnsServers: null, suffixes: [], platformAddresses: [], acme: null, secretsKeys: null },
      ...{ httpsPort: 4443, httpsRedirect: true },
    },
  })
})

test('a certificate authority needs only a directory URL: the contact email address and the file of root certificates are optional', () => {
  const { acme } = readConfig({ ACME_DIRECTORY_URL: 'https://ca.test/dir' }).hosting

  const authority = {
    ...{ directoryUrl: 'https://ca.test/dir', email: null },
    ...{ externalAccount: null, caaIdentities: [] },
  }
  expect(acme).toEqual({ authorities: [authority], caFile: null })
})

const two = { ACME_DIRECTORY_URL: 'https://one.test/dir,https://two.test:14000/dir' }

test('ACME_EAB and ACME_CAA_IDENTITIES give each of several certificate authorities its own account key and its own names for CAA records', () => {
  const { acme } = readConfig({
    ...two,
    ACME_EAB: 'two.test:14000:key-2:c2VjcmV0',
    ACME_CAA_IDENTITIES: 'one.test:One.example, one.test:one.example.net',
  }).hosting

  expect(acme?.authorities).toEqual([
    {
      ...{ directoryUrl: 'https://one.test/dir', email: null, externalAccount: null },
      caaIdentities: ['one.example', 'one.example.net'],
    },
    {
      ...{ directoryUrl: 'https://two.test:14000/dir', email: null, caaIdentities: [] },
      externalAccount: { keyId: 'key-2', hmacKey: 'c2VjcmV0' },
    },
  ])
})

test('ACME_EAB and ACME_CAA_IDENTITIES without a host apply to the only authority', () => {
  const { acme } = readConfig({
    ACME_DIRECTORY_URL: 'https://ca.test/dir',
    ...{ ACME_EAB: 'key-1:c2VjcmV0', ACME_CAA_IDENTITIES: 'ca.example' },
  }).hosting

  expect(acme?.authorities).toMatchObject([
    { externalAccount: { keyId: 'key-1', hmacKey: 'c2VjcmV0' }, caaIdentities: ['ca.example'] },
  ])
})

test.each([
  [{ ...two, ACME_EAB: 'key-1:c2VjcmV0' }, 'ACME_EAB needs HOST: before each value'],
  [{ ...two, ACME_EAB: 'three.test:key-1:c2VjcmV0' }, 'ACME_EAB names three.test'],
  [{ ...two, ACME_EAB: 'two.test:key-1:c2VjcmV0' }, 'ACME_EAB names two.test'],
  [{ ...two, ACME_CAA_IDENTITIES: 'ca.example' }, 'ACME_CAA_IDENTITIES needs HOST: before each value'],
  [{ ...two, ACME_CAA_IDENTITIES: 'three.test:ca.example' }, 'ACME_CAA_IDENTITIES names three.test'],
])('the start is refused if it is not clear which authority a value is for: %j', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})

test('the default public URL has the port, and trailing slashes of a URL are removed', () => {
  expect(readConfig({ PORT: '4001' }).publicUrl).toBe('http://localhost:4001')
  expect(readConfig({ PUBLIC_URL: ' https://a.example/b// ' }).publicUrl).toBe('https://a.example/b')
})

test.each([
  ['0', false, false],
  ['1', true, true],
  ['http', true, false],
  ['https', false, true],
])('PROXY_PROTOCOL=%s applies to the ports that it names', (PROXY_PROTOCOL, http, https) => {
  expect(readConfig({ PROXY_PROTOCOL }).proxyProtocol).toEqual({ http, https })
})

test('the error about an invalid database URL names the environment variable that contains the URL', () => {
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    expect(() => readConfig({ [name]: 'postgresql://db/x?schema=other' })).toThrow(
      `${name} says schema=other`,
    )
})

test.each([
  [{ DATABASE_URL: 'postgresql://db/x' }],
  [{ DATABASE_URL: 'postgresql://db/x', HTTPS_PORT: '0' }],
  [{ ACME_DIRECTORY_URL: 'https://ca.test/dir' }],
  [{ HTTPS_PORT: '4443' }],
])('no SECRETS_KEY is required with %j', env => {
  expect(readConfig(env).hosting.secretsKeys).toBeNull()
})

test('an error about several wrong settings has a line for each of them', () => {
  expect(() => readConfig({ PORT: '0', HTTPS_PORT: 'x', SEED_DEMO: '2' })).toThrow(
    'PORT must be at least 1.\nSEED_DEMO must be 0 or 1.\nHTTPS_PORT must be a whole number.',
  )
})

test('SECRETS_KEY takes keys in hex or base64, and DNS_SERVERS takes IPv4 addresses, and IPv6 addresses with or without a port', () => {
  const key = Buffer.alloc(32, 0xab)
  const { secretsKeys, dnsServers } = readConfig({
    SECRETS_KEY: ` ${key.toString('hex').toUpperCase()} , ${key.toString('base64')}`,
    DNS_SERVERS: '[2001:DB8::53],[::1]:5353, 192.0.2.53',
  }).hosting

  expect(secretsKeys).toEqual([key, key])
  expect(dnsServers).toEqual([
    { address: '2001:DB8::53', port: 53 },
    { address: '::1', port: 5353 },
    { address: '192.0.2.53', port: 53 },
  ])
})
