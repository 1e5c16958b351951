import { afterAll, beforeAll, expect, test } from 'vitest'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ')
const wrapped = (count: number, field: string, inner: string) =>
  `${`${field} { `.repeat(count)}${inner}${' }'.repeat(count)}`
/** Makes an operation with this many fields, most of them from a fragment that is spread many times. */
const spread = (fields: number) => {
  const [whole, rest] = [Math.floor((fields - 2) / 100), (fields - 2) % 100]
  return `{ pets(first: 1) { nodes { ${'...F '.repeat(whole)} ${times(rest, () => 'id')} } } }
    fragment F on Pet { ${times(100, () => 'id')} }`
}

/** Each bound, its wording in the error, and an operation that reaches `count`. */
const bounds: [bound: number, what: string, query: (count: number) => string][] = [
  [10, 'levels', n => `{ ${wrapped(n - 1, 'a', 'id')} }`],
  [16, 'levels of introspection', n => `{ __type(name: "Pet") { ${wrapped(n - 2, 'ofType', 'name')} } }`],
  [
    16,
    'levels of introspection',
    n => `{ __schema { types { ${wrapped(n - 3, 'ofType', 'name')} } } pets { nodes { id } } }`,
  ],
  ...['fields', 'inputFields', 'interfaces', 'possibleTypes'].map((list): (typeof bounds)[number] => [
    2,
    "nested lists of the schema's types",
    n => `{ __type(name: "Pet") { ${wrapped(n, `${list}: ${list}`, 'name')} } }`,
  ]),
  [3, 'fields of introspection', n => `{ ${times(n, i => `a${i}: __type(name: "Pet") { name }`)} }`],
  [
    3,
    'fields of introspection',
    n => `{ ${times(n - 1, i => `a${i}: __type(name: "Pet") { name }`)} __schema { __typename } }`,
  ],
  [20, 'root fields', n => `{ ${times(n, i => `a${i}: __typename`)} }`],
  [
    20,
    'root fields',
    n =>
      `{ ${times(n - 11, i => `a${i}: __typename`)} ... { ...A } } fragment A on Query { ${times(11, i => `b${i}: __typename`)} }`,
  ],
  [5000, 'fields', spread],
  [50, 'fields named pageInfo', n => `{ pets { ${times(n, () => 'pageInfo { hasNextPage }')} } }`],
  [
    50,
    'fields named p',
    n =>
      `{ pets { ${times(n - 1, () => 'p: pageInfo { hasNextPage }')} ...P } } fragment P on PetConnection { p: pageInfo { hasNextPage } }`,
  ],
]

test.each(bounds)('an operation may have up to %i %s', async (bound, what, query) => {
  const send = graphqlOf(app, store)
  const refusal = (count: number) => `The operation has ${count} ${what}; ${bound} are allowed.`

  const [within, beyond] = [await send(query(bound)), await send(query(bound + 1))]

  expect(within.text).not.toContain('operation_too_complex')
  expect(beyond.errors).toMatchObject([
    { message: refusal(bound + 1), extensions: { code: 'operation_too_complex', status: 400 } },
  ])
  expect(beyond.errors).toHaveLength(1)
})

test('an operation may have up to 1,000 tokens', async () => {
  const ask = (tokens: number) => {
    const states = times(tokens - 15, () => 'active')
    return graphqlOf(app, store)(`{ apiKeys(states: [${states}]) { nodes { id } } }`)
  }

  const [within, beyond] = [await ask(1000), await ask(1001)]

  expect(within.errors).toEqual([])
  expect(beyond.errors).toMatchObject([
    {
      message: 'The operation has more than 1000 tokens.',
      extensions: { code: 'operation_too_complex', status: 400 },
    },
  ])
})

test('an operation that repeats a field too often to be validated gets one error that says so', async () => {
  const ask = (count: number) => graphqlOf(app, store)(`{ pets { nodes { ${times(count, () => 'id')} } } }`)

  const [few, many] = [await ask(100), await ask(980)]

  expect(few.errors).toEqual([])
  expect(many.errors).toMatchObject([
    {
      message: 'The operation repeats fields of one name too often to check them for conflicts.',
      extensions: { code: 'operation_too_complex', status: 400 },
    },
  ])
  expect(many.errors).toHaveLength(1)
})

test('each of two operations in one text has its own bounds, and one too large operation rejects both', async () => {
  const send = graphqlOf(app, store)
  const of = (name: string, fields: number) => `query ${name} { ${times(fields, n => `a${n}: __typename`)} }`

  const both = await send(`${of('A', 20)} ${of('B', 20)}`, { operationName: 'A' })
  const worse = await send(`${of('A', 20)} ${of('B', 21)}`, { operationName: 'A' })

  expect(both.errors).toEqual([])
  expect(worse.errors).toMatchObject([{ extensions: { code: 'operation_too_complex' } }])
})
