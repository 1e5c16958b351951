import { hash } from 'node:crypto'
import type { Pet as PetRow } from '../../generated/prisma/client.ts'
import { PetStatus as PetStatuses } from '../../generated/prisma/enums.ts'

/** Columns that the API does not show. */
type Inner = 'projectId' | 'createdAt' | 'openOrderId'
/** A pet as the API shows it, and its version, which is part of its tag. */
export type Pet = Omit<PetRow, Inner>
type Fields = Omit<Pet, 'id' | 'version'>
type Nullable = { [Field in keyof Fields]: null extends Fields[Field] ? Field : never }[keyof Fields]
/** A nullable field may be absent. */
export type NewPet = Omit<Fields, Nullable> & Partial<Pick<Fields, Nullable>>
export type PetStatus = NonNullable<Pet['status']>
export const petStatuses: readonly PetStatus[] = Object.values(PetStatuses)
/** Absent fields are not changed. */
export type PetChange = Partial<NewPet>

type Column<Value> = {
  column: string
  type: string
  /** Parses the value from PostgreSQL's text. */
  read: (text: string) => NonNullable<Value>
}

/**
 * The only description of a pet's fields. Statements, REST, GraphQL and the idempotency hash use it in this order. The
 * compiler checks it against prisma/schema.prisma, and requires a rule for each field in rules.ts.
 */
export const petColumns = {
  id: { column: 'id', type: 'bigint', read: BigInt },
  name: { column: 'name', type: 'text', read: text => text },
  categoryId: { column: 'category_id', type: 'bigint', read: BigInt },
  // PostgreSQL's type allows only these values.
  status: { column: 'status', type: '"PetStatus"', read: text => text as NonNullable<Pet['status']> },
  version: { column: 'version', type: 'int', read: Number },
} satisfies { [Field in keyof Pet]: Column<Pet[Field]> }

type Field = keyof typeof petColumns
/** The columns that statements read, in this order. */
export const readFields = Object.keys(petColumns) as Field[]
export const petFields = readFields.filter((field): field is Exclude<Field, 'version'> => field !== 'version')
export const newPetFields = petFields.filter((field): field is Exclude<typeof field, 'id'> => field !== 'id')
/** The fields that may contain any text, even text that begins like a formula of a spreadsheet. */
export const textFields = newPetFields.filter(field => petColumns[field].type === 'text')

/** Builds a pet from PostgreSQL's text of its columns, in the order of `readFields`. */
export function readPet(texts: readonly (string | null | undefined)[]): Pet {
  const pet: Record<string, unknown> = {}
  readFields.forEach((field, index) => {
    const text = texts[index]
    pet[field] = text === null || text === undefined ? null : petColumns[field].read(text)
  })
  return pet as Pet
}

/** Builds the pet that a create with this id and input returns. */
export function petWith(id: bigint, input: NewPet): Pet {
  const pet: Record<string, unknown> = { id, version: 1 }
  for (const field of newPetFields) pet[field] = input[field] ?? null
  return pet as Pet
}

/**
 * The version tag of a pet. A change that sends the tag is refused if the pet has been changed since, even if a later
 * change restored the old contents. The tag is also made from the contents, because a restored database uses the same
 * version numbers again.
 */
export function tagOfPet(pet: Pet): string {
  const texts = readFields.map(field => textOf(pet[field]))
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22)
}

/** Converts a value to the text of a statement's parameter. */
export const textOf = (value: string | bigint | number | null | undefined) =>
  value == null ? null : `${value}`

/** Converts the changed fields of a pet to JSON for a statement's parameter. A bigint becomes a string of digits. */
export function jsonOf(values: PetChange): string {
  return JSON.stringify(values, (_field, value) => (typeof value === 'bigint' ? `${value}` : value))
}
