import { expect, it, onTestFinished } from 'vitest'
import { openImportDraft } from '../../src/core/import-draft.ts'
import { openImport } from '../../src/core/import-pets.ts'
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
