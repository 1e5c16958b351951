import type { PageRequest, PetPage } from '../core/pets/pages.ts'
import { bytesOf } from '../http/answer.ts'
import { tagOf } from '../http/etag.ts'
import { weightOf } from '../http/packing.ts'
import { petJson } from './pet-json.ts'

/**
 * A page of pets as the service sends the page. `body` has one character per byte. `next` is the path of the next page,
 * without a host, so that the path is valid on every host. `etag` covers `body` and `next`.
 */
export type Page = {
  body: string
  next: string | null
  etag: string
  bytes: number
  lastId: bigint | null
}

export function renderPage(pageRequest: PageRequest, found: PetPage): Page {
  const body = bytesOf(`[${found.pets.map(petJson).join(',')}]`)
  const next = found.nextCursor === null ? null : pathTo(found.nextCursor)
  const etag = tagOf(`${next ?? ''}\n${body}`)
  return { body, next, etag, bytes: weightOf(body) + (next?.length ?? 0), lastId: found.lastId }

  function pathTo(cursor: string): string {
    const { limit, status, categoryId, name, newestFirst } = pageRequest
    const query = new URLSearchParams({
      limit: String(limit),
      ...(status && { status }),
      ...(categoryId !== null && { categoryId: String(categoryId) }),
      ...(name && { name }),
      ...(newestFirst && { sort: '-id' }),
      cursor,
    })
    return `/v1/pets?${query}`
  }
}
