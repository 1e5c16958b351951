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
