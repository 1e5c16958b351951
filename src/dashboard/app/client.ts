import { Client, cacheExchange, type Exchange, fetchExchange, mapExchange } from 'urql'
import { setClockBy } from './clock.ts'
import { bearerOf, type Credential } from './credential.ts'
import { parseExactly } from './exact-json.ts'
import { isLeaving } from './leaving.ts'
import { noteOwnChanges } from './own-changes.ts'
import { SessionError } from './person.ts'
import { problemOf } from './problem.ts'
import { setReached } from './reached.ts'

export function makeClient(credential: Credential, onUnauthorized: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: async (url, how) => {
      const bearer = await bearerOf(credential).catch(fault => {
        if (fault instanceof SessionError && fault.code === 'offline') setReached(false)
        throw fault
      })
      return ask(url, { ...how, headers: { ...how?.headers, Authorization: `Bearer ${bearer}` } })
    },
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({
      // Do not send cookies that other pages of this host have set.
      credentials: 'omit',
      keepalive: isLeaving(),
    }),
    exchanges: [
      keepWhatWasShown(),
      cacheExchange,
      mapExchange({
        // If an answer has an error, drop all its data, because partial data would look complete. In a series of
        // mutations, drop the data too, so that the lists are not read again after each mutation.
        onResult(result) {
          if (result.operation.kind === 'mutation') noteOwnChanges(result.data)
          return result.error || result.operation.context.isOneOfMany
            ? { ...result, data: undefined }
            : result
        },
        onError(error) {
          if (problemOf(error).code === 'unauthorized') onUnauthorized()
        },
      }),
      fetchExchange,
    ],
  })
}

/**
 * The context for all mutations of a series except the last, so that the lists are read again only after the last one.
 * Reading the lists after each mutation would cost more requests, and an older answer could arrive last.
 */
export const oneOfMany = { isOneOfMany: true }

async function ask(...question: Parameters<typeof fetch>): Promise<Response> {
  try {
    const answer = await fetch(...question)
    setReached(true)
    setClockBy(answer)
    return await keepLongNumbers(answer)
  } catch (fault) {
    const isGivenUp = fault instanceof DOMException && fault.name === 'AbortError'
    if (!isGivenUp) setReached(false)
    throw fault
  }
}

/**
 * Turns the numbers that a double would change into texts. Members of the type JSON may contain numbers of 64 bits,
 * which urql's JSON.parse would round.
 */
async function keepLongNumbers(answer: Response): Promise<Response> {
  if (!answer.headers.get('Content-Type')?.includes('json')) return answer
  const text = await answer.text()
  return new Response(/\d{16}/.test(text) ? JSON.stringify(parseExactly(text)) : text, answer)
}

/** Codes of temporary errors. */
export const passing = [
  'offline',
  'unreadable',
  'unavailable',
  'internal_error',
  'rate_limited',
  'key_banned',
]

/**
 * If a query gets a temporary error, its result has the error and also the last data, so that the page keeps its content
 * and shows the error beside it. Code that downloads a file must look at the error first.
 */
function keepWhatWasShown(): Exchange {
  const shown = new Map<number, unknown>()
  return mapExchange({
    onResult(result) {
      const { operation, data, error } = result
      if (operation.kind !== 'query') return result
      if (!error) shown.set(operation.key, data)
      return error && passing.includes(problemOf(error).code)
        ? { ...result, data: shown.get(operation.key) }
        : result
    },
  })
}
