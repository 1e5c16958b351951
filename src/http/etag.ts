import { hash } from 'node:crypto'
import type { Request } from 'express'

/** A strong tag as a header value. */
export const quoted = (tag: string) => `"${tag}"`

/** A tag made of the content. It is weak, since the content may be compressed in several ways (RFC 9110, 8.8.1). */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`
}

/** True if the client has this version already, by the weak comparison of RFC 9110, 13.1.2. */
export function holds({ headers }: Request, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',') ?? []
  return tags.some(tag => ['*', opaque(etag)].includes(opaque(tag.trim())))
}

const opaque = (tag: string) => tag.replace(/^W\//, '')
