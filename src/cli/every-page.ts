import { exitCodes, Refused } from './exit.ts'

type Page<Item> = { nodes: Item[]; pageInfo: { hasNextPage: boolean; endCursor?: string | null } }

/** Reads all pages of a GraphQL list. Throws if a cursor repeats, since the loop would never end. */
export async function everyPage<Item>(ask: (after: string | null) => Promise<Page<Item>>): Promise<Item[]> {
  const found: Item[] = []
  const seen = new Set<string | null | undefined>([null, undefined])
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo } = await ask(after)
    found.push(...nodes)
    if (!pageInfo.hasNextPage) return found
    if (seen.has(pageInfo.endCursor)) {
      const message = 'The service repeats a page of the list, so the list would never end.'
      throw new Refused(message, exitCodes.failed, 'unexpected_answer')
    }
    after = pageInfo.endCursor ?? null
    seen.add(after)
  }
}
