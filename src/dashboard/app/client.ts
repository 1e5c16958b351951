import { Client, cacheExchange, fetchExchange, mapExchange } from 'urql'
import { problemOf } from './problem.ts'

export function makeClient(key: string, onUnauthorized: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: {
      // A cookie of another page on this host has no business here.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { Authorization: `Bearer ${key}` },
    },
    exchanges: [
      cacheExchange,
      mapExchange({
        // Half an answer would be shown as if it were whole.
        onResult: result => (result.error ? { ...result, data: undefined } : result),
        onError(error) {
          if (problemOf(error).code === 'unauthorized') onUnauthorized()
        },
      }),
      fetchExchange,
    ],
  })
}
