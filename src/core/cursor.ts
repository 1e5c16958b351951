import { crc32 } from 'node:zlib'
import { invalidInput } from './errors.ts'
import { parseInt64 } from './int64.ts'
import type { Project } from './project.ts'

type List = 'pets' | 'newest pets' | 'categories' | 'orders' | `deliveries of ${string}`

/** Encodes the end of a page. The checksum binds the cursor to its project and list, so no other list accepts it. */
export function makeCursor(project: Project, lastId: bigint, list: List): string {
  const check = crc32(`${list} of ${project.id} after ${lastId}`).toString(36)
  return Buffer.from(`${lastId}.${check}`).toString('base64url')
}

export function readCursor(field: string, project: Project, cursor: string, list: List): bigint {
  const [id = ''] = Buffer.from(cursor, 'base64url').toString().split('.')
  const lastId = parseInt64(id)
  if (lastId === null || makeCursor(project, lastId, list) !== cursor) {
    throw invalidInput([{ field, message: 'must be a cursor of a page of this list' }])
  }
  return lastId
}
