import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider, useMutation, useQuery } from '@apollo/client/react'
import { relayStylePagination } from '@apollo/client/utilities'
import { createRoot } from 'react-dom/client'
import { possibleTypes, typePolicies } from '../../../clients/typescript/src/graphql.ts'
import { headersOf, type Shop, ShopPage } from './shop-page.tsx'

const edge = 'edges { cursor node { id name } }'
const list = gql`query List($first: Int, $after: String, $last: Int, $before: String) {
  pets(first: $first, after: $after, last: $last, before: $before) {
    ${edge}
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const create = gql`mutation Create($input: PetCreateInput!) { petCreate(input: $input) { pet { id name } } }`

type Edge = { cursor: string; node: { id: string; name: string } }
type PageInfo = { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
type List = { pets: { edges: Edge[]; pageInfo: PageInfo } }
type Created = { petCreate: { pet: Edge['node'] } }

function Pets({ after }: { after: string }) {
  const { data, fetchMore } = useQuery<List>(list, { variables: { first: 2, after } })
  const [add, { error }] = useMutation<Created>(create, {
    update: (cache, { data: made }) => {
      const node = made?.petCreate.pet
      const pet = node && { __typename: 'PetEdge', cursor: '', node }
      cache.updateQuery<List>({ query: list }, found =>
        found && pet ? { pets: { ...found.pets, edges: [...found.pets.edges, pet] } } : null,
      )
    },
    onError: () => {},
  })
  const { edges = [], pageInfo } = data?.pets ?? {}
  const read = (variables: object) => void fetchMore({ variables })
  return (
    <ShopPage
      names={edges.map(({ node }) => node.name)}
      earlier={
        pageInfo?.hasPreviousPage
          ? () => read({ first: null, after: null, last: 2, before: pageInfo.startCursor })
          : null
      }
      later={pageInfo?.hasNextPage ? () => read({ after: pageInfo.endCursor }) : null}
      add={name => void add({ variables: { input: { name, categoryId: '1' } } })}
      code={CombinedGraphQLErrors.is(error) ? String(error.errors[0]?.extensions?.code) : null}
    />
  )
}

export function open(shop: Shop, into: Element): void {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${shop.url}/graphql`, headers: headersOf(shop) }),
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: { ...typePolicies, Query: { fields: { pets: relayStylePagination(['status']) } } },
    }),
  })
  createRoot(into).render(
    <ApolloProvider client={client}>
      <Pets after={shop.after} />
    </ApolloProvider>,
  )
}
