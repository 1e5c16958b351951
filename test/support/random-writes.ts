import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { randomOf } from './random.ts'

type Store = { url: string; key: string; fetch: typeof fetch; databaseUrl: string; projectId: number }

const paceMs = 60

/**
 * Writes at random over REST, GraphQL and MCP and by SQL until the signal aborts. Ignores a write that a killed process
 * breaks off.
 */
export async function writeAtRandom(
  { url, key, fetch, databaseUrl, projectId }: Store,
  random: ReturnType<typeof randomOf>,
  signal: AbortSignal,
): Promise<void> {
  const sql = new pg.Client({ connectionString: databaseUrl })
  await sql.connect()
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.text()
  }
  const graphql = (query: string) => send('POST', '/graphql', { query })
  const pets: string[] = []
  const pet = () => random.oneOf(pets.length > 0 ? pets : ['1'])
  const name = () => `Pet ${random.below(1000)}`
  const writes = [
    async () => {
      const [, id] = /"id":(\d+)/.exec(await send('POST', '/v1/pets', { name: name(), categoryId: 1 })) ?? []
      if (id) pets.push(id)
    },
    () => send('PATCH', `/v1/pets/${pet()}`, { name: name() }),
    () => send('DELETE', `/v1/pets/${pet()}`),
    () => send('POST', '/v1/store/orders', { petId: Number(pet()) }),
    () => graphql(`mutation { petCreate(input: { name: "${name()}", categoryId: 2 }) { pet { id } } }`),
    () => graphql(`mutation { apiKeyIssue(input: { name: "${name()}", scopes: [pets_read] }) { secret } }`),
    () =>
      send('POST', '/mcp', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'add_pet', arguments: { name: name(), categoryId: '3' } },
      }),
    async () => {
      await sql.query('BEGIN')
      await sql.query('INSERT INTO pets (project_id, name, category_id) VALUES ($1, $2, 4)', [
        projectId,
        name(),
      ])
      // During this pause, other transactions write and commit newer events.
      await pause(random.below(200))
      await sql.query('UPDATE pets SET category_id = category_id + 1 WHERE project_id = $1 AND id = $2', [
        projectId,
        pet(),
      ])
      await sql.query(random.below(4) === 0 ? 'ROLLBACK' : 'COMMIT')
    },
  ]
  while (!signal.aborted) {
    await random
      .oneOf(writes)()
      .catch(error => {
        // Killing a process breaks off its requests, but not the SQL statements, which the test sends directly.
        if (error instanceof pg.DatabaseError) throw error
      })
    await pause(paceMs)
  }
  await sql.end()
}
