import { hash } from 'node:crypto'
import type { PageRequest, PetPage } from '../core/pets.ts'
import { bytesOf } from '../http/answer.ts'
import { petJson } from './pet-json.ts'

/** A page as it is sent: its bytes, one character each, the link to the next one, and the tag by which a client knows it again. */
export type Page = {
  body: string
  link: string | null
  etag: string
  bytes: number
  lastId: bigint | null
}

export function renderPage(publicUrl: string, { limit, status }: PageRequest, found: PetPage): Page {
  const body = bytesOf(`[${found.pets.map(petJson).join(',')}]`)
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  const link = found.nextCursor === null ? null : linkTo(found.nextCursor)
  return { body, link, etag, bytes: body.length + (link?.length ?? 0), lastId: found.lastId }

  function linkTo(cursor: string): string {
    const query = new URLSearchParams({ limit: String(limit), ...(status && { status }), cursor })
    return `<${publicUrl}/v1/pets?${query}>; rel="next"`
  }
}
