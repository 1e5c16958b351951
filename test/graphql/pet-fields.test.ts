import { readFileSync } from 'node:fs'
import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { newPetFields, petFields } from '../../src/core/pets/columns.ts'

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

test.each([
  ['Pet', petFields],
  ...['NewPet', 'PetChange', 'PetCreateInput', 'PetUpdateInput'].map(name => [name, newPetFields] as const),
] as const)('%s of schema.graphql has every field of a pet', (name, expected) => {
  const type = schema.getType(name)
  const fields = isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []
  expect(fields).toEqual(expect.arrayContaining([...expected]))
})
