import { Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  graphql,
  RelayEnvironmentProvider,
  useLazyLoadQuery,
  useMutation,
  usePaginationFragment,
} from 'react-relay'
import { Environment, type FetchFunction, Network, RecordSource, Store } from 'relay-runtime'
import type { relayCreateMutation } from './generated/relayCreateMutation.graphql'
import type { relayList_query$key } from './generated/relayList_query.graphql'
import type { relayListNextQuery } from './generated/relayListNextQuery.graphql'
import type { relayQuery } from './generated/relayQuery.graphql'
import { headersOf, type Shop, ShopPage } from './shop-page.tsx'

const query = graphql`
  query relayQuery($after: String) {
    ...relayList_query @arguments(first: 2, after: $after)
  }
`
const fragment = graphql`
  fragment relayList_query on Query
  @refetchable(queryName: "relayListNextQuery")
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
  ) {
    pets(first: $first, after: $after, last: $last, before: $before) @connection(key: "relayList_pets") {
      __id
      edges {
        node {
          id
          name
        }
      }
    }
  }
`
const create = graphql`
  mutation relayCreateMutation($input: PetCreateInput!, $connections: [ID!]!) {
    petCreate(input: $input) {
      pet @appendNode(connections: $connections, edgeTypeName: "PetEdge") {
        id
        name
      }
    }
  }
`

function Pets({ after }: { after: string }) {
  const found = useLazyLoadQuery<relayQuery>(query, { after })
  const { data, hasNext, hasPrevious, loadNext, loadPrevious } = usePaginationFragment<
    relayListNextQuery,
    relayList_query$key
  >(fragment, found)
  const [commit] = useMutation<relayCreateMutation>(create)
  const [code, setCode] = useState<string | null>(null)
  const add = (name: string) =>
    commit({
      variables: { input: { name, categoryId: '1' }, connections: data.pets ? [data.pets.__id] : [] },
      onCompleted: (_result, errors) => setCode(errors ? codeOf(errors[0]) : null),
    })
  return (
    <ShopPage
      names={(data.pets?.edges ?? []).map(({ node }) => node.name)}
      earlier={hasPrevious ? () => loadPrevious(2) : null}
      later={hasNext ? () => loadNext(2) : null}
      add={add}
      code={code}
    />
  )
}

const codeOf = (error: object | undefined) =>
  error && 'extensions' in error ? String((error.extensions as { code: string }).code) : 'none'

export function open(shop: Shop, into: Element): void {
  const ask: FetchFunction = async ({ text }, variables) => {
    const answer = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { ...headersOf(shop), 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    })
    return answer.json()
  }
  const environment = new Environment({ network: Network.create(ask), store: new Store(new RecordSource()) })
  createRoot(into).render(
    <RelayEnvironmentProvider environment={environment}>
      <Suspense fallback="">
        <Pets after={shop.after} />
      </Suspense>
    </RelayEnvironmentProvider>,
  )
}
