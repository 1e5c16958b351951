import { expect, it } from 'vitest'
import { jsonOf } from '../../../src/core/pets/columns.ts'
import { openImportDraft } from '../../../src/core/pets/import-draft.ts'
import { readNewPet } from '../../../src/core/pets/rules.ts'

const piecesOf = (pets: readonly object[]) => {
  const draft = openImportDraft()
  for (const [index, pet] of pets.entries()) draft.add(index + 1, { ...pet })
  return draft.finish().pieces
}
const countsOf = (pieces: readonly string[]) => pieces.map(piece => JSON.parse(piece).length)

it('no statement of an import adds more than 250 pets, and together the statements add each pet once', () => {
  const pets = Array.from({ length: 501 }, (_, n) => ({ name: `Pet ${n}`, categoryId: `${n}` }))

  const pieces = piecesOf(pets)

  expect(countsOf(pieces)).toEqual([250, 250, 1])
  expect(pieces.flatMap(piece => JSON.parse(piece))).toMatchObject(pets)
})

it('each statement of an import is filled up to about 60,000 characters', () => {
  const pet = { name: 'x'.repeat(255), categoryId: '1' }
  const characters = jsonOf(readNewPet(pet, [])).length
  const fitting = Math.floor(60_000 / characters) + 1

  const pieces = piecesOf(Array(2 * fitting + 5).fill(pet))

  expect(countsOf(pieces)).toEqual([fitting, fitting, 5])
})

it.each([
  [1, '1 line is faulty, so no pet was added; the first is line 8, name must be a string'],
  [2, '2 lines are faulty, so no pet was added; the first is line 8, name must be a string'],
  [100, '100 lines are faulty, so no pet was added; the first is line 8, name must be a string'],
])(
  'a refused import lists up to a hundred faulty lines, and states the number of faulty lines: %i',
  (count, message) => {
    const draft = openImportDraft()
    draft.add(7, { name: 'Max', categoryId: '1' })
    for (let n = 0; n < count; n++) draft.add(8 + n, { categoryId: '1' })

    expect(draft.finish).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringContaining(message),
        details: Array.from({ length: count }, (_, n) =>
          expect.objectContaining({ line: 8 + n, field: 'name' }),
        ),
      }),
    )
  },
)

it('an import stops at the hundred and first faulty line', () => {
  const fault = { field: 'line', message: 'must be a JSON object' }
  const openFaulty = () => {
    const draft = openImportDraft()
    for (let line = 1; line <= 100; line++) draft.refuse(line, [fault])
    return draft
  }
  const end = expect.objectContaining({
    message:
      'More than 100 lines are faulty, so no pet was added; the first is line 1, line must be a JSON object.',
    details: Array.from({ length: 100 }, (_, n) => ({ ...fault, line: n + 1 })),
  })

  expect(() => openFaulty().refuse(101, [fault])).toThrow(end)
  expect(() => openFaulty().add(101, {})).toThrow(end)
})

it('invalid lines count towards the 10,000 lines of an import', () => {
  const draft = openImportDraft()
  for (let line = 1; line < 10_000; line++) draft.add(line, { name: 'Max', categoryId: '1' })
  draft.refuse(10_000, [])

  const tooMany = expect.objectContaining({
    code: 'body_too_large',
    message: 'An import holds at most 10000 pets.',
  })
  expect(() => draft.refuse(10_001, [])).toThrow(tooMany)
})
