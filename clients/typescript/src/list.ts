import { StoreError } from './errors.ts'
import { readLink } from './headers.ts'

/** A page of a list. `nextCursor` leads to the next page; null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** A list, fetched page by page while a loop runs. Each loop starts at the beginning. */
export type List<Item> = AsyncIterable<Item> & { pages(): AsyncIterable<Page<Item>> }

type Answer<Item> = { body: Item[]; headers: Headers }

export function makeList<Item>(askPage: (cursor: string | undefined) => Promise<Answer<Item>>): List<Item> {
  async function* pages() {
    const seen = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const { body, headers } = await askPage(cursor)
      if (!Array.isArray(body)) throw new StoreError('unexpected_answer', 'The answer is not a list.')
      const nextCursor = readNextCursor(headers)
      yield { items: body, nextCursor }
      if (nextCursor === null) return
      if (seen.has(nextCursor))
        throw new StoreError('unexpected_answer', 'The list repeats a page, so it would never end.')
      seen.add(nextCursor)
      cursor = nextCursor
    }
  }
  async function* items() {
    for await (const { items } of pages()) yield* items
  }
  return { pages, [Symbol.asyncIterator]: items }
}

/**
 * Takes only the query of the link. The link's host may differ from the client's, and the key must not be sent to
 * another host.
 */
function readNextCursor(headers: Headers): string | null {
  const next = readLink(headers, 'next')
  if (next === null) return null
  const { searchParams } = new URL(next, 'http://store')
  return searchParams.get('cursor') ?? searchParams.get('after')
}
