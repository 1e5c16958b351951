import { hash } from 'node:crypto'
import type { Request } from 'express'

/** A strong tag, as a header has it. */
export const quoted = (tag: string) => `"${tag}"`

/** Names content by what it says; weakly, since the same may come packed in several ways (RFC 9110, 8.8.1). */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`
}

/** Whether a client holds just this already, by the weak comparison of RFC 9110, 13.1.2. */
export function holds({ headers }: Request, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',') ?? []
  return tags.some(tag => ['*', opaque(etag)].includes(opaque(tag.trim())))
}

const opaque = (tag: string) => tag.replace(/^W\//, '')
