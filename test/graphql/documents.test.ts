import { expect, test } from 'vitest'
import { openDocuments } from '../../src/graphql/documents.ts'
import { makeSchema } from '../../src/graphql/schema.ts'

const schema = makeSchema()
const open = () => openDocuments(schema, { introspection: true })

test('a text is judged once, by whichever hash it is known', () => {
  const documents = open()

  const judged = documents.judge('{ plans { name } }')

  expect(judged.faults).toEqual([])
  expect(documents.judge('{ plans { name } }')).toBe(judged)
  expect(documents.judge('{ caller { operator } }', 'abc')).toBe(documents.judge('anything', 'abc'))
})

test.each([
  ['right', '{ plans { name } }'],
  ['wrong', '{ nothing }'],
  ['no operation', '{'],
  ['too large', `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
])('what is kept of texts that are %s takes a million characters, and the last stay', (_what, query) => {
  const documents = open()
  const texts = Array.from({ length: 20 }, (_, n) => `${query} #${String(n).padStart(60_000)}`)

  const first = texts.map(text => documents.judge(text))

  // From the last on, since what is judged anew makes room for itself.
  const again = texts.toReversed().map(text => documents.judge(text))
  const isKept = again.map(judged => first.includes(judged)).reverse()
  expect(isKept.slice(-10)).toEqual(Array(10).fill(true))
  expect(isKept.slice(0, 4)).toEqual(Array(4).fill(false))
})

test('Apollo finds a document by its hash behind that of the schema, and what is wrong as none to run', async () => {
  const { judge, store } = open()
  const { document } = judge('{ plans { name } }', 'right')
  judge('{ nothing }', 'wrong')

  expect(await store.get('schema:right')).toBe(document)
  expect((await store.get('wrong'))?.loc?.source.body).toBe('{ __typename }')
  expect(await store.get('schema:never')).toBeUndefined()
})
