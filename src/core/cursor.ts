import { crc32 } from 'node:zlib'
import { invalidInput } from './errors.ts'
import { parseInt64 } from './int64.ts'
import type { Project } from './projects.ts'

/** Where a page ended. It is bound to its project, so that a cursor from elsewhere is refused and not guessed at. */
export function makeCursor(project: Project, lastId: bigint): string {
  return Buffer.from(`${lastId}.${check(project, lastId)}`).toString('base64url')
}

export function readCursor(field: string, project: Project, cursor: string): bigint {
  const [id = '', sum] = cursor.length <= 60 ? Buffer.from(cursor, 'base64url').toString().split('.') : []
  const lastId = parseInt64(id)
  if (lastId === null || sum !== check(project, lastId) || makeCursor(project, lastId) !== cursor) {
    throw invalidInput([{ field, message: 'must be a cursor of a page of this list' }])
  }
  return lastId
}

function check(project: Project, lastId: bigint): string {
  return crc32(`pets of ${project.id} after ${lastId}`).toString(36)
}
