import { type Fault, invalidInput, StoreError } from '../errors.ts'
import { isInt64, parseInt64 } from '../int64.ts'
import { parsePage } from '../pages.ts'
import type { Project } from '../project.ts'
import { isFromOneTo, isStorable, validateText } from '../text.ts'
import { newPetFields, type PetStatus, petStatuses } from './columns.ts'
import type { PetFilters } from './export.ts'
import type { PageRequest } from './pages.ts'
import { listOf, type NewPet, type Pet, type PetChange } from './pets.ts'

/** Validates the parameters of a page. `names` are the parameter names of REST or GraphQL. */
export function parsePageRequest(
  project: Project,
  names: { limit: string; after: string },
  input: PageInput,
): PageRequest {
  const faults: Fault[] = []
  const filters = parseFilters(input, faults)
  if (input.newestFirst === null) faults.push({ field: 'sort', message: 'must be id or -id' })
  const list = { ...filters, newestFirst: input.newestFirst === true }
  return { ...list, ...parsePage(listOf(list), project, names, input, faults) }
}

/** Validates the filters, and adds their faults to `faults`. */
export function parseFilters(input: FilterInput, faults: Fault[]): PetFilters {
  const { status, name } = input
  if (status !== null && !isPetStatus(status)) faults.push({ field: 'status', message: statusRule })
  const categoryId = input.categoryId === null ? null : parseInt64(input.categoryId)
  if (input.categoryId !== null && categoryId === null)
    faults.push({ field: 'categoryId', message: int64Rule })
  if (name !== null && !isPart(name)) faults.push({ field: 'name', message: partRule })
  return { status: status as PetStatus | null, categoryId, name }
}

/** Null if the parameter is absent. */
type FilterInput = { status: string | null; categoryId: string | null; name: string | null }
/** `newestFirst` is null if the requested sort order does not exist. */
type PageInput = FilterInput & {
  limit: number | null
  after: string | null
  newestFirst: boolean | null
}

const longestPart = 100
export const isPart = (name: string) => isFromOneTo(longestPart, name) && isStorable(name)
export const partRule = `must be a part of a name, 1 to ${longestPart} characters`

type Input = Record<string, unknown>

/** Validates every field of a new pet, so that one error names all faults. */
export function parseNewPet(input: Input): NewPet {
  const faults: Fault[] = []
  const pet = readNewPet(input, faults)
  if (faults.length > 0) throw invalidInput(faults)
  return pet
}

type FieldRule<Value> = {
  /** Parses a value. On failure adds a fault and returns any value of the type. */
  read: (value: unknown, faults: Fault[]) => Value
  /** True if the field may be absent, which means null. The compiler checks this against the column. */
  isOptional: null extends Value ? true : false
}

/** The rule of each field. Creates, imports and changes all use this table. */
const fieldRules: { [Field in keyof NewPet]-?: FieldRule<Pet[Field]> } = {
  name: { read: readName, isOptional: false },
  categoryId: { read: readCategoryId, isOptional: false },
  status: { read: readStatus, isOptional: true },
}

/** Reads a pet and adds its faults to `faults`. The pet is valid if there are none. */
export function readNewPet(input: Input, faults: Fault[]): NewPet {
  const pet: Input = {}
  for (const field of newPetFields) {
    const { read, isOptional } = fieldRules[field]
    pet[field] = isOptional && input[field] === undefined ? null : read(input[field], faults)
  }
  return pet as NewPet
}

/** Validates only the given fields of a pet; null clears an optional field. */
export function parsePetChange(input: Input): PetChange {
  const faults: Fault[] = []
  const change: Input = {}
  for (const field of newPetFields.filter(field => input[field] !== undefined)) {
    const { read, isOptional } = fieldRules[field]
    change[field] = isOptional && input[field] === null ? null : read(input[field], faults)
  }
  if (faults.length > 0) throw invalidInput(faults)
  return change as PetChange
}

/**
 * Refuses a change without any known field: its fields are probably misspelled. `whole` is the name of the change in
 * REST or GraphQL.
 */
export function requireChange(whole: string, change: PetChange): PetChange {
  if (Object.keys(change).length > 0) return change
  throw invalidInput([{ field: whole, message: `must have at least one of ${newPetFields.join(', ')}` }])
}

function readName(value: unknown, faults: Fault[]): string {
  const { text, fault } = validateText('name', value, 255)
  if (fault) faults.push(fault)
  return text
}

function readCategoryId(value: unknown, faults: Fault[]): bigint {
  // Accept digits as a string: many clients cannot write 64-bit numbers.
  const categoryId = typeof value === 'string' ? parseInt64(value) : value
  if (isInt64(categoryId)) return categoryId
  faults.push({ field: 'categoryId', message: int64Rule })
  return 0n
}

function readStatus(value: unknown, faults: Fault[]): PetStatus | null {
  if (isPetStatus(value)) return value
  faults.push({ field: 'status', message: statusRule })
  return null
}

/** Parses a pet's id. An invalid id is refused like a missing pet. */
export function readPetId(text: string): bigint {
  const id = parseInt64(text)
  if (id === null) throw new StoreError('pet_not_found', 'There is no such pet: ids are integers of 64 bits.')
  return id
}

const int64Rule = 'must be an integer from -2^63 to 2^63 - 1, or the string of its digits'
const statusRule = `must be one of ${petStatuses.join(', ')}`

function isPetStatus(value: unknown): value is PetStatus {
  return petStatuses.some(status => status === value)
}
