import type { Request } from 'express'
import type { Condition, Tags } from '../core/conditions.ts'
import { invalidInput } from '../core/errors.ts'

/** RFC 9110, 8.8.3. */
const tag = /(?:W\/)?"([!#-~]*)"/
const list = new RegExp(`^\\s*${tag.source}(?:\\s*,\\s*${tag.source})*\\s*$`)

/**
 * Reads the client's condition on the resource's tag (RFC 9110, 13.1). Compares weakly, as the contract says: a proxy
 * that compresses an answer makes its tag weak, but the tag still names the same version.
 */
export function readCondition({ headers }: Request): Condition {
  return {
    match: readTags('If-Match', headers['if-match']),
    noneMatch: readTags('If-None-Match', headers['if-none-match']),
  }
}

/**
 * Refuses If-Match and If-None-Match on a request that changes many resources, because such a request has the tags in
 * its body.
 */
export function requireNoCondition({ headers }: Request, instead: string): void {
  for (const field of ['If-Match', 'If-None-Match']) {
    if (headers[field.toLowerCase()] !== undefined)
      throw invalidInput([{ field, message: `has no effect here; ${instead}` }])
  }
}

function readTags(field: string, value: string | undefined): Tags | null {
  if (value === undefined) return null
  if (value.trim() === '*') return '*'
  if (value.length <= 1000 && list.test(value)) {
    return [...value.matchAll(new RegExp(tag, 'g'))].map(([, opaque = '']) => opaque)
  }
  throw invalidInput([{ field, message: 'must be an ETag in quotes, a list of them, or *' }])
}
