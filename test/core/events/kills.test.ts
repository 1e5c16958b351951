import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readEvents } from '../../../src/core/events/log.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { freshDatabase } from '../../support/databases.ts'
import { numberAll } from '../../support/events.ts'
import { canRace } from '../../support/open-database.ts'

const script = resolve(import.meta.dirname, '../../support/numbering-process.ts')
const kills = 4
const pick = (most: number) => Math.floor(Math.random() * most)

/** Starts a process that numbers events, and kills it after some of its turns. */
async function numberUntilKilled(url: string, signal: AbortSignal): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  signal.addEventListener('abort', () => child.kill('SIGKILL'))
  let turns = 1 + pick(10)
  child.stdout?.on('data', chunk => {
    turns -= String(chunk).split('turn').length - 1
    if (turns <= 0) child.kill('SIGKILL')
  })
  await ended
}

describe.skipIf(!canRace())('events', () => {
  it('events are numbered without gaps, and replaying them gives the current pets, even if the numbering process is killed', {
    timeout: 120_000,
  }, async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const url = env.DATABASE_URL ?? ''
    const database = await openDatabase({ databaseUrl: url, dataDir: '' })
    onTestFinished(database.close)
    const projects = await Promise.all(
      ['one', 'two'].map(slug => database.db.project.create({ data: { slug, name: slug } })),
    )
    let killed = 0
    const enough = new AbortController()

    async function write(writer: number): Promise<void> {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      while (killed < kills) {
        await client.query('BEGIN')
        for (let n = pick(3); n >= 0; n--) {
          const project = projects[pick(2)]?.id
          const id = writer * 100 + pick(6)
          const statements = [
            `INSERT INTO pets (id, project_id, name, category_id) VALUES (${id}, ${project}, 'Rex', 1) ON CONFLICT DO NOTHING`,
            `UPDATE pets SET name = 'Rex ' || ${pick(1000)} WHERE project_id = ${project} AND id = ${id}`,
            `DELETE FROM pets WHERE project_id = ${project} AND id = ${id}`,
            `SAVEPOINT s; UPDATE pets SET category_id = ${pick(9)} WHERE id = ${id}; ROLLBACK TO s`,
          ]
          await client.query(statements[pick(4)] ?? '')
        }
        // Pause for a random time before the end of the transaction, so that the order of the commits differs from the
        // order in which the triggers ran.
        await client.query(`SELECT pg_sleep(${Math.random() / 30})`)
        await client.query(pick(5) === 0 ? 'ROLLBACK' : 'COMMIT')
      }
      await client.end()
    }
    async function kill(): Promise<void> {
      while (killed < kills) {
        await numberUntilKilled(url, enough.signal)
        killed++
        if (killed >= kills) enough.abort()
      }
    }
    await Promise.all([...Array.from({ length: 5 }, (_, i) => write(i + 1)), kill(), kill()])
    await numberAll({ database, db: database.db })

    for (const { id } of projects) {
      const wanted = { after: null, types: null, subject: null, limit: 15_000 }
      const { events } = await readEvents(database, { id }, wanted)
      expect(events.length).toBeGreaterThan(20)
      expect(events.map(({ number }) => Number(number))).toEqual(events.map((_, i) => i + 1))
      const pets = new Map<string | null, unknown>()
      for (const { type, subject, data } of events.filter(({ type }) => type.startsWith('pet.'))) {
        // Fails if an event about a change of a pet comes before the event about the creation of the pet.
        expect([type, pets.has(subject)]).toEqual([type, type !== 'pet.created'])
        if (type === 'pet.deleted') pets.delete(subject)
        else pets.set(subject, JSON.parse(data))
      }
      const rows = await database.db.pet.findMany({ where: { projectId: id } })
      const rowsOfPets = rows.map(pet => [
        `pet:${pet.id}`,
        { id: Number(pet.id), name: pet.name, categoryId: Number(pet.categoryId) },
      ])
      expect(Object.fromEntries(pets)).toEqual(Object.fromEntries(rowsOfPets))
    }
  })
})
