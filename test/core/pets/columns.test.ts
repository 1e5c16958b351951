import { readFileSync } from 'node:fs'
import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { newPetFields, petFields } from '../../../src/core/pets/columns.ts'

const openapi = parse(readFileSync('openapi.yaml', 'utf8'))
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

test.each([
  ['Pet', petFields],
  ['NewPet', newPetFields],
  ['PetChange', newPetFields],
] as const)('%s of openapi.yaml has exactly the fields of petColumns', (name, fields) => {
  expect(Object.keys(openapi.components.schemas[name].properties).sort()).toEqual([...fields].sort())
})

test('openapi.yaml accepts a change of any single field', () => {
  const { not } = openapi.components.schemas.PetChange

  expect(Object.keys(not.properties).sort()).toEqual([...newPetFields].sort())
})

test('openapi.yaml names the columns of the CSV that exportPets sends', () => {
  const csv = openapi.paths['/pets/export'].get.responses['200'].content['text/csv']

  expect(csv.schema.pattern).toMatch(`^${petFields.join(',')}`)
  expect(csv.example).toMatch(new RegExp(`^${petFields.join(',')}\r\n`))
})

test.each([
  ['Pet', petFields],
  ['NewPet', newPetFields],
  ['PetChange', newPetFields],
  ['PetCreateInput', newPetFields],
  ['PetUpdateInput', newPetFields],
] as const)('%s of schema.graphql has every field of petColumns', (name, fields) => {
  const type = schema.getType(name)

  expect(isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []).toEqual(
    expect.arrayContaining([...fields]),
  )
})
