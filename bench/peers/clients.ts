// The client libraries that are used most with GraphQL, set up as their documentation shows.
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, cacheExchange, fetchExchange } from '@urql/core'

type Send = (url: string, operation: string, variables: Record<string, unknown>) => Promise<unknown>

export const apollo: Send = (uri, operation, variables) => {
  const client = new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache() })
  const document = gql(operation)
  return isMutation(operation)
    ? client.mutate({ mutation: document, variables })
    : client.query({ query: document, variables })
}

export const urql: Send = (url, operation, variables) => {
  const client = new Client({ url, exchanges: [cacheExchange, fetchExchange] })
  return isMutation(operation)
    ? client.mutation(operation, variables).toPromise()
    : client.query(operation, variables).toPromise()
}

const isMutation = (operation: string) => operation.startsWith('mutation')
