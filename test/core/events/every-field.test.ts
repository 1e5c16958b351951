import { expect, test } from 'vitest'
import { newPetFields, petFields } from '../../../src/core/pets/columns.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

const own = prepareOwnDatabase()

async function definitionOf(name: string): Promise<string> {
  const [row] = await own.db.$queryRaw<{ text: string }[]>`
    SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = ${name}`
  return row?.text ?? ''
}

test.each(petFields)('an event of a pet shows its %s', async field => {
  expect(await definitionOf('pet_json')).toContain(`"${field}"`)
})

test.each(newPetFields)('an event of a changed pet shows the previous %s', async field => {
  expect(await definitionOf('tell_changed_pets')).toContain(`"${field}"`)
})
