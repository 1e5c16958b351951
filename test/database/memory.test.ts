import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { freshDatabase } from '../support/databases.ts'
import { oldBytesPerCall } from '../support/garbage.ts'
import { findProgram } from '../support/programs.ts'

const text = `select g::text, repeat('x', 100) from generate_series(1, 300) g`

test.skipIf(!findProgram('postgres'))(
  'an answered statement leaves the memory without a full garbage collection',
  async () => {
    const { env, remove } = await freshDatabase()
    const database = await openDatabase({ databaseUrl: env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(async () => {
      await database.close()
      await remove()
    })

    const bytes = await oldBytesPerCall(1000, () => database.run({ name: 'rows', text, values: [] }))

    expect(bytes).toBeLessThan(10_000)
  },
)
