import { expect, test } from 'vitest'
import { JsonScalar } from '../../src/graphql/scalars.ts'
import { lowestOf } from '../support/lowest.ts'

const text = JSON.stringify({
  id: 12,
  name: 'Rex',
  status: 'available',
  scopes: ['pets:read', 'pets:write', 'orders:read'],
  certificate: { state: 'issued', endsAt: '2030-12-05T00:00:00.000Z', tries: 3 },
  createdAt: '2030-12-05T00:00:00.000Z',
})

test.each([
  '9007199254740993',
  '{"a":[9223372036854775807,-9007199254740993],"b":1}',
  '{"a":1.5,"b":"12345678901234567890"}',
  text,
])('a JSON value keeps all its digits: %s', value => {
  expect(JSON.stringify(JsonScalar.serialize(value))).toBe(value)
})

test.each(['{"id":9223372036854775807}', '{"id":1}'])(
  'if several aliases return the JSON value %s, the value is parsed once',
  value => {
    expect(JsonScalar.serialize(value)).toBe(JsonScalar.serialize(value))
  },
)

test('serializing a JSON value without long numbers takes less than 2.5 times the CPU time of JSON.parse', async () => {
  const cpuOf = (parse: (text: string) => unknown) => {
    const before = process.cpuUsage()
    for (let n = 0; n < 5_000; n++) parse(`{"n":${n},"value":${text}}`)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }

  const ratio = await lowestOf(30, 2.5, async () => cpuOf(JsonScalar.serialize) / cpuOf(JSON.parse))

  expect(ratio).toBeLessThan(2.5)
})
