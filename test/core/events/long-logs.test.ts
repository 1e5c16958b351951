import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAudit } from '../../../src/core/events/audit-log.ts'
import { readEvents } from '../../../src/core/events/log.ts'
import { readEventsBackward } from '../../../src/core/events/log-backward.ts'
import type { Statements } from '../../../src/database/statements.ts'
import { type FreshDatabase, freshDatabase } from '../../support/databases.ts'
import { canRace } from '../../support/open-database.ts'

type Node = { 'Relation Name'?: string; 'Actual Rows': number; Plans?: Node[] }

const limit = 20
const project = { id: 3 }
const anyEvent = { kind: null, types: null, subject: null, limit }
const anyEntry = { actor: null, types: null, subject: null, since: null, until: null, from: null, limit }
const pages: Record<string, (database: Statements) => Promise<unknown>> = {
  'the first events': database => readEvents(database, project, { ...anyEvent, after: null }),
  'the last events': database => readEventsBackward(database, project, { ...anyEvent, before: null }),
  'the first audit entries': database => readAudit(database, { ...anyEntry, project, towards: 'newer' }),
  'the last audit entries': database => readAudit(database, { ...anyEntry, project, towards: 'older' }),
  'the first audit entries of all projects': database =>
    readAudit(database, { ...anyEntry, project: null, towards: 'newer' }),
  'the last audit entries of all projects': database =>
    readAudit(database, { ...anyEntry, project: null, towards: 'older' }),
}

// PostgreSQL chooses a plan by its statistics, so the statistics are up to date here.
describe.skipIf(!canRace())('in a log of 1,600 events of each of ten projects', () => {
  let database: FreshDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await freshDatabase()
    client = new pg.Client({ connectionString: database.env.DATABASE_URL })
    await client.connect()
    await client.query(`
      SET session_replication_role = replica;
      INSERT INTO events (project_id, era, number, at, is_management, type, data, actor)
      SELECT project, 1, number, now() - number * interval '1 second', number % 2 = 0, 'pet.created', pet_json(number, 'Rex', 1, 'sold')::json, '{}'
      FROM generate_series(1, 1600) AS number, generate_series(1, 10) AS project ORDER BY number, project;
      INSERT INTO event_numbers (project_id, last) SELECT project, 1600 FROM generate_series(1, 10) AS project;
      ANALYZE`)
  })
  afterAll(async () => {
    await client.end()
    await database.remove()
  })

  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    it.each(Object.entries(pages))(`a page of %s reads only its rows (${mode})`, async (_, read) => {
      await client.query(`SET plan_cache_mode = ${mode}`)
      const most: number[] = []
      await read({
        async run({ text, values }) {
          most.push(await mostRowsOfEvents(text, values))
          return []
        },
      })

      expect(most).toEqual([limit + 1])
    })
  }

  /** Returns the most rows that a part of the plan reads from the table `events`. */
  async function mostRowsOfEvents(text: string, values: readonly unknown[]): Promise<number> {
    await client.query(`PREPARE page AS ${text}`)
    const given = values.map(value => (value === null ? 'NULL' : pg.escapeLiteral(String(value))))
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page (${given.join(', ')})`,
    )
    await client.query('DEALLOCATE page')
    const nodes = rows[0]?.['QUERY PLAN'].map(({ Plan }) => Plan) ?? []
    for (const node of nodes) nodes.push(...(node.Plans ?? []))
    const ofEvents = nodes.filter(node => node['Relation Name'] === 'events')
    return Math.max(...ofEvents.map(node => node['Actual Rows']))
  }
})
