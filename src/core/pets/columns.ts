import { hash } from 'node:crypto'
import type { Pet as PetRow } from '../../generated/prisma/client.ts'
import { PetStatus as PetStatuses } from '../../generated/prisma/enums.ts'

/** Columns that no door shows. */
type Inner = 'projectId' | 'createdAt' | 'openOrderId'
/** A pet as every door shows it, by its `petFields`, and its version, which is shown within its tag. */
export type Pet = Omit<PetRow, Inner>
type Fields = Omit<Pet, 'id' | 'version'>
type Nullable = { [Field in keyof Fields]: null extends Fields[Field] ? Field : never }[keyof Fields]
/** A field that may be null may be left out. */
export type NewPet = Omit<Fields, Nullable> & Partial<Pick<Fields, Nullable>>
export type PetStatus = NonNullable<Pet['status']>
export const petStatuses: readonly PetStatus[] = Object.values(PetStatuses)
/** Absent fields stay unchanged. */
export type PetChange = Partial<NewPet>

type Column<Value> = {
  column: string
  type: string
  /** Parses the value from PostgreSQL's text. */
  read: (text: string) => NonNullable<Value>
}

/**
 * The one description of a pet: statements, both doors' answers and the idempotency hash follow it, in this order. The
 * compiler holds it against the model in prisma/schema.prisma, and asks src/core/pets/rules.ts how a new field is judged.
 */
export const petColumns = {
  id: { column: 'id', type: 'bigint', read: BigInt },
  name: { column: 'name', type: 'text', read: text => text },
  categoryId: { column: 'category_id', type: 'bigint', read: BigInt },
  // The column's type admits no other word.
  status: { column: 'status', type: '"PetStatus"', read: text => text as NonNullable<Pet['status']> },
  version: { column: 'version', type: 'int', read: Number },
} satisfies { [Field in keyof Pet]: Column<Pet[Field]> }

type Field = keyof typeof petColumns
/** The columns that statements read, in this order. */
export const readFields = Object.keys(petColumns) as Field[]
export const petFields = readFields.filter((field): field is Exclude<Field, 'version'> => field !== 'version')
export const newPetFields = petFields.filter((field): field is Exclude<typeof field, 'id'> => field !== 'id')

/** Builds a pet from PostgreSQL's text of its columns, in the order of `readFields`. */
export function readPet(texts: readonly (string | null | undefined)[]): Pet {
  const pet: Record<string, unknown> = {}
  readFields.forEach((field, index) => {
    const text = texts[index]
    pet[field] = text === null || text === undefined ? null : petColumns[field].read(text)
  })
  return pet as Pet
}

/** The pet that a create with this id and input makes. */
export function petWith(id: bigint, input: NewPet): Pet {
  const pet: Record<string, unknown> = { id, version: 1 }
  for (const field of newPetFields) pet[field] = input[field] ?? null
  return pet as Pet
}

/**
 * The pet's tag at every door. A change that sends it is made only while nothing has changed the pet since, not even there
 * and back. The contents are part of it, since a restored database gives a version out again.
 */
export function tagOfPet(pet: Pet): string {
  const texts = readFields.map(field => textOf(pet[field]))
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22)
}

/** The text of a value as a statement's parameter. */
export const textOf = (value: string | bigint | number | null | undefined) =>
  value == null ? null : `${value}`

/** Like `textOf`, for several named values. */
export function jsonOf(values: PetChange): string {
  return JSON.stringify(values, (_field, value) => (typeof value === 'bigint' ? `${value}` : value))
}
