import { readFileSync } from 'node:fs'
import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { newPetFields, petFields } from '../../../src/core/pets/columns.ts'

test('both contracts show every field of a pet and take every field of a new or changed one', () => {
  const openapi = parse(readFileSync('openapi.yaml', 'utf8'))
  const { Pet, NewPet, PetChange } = openapi.components.schemas
  const csv = openapi.paths['/pets/export'].get.responses['200'].content['text/csv']
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const shown = schema.getType('Pet')

  expect(Object.keys(Pet.properties).sort()).toEqual([...petFields].sort())
  expect(Object.keys(NewPet.properties).sort()).toEqual([...newPetFields].sort())
  expect(isObjectType(shown) && Object.keys(shown.getFields())).toEqual(expect.arrayContaining(petFields))
  expect(csv.schema.pattern, 'exportPets as CSV').toMatch(`^${petFields.join(',')}`)
  expect(Object.keys(PetChange.properties).sort()).toEqual([...newPetFields].sort())
  for (const input of [schema.getType('NewPet'), schema.getType('PetChange')]) {
    expect(isInputObjectType(input) && Object.keys(input.getFields()).sort()).toEqual(
      [...newPetFields].sort(),
    )
  }
})
