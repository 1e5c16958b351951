import { expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { tidy } from '../../src/jobs/tidy.ts'
import { movableClock } from '../support/clock.ts'
import { freshDatabase } from '../support/databases.ts'

it('fails as a whole while its database is away, which whoever runs it hears', async () => {
  const { env, remove } = await freshDatabase()
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.DATA_DIR ?? '',
  })
  await database.close()
  await remove()
  const work = tidy(database.db, movableClock())

  // Vitest fails by itself on what nobody hears.
  await expect(work.run(null, AbortSignal.timeout(10_000))).rejects.toThrow()
})
