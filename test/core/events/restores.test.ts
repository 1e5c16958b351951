import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readEvents } from '../../../src/core/events/log.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { administer, freshDatabase } from '../../support/databases.ts'
import { eventsOf, numberAll } from '../../support/events.ts'
import { canRace } from '../../support/open-database.ts'
import { findProgram } from '../../support/programs.ts'

describe.skipIf(!canRace())('events after a restore', () => {
  it('after a restore, PostgreSQL has statistics of all tables, and the restore prints nothing', async () => {
    const { url, dump } = await storeToDump()
    const database = await openDatabase({ databaseUrl: url, dataDir: '' })
    onTestFinished(database.close)
    execFileSync(findProgram('pg_dump') ?? '', ['-Fc', '-f', dump, url])

    const { stdout, stderr } = spawnSync('bash', ['deploy/postgres/restore.sh', dump], {
      env: { ...process.env, DATABASE_URL: url },
      encoding: 'utf8',
    })

    expect(stdout + stderr).toBe('')
    const without = await database.db.$queryRaw`
      SELECT relname FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples < 0`
    expect(without).toEqual([])
  })

  it.each([
    ['the whole backup', '', ['pets.replaced', 'pet.created']],
    ['the data alone', 'TRUNCATE pets, told, events, event_numbers, event_era', []],
  ])(
    'after a restore of %s, reading on from a lost event is refused, and the ids of new events have a new era',
    async (_, first, expected) => {
      const { url, dump } = await storeToDump()
      const open = async () => {
        const database = await openDatabase({ databaseUrl: url, dataDir: '' })
        return { database, db: database.db }
      }
      const before = await open()
      const { id } = await before.db.project.create({ data: { slug: 'shop', name: 'Shop' } })
      const addPet = (n: number) =>
        administer(url, `INSERT INTO pets (id, project_id, name, category_id) VALUES (${n}, ${id}, 'Rex', 7)`)
      await addPet(1)
      await numberAll(before)
      const tables = ['pets', 'told', 'events', 'event_numbers', 'event_era'].flatMap(name => ['-t', name])
      execFileSync(findProgram('pg_dump') ?? '', ['-Fc', '-f', dump, ...(first ? tables : []), url])
      await addPet(2)
      await numberAll(before)
      const types = ['pet.created', 'pets.replaced'] as const
      const query = { after: null, types, subject: null, limit: 100 }
      const { reached: lost, events: old } = await readEvents(before.database, { id }, query)
      await before.database.close()

      if (first) {
        await administer(url, `${first} CASCADE`)
        execFileSync(findProgram('pg_restore') ?? '', ['--data-only', '-d', url, dump])
      } else {
        execFileSync('bash', ['deploy/postgres/restore.sh', dump], {
          env: { ...process.env, DATABASE_URL: url },
        })
      }
      const after = await open()
      onTestFinished(after.database.close)
      await numberAll(after)
      await addPet(3)
      const found = (await eventsOf(after, id, 2)).map(({ type }) => type)

      expect(found.filter(type => type !== 'pets.replaced').at(-1)).toBe('pet.created')
      expect(found).toContain('pets.replaced')
      if (expected.length > 0) expect(found).toEqual(expected)
      const { events } = await readEvents(after.database, { id }, query)
      expect(events[0]).toEqual(old[0])
      expect(events[1]?.era).not.toBe(old[1]?.era)
      await expect(readEvents(after.database, { id }, { ...query, after: lost })).rejects.toMatchObject({
        code: 'event_expired',
      })
      expect((await readEvents(after.database, { id }, { ...query, after: old[0] ?? null })).events).toEqual(
        events.slice(1),
      )
    },
  )
})

/** Makes an empty database and a path for its dump. Both are removed after the test. */
async function storeToDump() {
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { url: env.DATABASE_URL ?? '', dump: join(folder, 'dump') }
}
