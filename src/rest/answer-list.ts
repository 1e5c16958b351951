import type { Request, Response } from 'express'
import type { Page } from '../core/pages.ts'
import { addHeader } from '../http/headers.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Tools } from '../tools.ts'
import { answerTaggedJson } from './etag-response.ts'

/** Parses the page size in a query; null if it is invalid. */
export function readLimit(limit: string | null): number | null {
  if (limit === null) return 20
  return /^\d{1,3}$/.test(limit) ? Number(limit) : null
}

/**
 * Answers a page of a list, with a link to the next page. The link has the same query, and a cursor in the parameter
 * that `place` names.
 */
export function answerList<Item>(
  tools: Tools,
  request: Request,
  response: Response,
  { items, nextCursor }: Pick<Page<Item>, 'items' | 'nextCursor'>,
  toJson: (item: Item) => string,
  given: Record<string, string | number | bigint | null>,
  place = 'cursor',
): Promise<void> | void {
  const next = nextCursor === null ? '' : pathTo(nextCursor)
  if (next) addHeader(response, 'Link', `<${requestUrl(tools.config, request)}${next}>; rel="next"`)
  return answerTaggedJson(request, response, `[${items.map(toJson).join(',')}]`, `${next}\n`)

  function pathTo(cursor: string): string {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...given, [place]: cursor })) {
      if (value !== null) query.set(name, String(value))
    }
    return `/v1${request.path}?${query}`
  }
}
