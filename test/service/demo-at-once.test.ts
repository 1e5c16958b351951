import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { prepareDemo } from '../../src/first-start.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { readCredentials } from '../../src/tools/credentials.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

describe.skipIf(!canRace())('processes that start at once on an empty database', () => {
  const own = prepareOwnDatabase()

  it('make one demo project, and each gets a key of its own to it', async () => {
    const folders = Array.from({ length: 5 }, () => mkdtempSync(join(tmpdir(), 'animal-store-demo-')))
    onTestFinished(() => {
      for (const folder of folders) rmSync(folder, { recursive: true })
    })
    const start = (DATA_DIR: string) => {
      const config = readConfig({ DATABASE_URL: 'postgresql://db/x', SEED_DEMO: '1', DATA_DIR })
      return prepareDemo(config, own.db, systemClock)
    }

    const made = await Promise.all(folders.map(start))

    expect(await own.db.project.findMany({ select: { slug: true } })).toEqual([{ slug: 'demo' }])
    expect(await own.db.category.count()).toBe(6)
    expect(new Set(made.map(credentials => credentials?.apiKey)).size).toBe(folders.length)
    for (const [n, folder] of folders.entries()) expect(readCredentials(folder)).toEqual(made[n])
    // A later start finds its key again, and nothing is made anew.
    expect(await start(folders[0] ?? '')).toEqual(made[0])
    expect(await own.db.apiKey.count()).toBe(folders.length)
  })
})
