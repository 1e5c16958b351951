import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client'
import { RetryLink } from '@apollo/client/link/retry'
import { cacheExchange, createClient, fetchExchange } from '@urql/core'
import { parse } from 'graphql'
import { ClientError, GraphQLClient } from 'graphql-request'

/** The result as the program sees it. */
export type Seen = {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its own query.
  data: any
  /** The errors' codes as a program would read them; null if the client does not show them. */
  codes: string[] | null
}
export type Client = {
  query(text: string, variables?: Record<string, unknown>): Promise<Seen>
  mutate(text: string, variables?: Record<string, unknown>): Promise<Seen>
  /** Answers received so far. */
  sent: { method: string; status: number; headers: Headers }[]
}

/** Libraries that frontend teams use, with default settings, each connected to a service with a key. */
export const clients: Record<string, (url: string, secret: string) => Client> = {
  'Apollo Client': openApolloClient,
  urql: openUrql,
  'graphql-request': openGraphqlRequest,
}

function watchedFetch() {
  const sent: Client['sent'] = []
  const watched: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    sent.push({ method: init?.method ?? 'GET', status: answer.status, headers: answer.headers })
    return answer
  }
  return { sent, fetch: watched }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
type GraphqlErrors = readonly { extensions?: Record<string, unknown> }[]
const codesOf = (errors: GraphqlErrors) => errors.map(({ extensions }) => String(extensions?.code))

function openApolloClient(url: string, secret: string): Client {
  const { sent, fetch } = watchedFetch()
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([
      new RetryLink({ delay: { initial: 1, max: 1, jitter: false } }),
      new HttpLink({ uri: `${url}/graphql`, fetch, headers: bearer(secret) }),
    ]),
  })
  const see = (result: { data?: unknown; error?: unknown }): Seen => {
    const { data = null, error } = result
    if (CombinedGraphQLErrors.is(error)) return { data, codes: codesOf(error.errors) }
    return { data, codes: error === undefined ? [] : null }
  }
  return {
    sent,
    query: async (text, variables = {}) =>
      see(
        await client.query({
          query: parse(text),
          variables,
          fetchPolicy: 'network-only',
          errorPolicy: 'all',
        }),
      ),
    mutate: async (text, variables = {}) =>
      see(await client.mutate({ mutation: parse(text), variables, errorPolicy: 'all' })),
  }
}

function openUrql(url: string, secret: string): Client {
  const { sent, fetch } = watchedFetch()
  const client = createClient({
    url: `${url}/graphql`,
    exchanges: [cacheExchange, fetchExchange],
    fetch,
    fetchOptions: { headers: bearer(secret) },
    requestPolicy: 'network-only',
  })
  type Result = { data?: unknown; error?: { graphQLErrors: GraphqlErrors; networkError?: Error } | undefined }
  const see = ({ data = null, error }: Result): Seen => ({
    data,
    codes: error?.networkError ? null : codesOf(error?.graphQLErrors ?? []),
  })
  return {
    sent,
    query: async (text, variables = {}) => see(await client.query(text, variables)),
    mutate: async (text, variables = {}) => see(await client.mutation(text, variables)),
  }
}

function openGraphqlRequest(url: string, secret: string): Client {
  const { sent, fetch } = watchedFetch()
  const client = new GraphQLClient(`${url}/graphql`, { fetch, headers: bearer(secret) })
  const send = async (text: string, variables: Record<string, unknown> = {}): Promise<Seen> => {
    try {
      return { data: await client.request(text, variables), codes: [] }
    } catch (fault) {
      if (!(fault instanceof ClientError)) throw fault
      const { data = null, errors } = fault.response
      return { data, codes: errors ? codesOf(errors) : null }
    }
  }
  return { sent, query: send, mutate: send }
}
