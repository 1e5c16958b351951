import { type Cache, cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Client, fetchExchange, gql, Provider, useMutation, useQuery } from 'urql'
import { keys, possibleTypes } from '../../../clients/typescript/src/graphql.ts'
import { headersOf, type Shop, ShopPage } from './shop-page.tsx'

const list = gql`query List($first: Int, $after: String, $last: Int, $before: String) {
  pets(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const create = gql`mutation Create($input: PetCreateInput!) { petCreate(input: $input) { pet { id name } } }`

type Edge = { __typename?: string; cursor: string; node: { id: string; name: string } }
type PageInfo = {
  hasNextPage: boolean
  hasPreviousPage: boolean
  startCursor: string | null
  endCursor: string
}
type List = { pets: { edges: Edge[]; pageInfo: PageInfo } }
type Created = { petCreate: { pet: Edge['node'] } | null }

/** Appends the pet to the last page of the list in the cache. */
function append({ petCreate }: Created, cache: Cache): void {
  if (!petCreate) return
  const edge = { __typename: 'PetEdge', cursor: '', node: petCreate.pet }
  const pages = cache.inspectFields('Query').filter(field => field.fieldName === 'pets')
  for (const { arguments: variables } of pages) {
    cache.updateQuery<List>({ query: list, variables: variables ?? {} }, found =>
      found && !found.pets.pageInfo.hasNextPage
        ? { pets: { ...found.pets, edges: [...found.pets.edges, edge] } }
        : found,
    )
  }
}

function Pets({ after }: { after: string }) {
  const [variables, read] = useState<object>({ first: 2, after })
  const [{ data }] = useQuery<List>({ query: list, variables })
  const [{ error }, add] = useMutation(create)
  const { edges = [], pageInfo } = data?.pets ?? {}
  // graphcache has no `startCursor` until graphcache has read a page with `before`. Without a `startCursor`,
  // `hasPreviousPage` does not say whether the page is the first one.
  const isStart = !pageInfo || (pageInfo.startCursor !== null && !pageInfo.hasPreviousPage)
  return (
    <ShopPage
      names={edges.map(({ node }) => node.name)}
      earlier={isStart ? null : () => read({ last: 2, before: edges[0]?.cursor })}
      later={pageInfo?.hasNextPage ? () => read({ first: 2, after: pageInfo.endCursor }) : null}
      add={name => void add({ input: { name, categoryId: '1' } })}
      code={error ? String(error.graphQLErrors[0]?.extensions.code) : null}
    />
  )
}

export function open(shop: Shop, into: Element): void {
  const cache = cacheExchange({
    keys,
    possibleTypes,
    resolvers: { Query: { pets: relayPagination({ mergeMode: 'outwards' }) } },
    updates: {
      Mutation: { petCreate: (result, _args, cache) => append(result as unknown as Created, cache) },
    },
  })
  const client = new Client({
    url: `${shop.url}/graphql`,
    exchanges: [cache, fetchExchange],
    fetchOptions: { headers: headersOf(shop) },
  })
  createRoot(into).render(
    <Provider value={client}>
      <Pets after={shop.after} />
    </Provider>,
  )
}
