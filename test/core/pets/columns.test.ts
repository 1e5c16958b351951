import { readFileSync } from 'node:fs'
import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { newPetFields, petFields } from '../../../src/core/pets/columns.ts'

test('both contracts show every field of a pet and take every field of a new or changed one', () => {
  const { Pet, NewPet, PetChange } = parse(readFileSync('openapi.yaml', 'utf8')).components.schemas
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const shown = schema.getType('Pet')

  expect(Object.keys(Pet.properties).sort()).toEqual([...petFields].sort())
  expect(Object.keys(NewPet.properties).sort()).toEqual([...newPetFields].sort())
  expect(isObjectType(shown) && Object.keys(shown.getFields())).toEqual(expect.arrayContaining(petFields))
  expect(Object.keys(PetChange.properties).sort()).toEqual([...newPetFields].sort())
  for (const input of [schema.getType('NewPet'), schema.getType('PetChange')]) {
    expect(isInputObjectType(input) && Object.keys(input.getFields()).sort()).toEqual(
      [...newPetFields].sort(),
    )
  }
})
