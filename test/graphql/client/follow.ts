import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange, subscriptionExchange } from '@urql/core'
import { parse } from 'graphql'
import { createClient as createSseClient } from 'graphql-sse'

type Store = { url: string; key: string }
export type Followed = { number: string; type: string }
/** Follows events with a client library. The returned function ends the subscription. */
type Follow = (store: Store, see: (event: Followed) => void, refuse: (error: unknown) => void) => () => void

const query = 'subscription { events { id number type } }'
const headersOf = ({ key }: Store) => ({ authorization: `Bearer ${key}` })

const followers: Record<string, Follow> = {
  Apollo(store, see, refuse) {
    const link = new HttpLink({ uri: `${store.url}/graphql`, headers: headersOf(store) })
    const client = new ApolloClient({ link, cache: new InMemoryCache() })
    const running = client.subscribe<{ events: Followed }>({ query: parse(query) }).subscribe({
      next: ({ data, error }) => (data?.events ? see(data.events) : refuse(error)),
      error: refuse,
    })
    return () => running.unsubscribe()
  },

  urql(store, see, refuse) {
    const client = new Client({
      url: `${store.url}/graphql`,
      fetchSubscriptions: true,
      exchanges: [fetchExchange],
      fetchOptions: { headers: headersOf(store) },
    })
    const running = client.subscription<{ events: Followed }>(query, {}).subscribe(({ data, error }) => {
      if (error) refuse(error)
      else if (data) see(data.events)
    })
    return () => running.unsubscribe()
  },

  'urql with graphql-sse'(store, see, refuse) {
    const sse = createSseClient({ url: `${store.url}/graphql`, headers: headersOf(store), retryAttempts: 0 })
    const client = new Client({
      url: `${store.url}/graphql`,
      preferGetMethod: false,
      exchanges: [
        subscriptionExchange({
          forwardSubscription: ({ query: text = '', variables = {} }) => ({
            subscribe: sink => ({
              // biome-ignore lint/suspicious/noExplicitAny: the two libraries type the same results differently.
              unsubscribe: sse.subscribe({ query: text, variables }, sink as any),
            }),
          }),
        }),
      ],
    })
    const running = client.subscription<{ events: Followed }>(query, {}).subscribe(({ data, error }) => {
      if (error) refuse(error)
      else if (data) see(data.events)
    })
    return () => running.unsubscribe()
  },

  'graphql-sse'(store, see, refuse) {
    const client = createSseClient({
      url: `${store.url}/graphql`,
      headers: headersOf(store),
      retryAttempts: 0,
    })
    return client.subscribe<{ events: Followed }>(
      { query },
      { next: ({ data }) => data && see(data.events), error: refuse, complete: () => {} },
    )
  },
}

/** Follows events with one library until `many` events have come, or until the subscription is refused. */
export function follow(
  library: string,
  store: Store,
  many: number,
): Promise<Followed[] | { refused: string }> {
  const seen: Followed[] = []
  return new Promise(resolve => {
    const end = followers[library]?.(
      store,
      ({ number, type }) => {
        // urql repeats its last result when a subscription ends.
        if (seen.at(-1)?.number !== number) seen.push({ number, type })
        if (seen.length === 1) Object.assign(globalThis, { isFollowing: true })
        if (seen.length === many) {
          end?.()
          resolve(seen)
        }
      },
      error => resolve({ refused: String(error instanceof Error ? error.message : JSON.stringify(error)) }),
    )
  })
}
