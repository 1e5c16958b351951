import type { Attack } from './attack.ts'

const aliases = (count: number, field: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `a${i}:${field(i)}`).join(' ')
const hasNext = '{...F}'
const fragment = ' fragment F on OrderConnection{pageInfo{hasNextPage}}'
const pets = (fields: string) => `{pets(first:100){nodes{${fields}}}}`

/**
 * Operations by attack name. A key on the free plan sends each ten times a second until its minute's budget is used up.
 */
const documents: Record<string, [what: string, query: string]> = {
  'orders-78-aliases': [
    'orders of 100 pets under 78 aliases with differing arguments',
    pets(aliases(78, i => `orders(first:${i + 1})${hasNext}`)) + fragment,
  ],
  'orders-130-aliases': [
    'orders of 100 pets under 130 aliases with equal arguments',
    pets(aliases(130, () => `orders${hasNext}`)) + fragment,
  ],
  'order-pets': [
    'the pet of 100 orders under 49 aliases',
    `{orders(first:100){nodes{${aliases(49, () => 'pet{id etag category{id petCount}}')}}}}`,
  ],
  etags: [
    '150 etags of 100 pets, in edges and in nodes',
    `{pets(first:100){nodes{${aliases(75, () => 'etag')}} edges{node{${aliases(75, () => 'etag')}}}}}`,
  ],
  'usage-aliases': [
    'keys of 90 days of use under 80 aliases',
    `{usage(days:90){${aliases(80, i => `keys(first:${i + 1}){requests}`)}}}`,
  ],
  'key-usage-aliases': [
    'the use of 100 keys under 80 aliases',
    `{apiKeys(first:100){nodes{${aliases(80, i => `usage(days:${i + 1}){requests}`)}}}}`,
  ],
  'wrong-arguments': [
    '8,000 errors of wrong arguments',
    pets(aliases(80, () => `orders(first:0)${hasNext}`)) + fragment,
  ],
  deep: [
    'a document 500 levels deep',
    `{pets{nodes${'{orders{nodes{pet'.repeat(166)}{id}${'}}}'.repeat(166)}}}`,
  ],
  wide: ['a document of 3,500 aliases', `{${aliases(3_500, () => 'plans{name}')}}`],
  'fragment-bomb': [
    'fragments that double 20 times',
    `{...f0}${Array.from({ length: 20 }, (_, i) => `fragment f${i} on Query{...f${i + 1} ...f${i + 1}}`).join('')}fragment f20 on Query{plans{name}}`,
  ],
  unparsable: ['64 KB that are no document', `{${'a(b:['.repeat(12_000)}`],
  'ten-pages': [
    'ten pages of 100 pets with category and orders',
    `{${aliases(10, i => `pets(first:100,categoryId:${i}){nodes{id name category{name petCount} orders(first:5){nodes{id}}}}`)}}`,
  ],
}

export const graphqlAttacks: Attack[] = [
  ...Object.entries(documents).map(
    ([name, [what, query]]): Attack => ({
      name,
      what: `GraphQL, 10 a second: ${what}`,
      by: 'free key',
      ...(name === 'orders-78-aliases' && { short: true }),
      run: hand => hand.flood(10, () => hand.graphql(hand.keys.free, query)),
    }),
  ),
  {
    name: 'error-flood',
    what: 'GraphQL, 10 a second: 13,000 errors, by a key that may not read orders',
    by: 'free key',
    short: true,
    run: hand =>
      hand.flood(10, () => hand.graphql(hand.keys.narrow, documents['orders-130-aliases']?.[1] ?? '')),
  },
  {
    name: 'new-documents',
    what: 'GraphQL, 20 a second: each another document, so that none is cached',
    by: 'free key',
    run: hand =>
      hand.flood(20, i => hand.graphql(hand.keys.free, `{x${i}:pets(first:100){nodes{id name etag}}}`)),
  },
]
