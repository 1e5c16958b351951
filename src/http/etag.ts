import { hash } from 'node:crypto'
import type { Request } from 'express'

/** Formats a strong tag as a header value. */
export const quoted = (tag: string) => `"${tag}"`

/**
 * Makes a tag from the content. It is weak, because the content may be compressed in several ways (RFC 9110, 8.8.1).
 */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`
}

/** True if the client already has this version, by weak comparison (RFC 9110, 13.1.2). */
export function holds({ headers }: Request, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',') ?? []
  return tags.some(tag => ['*', opaque(etag)].includes(opaque(tag.trim())))
}

const opaque = (tag: string) => tag.replace(/^W\//, '')
