import { expect, test } from 'vitest'
import { newPetFields, petColumns, petFields } from '../../../src/core/pets/columns.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

const own = prepareOwnDatabase()

/**
 * Returns the newest function of this name: a migration that adds a field to `pet_json` leaves the older function in
 * place.
 */
async function definitionOf(name: string): Promise<string> {
  const [row] = await own.db.$queryRaw<{ text: string }[]>`
    SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = ${name} ORDER BY oid DESC LIMIT 1`
  return row?.text ?? ''
}

test.each(petFields)('an event of a pet shows its %s', async field => {
  expect(await definitionOf('pet_json')).toContain(`"${field}"`)
})

test.each(newPetFields)('an event of a changed pet shows the previous %s', async field => {
  expect(await definitionOf('tell_changed_pets')).toContain(`"${field}"`)
})

const functions = ['tell_new_pets', 'tell_changed_pets', 'tell_deleted_pets']
const columns = petFields.map(field => petColumns[field].column)

test.each(functions)(
  'the database function %s passes every column of a pet to the function pet_json',
  async name => {
    const calls = (await definitionOf(name)).match(/pet_json\([^;]*?\)::json/g) ?? []
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls) {
      expect(columns.filter(column => !new RegExp(`\\b${column}\\b`).test(call))).toEqual([])
    }
  },
)
