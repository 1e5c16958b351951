import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

const whole = (least: number, most: number) => ({
  taken: [String(least), String(most)],
  refused: [String(least - 1), String(most + 1), `${least}.5`, 'many'],
})
const above0 = { taken: ['1'], refused: ['0', '-1', '1.5', 'many'] }
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
  ['BAN_SECONDS', above0],
  ['SEED_DEMO', onOff],
  ['HTTPS_REDIRECT', onOff],
  ['GRAPHQL_INTROSPECTION', onOff],
  ['GRAPHQL_SANDBOX', onOff],
  ['OPERATOR_KEY', { taken: ['k'.repeat(32)], refused: ['k'.repeat(31)] }],
  [
    'TRUST_PROXY',
    { taken: ['0', '99', '10.0.0.1, 2001:db8::/32'], refused: ['100', '-1', '10.0.0.256', 'proxy'] },
  ],
  [
    'PLATFORM_ADDRESSES',
    {
      taken: ['192.0.2.1', '192.0.2.1,192.0.2.2,2001:db8::1,2001:db8::2'],
      refused: ['192.0.2.1,192.0.2.2,192.0.2.3,2001:db8::1,2001:db8::2', 'shop.test'],
    },
  ],
  [
    'PLATFORM_HOST',
    { taken: ['animals.example'], refused: ['Animals.example', 'animals', 'animals.example.'] },
  ],
  ['ACME_DIRECTORY_URL', { taken: ['https://ca.test/dir'], refused: ['http://ca.test/dir', 'ca.test'] }],
])('%s is taken within its bounds, and refused beyond by its name', (name, { taken, refused }) => {
  for (const value of taken) expect(() => readConfig({ [name]: value })).not.toThrow()
  for (const value of refused) expect(() => readConfig({ [name]: value })).toThrow(`${name} must`)
})

test('each variable sets what it names, and no other', () => {
  const config = readConfig({
    ...{ HOST: '192.0.2.1', PORT: '4001', OPS_PORT: '4002', OPS_HOST: '192.0.2.2', DRAIN_SECONDS: '3' },
    ...{ PUBLIC_URL: 'https://animals.example/', STAGING_URL: 'https://staging.example' },
    ...{ TRUST_PROXY: '1', HTTPS_TRUST_PROXY: '2', PROXY_PROTOCOL: 'https', DATA_DIR: '/data' },
    ...{ DATABASE_POOL_SIZE: '11', BAN_REFUSALS_FACTOR: '12', BAN_SECONDS: '13' },
    ...{ CERTIFICATE_ORDERS_PER_HOUR: '14', CERTIFICATE_ORDERS_PER_DAY: '15', HTTPS_PORT: '4003' },
    ...{ HTTPS_REDIRECT: '0', GRAPHQL_SANDBOX: '0', SEED_DEMO: '1', LOG_LEVEL: 'warn' },
    ...{ ACME_DIRECTORY_URL: 'https://ca.test/dir', ACME_EMAIL: 'it@shop.test', ACME_CA_FILE: '/ca.pem' },
    ...{ PLATFORM_ADDRESSES: '192.0.2.3,2001:DB8:0:0::1', DOMAIN_SUFFIXES: '.Test,shops.example' },
  })

  expect(config).toMatchObject({
    ...{ host: '192.0.2.1', port: 4001, opsPort: 4002, opsHost: '192.0.2.2', drainSeconds: 3 },
    ...{ publicUrl: 'https://animals.example', stagingUrl: 'https://staging.example', dataDir: '/data' },
    ...{ trustProxy: { http: 1, https: 2 }, proxyProtocol: { http: false, https: true } },
    ...{ databasePoolSize: 11, ban: { refusalsFactor: 12, seconds: 13 } },
    ...{ graphqlIntrospection: true, graphqlSandbox: false, seedDemo: true, logLevel: 'warn' },
    hosting: {
      orderBounds: { perHour: 14, perDay: 15 },
      ...{ httpsPort: 4003, httpsRedirect: false },
      acme: { directoryUrl: 'https://ca.test/dir', email: 'it@shop.test', caFile: '/ca.pem' },
      // In the spelling in which DNS answers.
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
])('the port %s has its HTTPS beside it where that is a port, with %j at %i', (PORT, env, httpsPort) => {
  expect(readConfig({ PORT, ...env }).hosting.httpsPort).toBe(httpsPort)
})
