import { expect, test } from 'vitest'
import { openDocuments } from '../../src/graphql/documents.ts'
import { makeSchema } from '../../src/graphql/schema.ts'

const schema = makeSchema()
const open = () => openDocuments(schema, { introspection: true })

test('a query text is parsed and validated once, and then found by its text or its hash', () => {
  const documents = open()

  const validated = documents.validate('{ plans { name } }')

  expect(validated.faults).toEqual([])
  expect(documents.validate('{ plans { name } }')).toBe(validated)
  expect(documents.validate('{ caller { operator } }', 'abc')).toBe(documents.validate('anything', 'abc'))
})

test.each([
  ['valid', '{ plans { name } }'],
  ['invalid because of an unknown field', '{ nothing }'],
  ['unparsable', '{'],
  ['too large', `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
])(
  'the cache of query texts holds a million characters of texts that are %s, and evicts the oldest first',
  (_what, query) => {
    const documents = open()
    const texts = Array.from({ length: 20 }, (_, n) => `${query} #${String(n).padStart(60_000)}`)

    const first = texts.map(text => documents.validate(text))

    // Start with the last text: if an evicted text is validated again, it evicts a text that is still cached.
    const again = texts.toReversed().map(text => documents.validate(text))
    const isCached = again.map(validated => first.includes(validated)).reverse()
    expect(isCached.slice(-10)).toEqual(Array(10).fill(true))
    expect(isCached.slice(0, 4)).toEqual(Array(4).fill(false))
  },
)

test('the document store for Apollo Server returns a valid query by its hash, and { __typename } in place of an invalid query', async () => {
  const { validate, store } = open()
  const { document } = validate('{ plans { name } }', 'right')
  validate('{ nothing }', 'wrong')

  expect(await store.get('schema:right')).toBe(document)
  expect((await store.get('wrong'))?.loc?.source.body).toBe('{ __typename }')
  expect(await store.get('schema:never')).toBeUndefined()
})
