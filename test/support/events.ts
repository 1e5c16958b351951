import { readEvents } from '../../src/core/events/log.ts'
import { isNumberingDue, numberEvents } from '../../src/core/events/numbering.ts'
import type { Database } from '../../src/database/database.ts'
import type { TestProject } from './start-app.ts'

type Own = { database: Database; db: Database['db'] }

/** Numbers the events that triggers have written. */
export async function numberAll({ database, db }: Own): Promise<void> {
  while (await isNumberingDue(database)) await numberEvents(db)
}

/** Numbers new events and returns the events of a project as objects, after the first `skip`. */
export async function eventsOf(own: Own, projectId: number, skip = 0) {
  await numberAll(own)
  const query = { after: null, types: null, subject: null, limit: 10_000 }
  const { events } = await readEvents(own.database, { id: projectId }, query)
  return events.slice(skip).map(({ number, type, subject, data, previous }) => ({
    number: Number(number),
    type,
    subject,
    data: JSON.parse(data),
    previous: previous === null ? null : JSON.parse(previous),
  }))
}

/** Reads a page of events over REST, and the path of the next page. */
export async function readPage(store: Pick<TestProject, 'get'>, path: string) {
  const { status, json, headers } = await store.get(path)
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
  const next = /<[^>]*?(\/v1\/[^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? null
  return { events: json as unknown[], next }
}
