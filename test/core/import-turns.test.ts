import { expect, it, onTestFinished } from 'vitest'
import { openImportDraft } from '../../src/core/import-draft.ts'
import { openImport } from '../../src/core/import-pets.ts'
import { openImportRoom } from '../../src/core/import-room.ts'
import type { Project } from '../../src/core/projects.ts'
import { manyPets } from '../support/import.ts'
import { startApp } from '../support/start-app.ts'

it('on the embedded database, which does one thing after the other, others have their turn between two imports', async () => {
  const app = await startApp({ env: { DATABASE_URL: '' } })
  onTestFinished(app.stop)
  const { project } = await app.makeProject()
  const importPets = openImport(app.tools)
  const draft = openImportDraft()
  manyPets(3_000).forEach((pet, index) => {
    draft.add(index + 1, { ...pet, categoryId: `${pet.categoryId}` })
  })
  const pets = draft.finish()
  let readsBetween = 0
  let imported = 0

  const imports = [1, 2].map(() => importPets(project, pets, null).then(() => imported++))
  while (imported < 2) {
    await app.tools.db.project.count()
    if (imported === 1) readsBetween++
  }
  await Promise.all(imports)

  expect(app.tools.database.pool).toBe(null)
  expect(readsBetween).toBeGreaterThan(0)
})

it('imports of all projects together take no more than there is, to the byte, and whoever is done makes room', () => {
  const openPlace = openImportRoom({ ofProject: 60, ofAll: 100 })
  const placeOf = (id: number) => openPlace({ id } as Project)
  const refusal = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 })
  const [one, two, three] = [placeOf(1), placeOf(2), placeOf(3)]

  one.take(60)
  two.take(40)
  expect(() => three.take(1)).toThrow(refusal)
  three.free()
  two.free()
  // Once more is as if it had not been, and so is what still comes in.
  two.free()
  two.take(1_000)
  const four = placeOf(3)
  four.take(40)

  expect(() => four.take(1)).toThrow(refusal)
})
