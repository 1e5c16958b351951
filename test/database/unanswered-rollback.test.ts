import { expect, test } from 'vitest'
import { openPostgres } from '../../src/database/postgres.ts'
import { askDatabase } from '../faults/ground.ts'
import { findProgram } from '../support/programs.ts'
import { startPostgres } from '../support/services.ts'

test.skipIf(!findProgram('postgres'))(
  'a write is stored even if an earlier transaction on its connection was not rolled back in time',
  async () => {
    const postgres = await startPostgres()
    const database = await openPostgres({
      databaseUrl: postgres.url,
      directUrl: null,
      // One connection for the log of changes, and one for everything else.
      poolSize: 2,
      readAgain: () => null,
    })
    try {
      await database.migrated
      await askDatabase(postgres.url, 'CREATE TABLE kept (number int)')
      const refused = database.db.$transaction(async tx => {
        await tx.$executeRaw`INSERT INTO kept VALUES (1)`
        postgres.pause()
        await tx.$executeRaw`INSERT INTO kept VALUES (2)`
      })
      await expect(refused).rejects.toThrow()
      postgres.resume()

      await database.run({ name: 'keep', text: 'INSERT INTO kept VALUES ($1::int)', values: [3] })
      expect(await askDatabase(postgres.url, 'SELECT number FROM kept')).toEqual([{ number: 3 }])
    } finally {
      await database.close()
      await postgres.stop()
    }
  },
)
