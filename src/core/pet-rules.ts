import { readCursor } from './cursor.ts'
import { type Fault, invalidInput } from './errors.ts'
import { isInt64, parseInt64 } from './int64.ts'
import { type NewPet, type PageRequest, type PetStatus, petStatuses } from './pets.ts'
import type { Project } from './projects.ts'
import { judgeText } from './text.ts'

/** What a page is asked with, from any door: `names` says what that door calls the number and the cursor. */
export function judgePageRequest(
  project: Project,
  names: { limit: string; after: string },
  input: { limit: number | null; status: string | null; after: string | null },
): PageRequest {
  const { limit, status, after } = input
  const faults: Fault[] = []
  if (limit === null || !Number.isInteger(limit) || limit < 1 || limit > 100) {
    faults.push({ field: names.limit, message: 'must be a whole number from 1 to 100' })
  }
  if (status !== null && !isPetStatus(status)) faults.push({ field: 'status', message: statusRule })
  if (faults.length > 0) throw invalidInput(faults)
  return {
    limit: limit ?? 0,
    status: status as PetStatus | null,
    after: after === null ? null : readCursor(names.after, project, after),
  }
}

/** Judges every field, so that one answer names all that is wrong. */
export function judgeNewPet(input: Record<string, unknown>): NewPet {
  const { text, fault } = judgeText('name', input.name, 255)
  const { status = null } = input
  // Not every client can write a number of 64 bits; each can write its digits.
  const categoryId = typeof input.categoryId === 'string' ? parseInt64(input.categoryId) : input.categoryId
  const faults = fault ? [fault] : []
  if (!isInt64(categoryId)) faults.push({ field: 'categoryId', message: int64Rule })
  if ('status' in input && input.status !== undefined && !isPetStatus(input.status))
    faults.push({ field: 'status', message: statusRule })
  if (faults.length > 0) throw invalidInput(faults)
  return { name: text, categoryId: categoryId as bigint, status: status as PetStatus | null }
}

const int64Rule = 'must be an integer from -2^63 to 2^63 - 1, or the string of its digits'
const statusRule = `must be one of ${petStatuses.join(', ')}`

function isPetStatus(value: unknown): value is PetStatus {
  return petStatuses.some(status => status === value)
}
