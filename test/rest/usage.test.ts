import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movableClock } from '../support/clock.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const clock = movableClock()
const day = (ago: number) => new Date(clock.now() - ago * 86_400_000).toISOString().slice(0, 10)
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

/**
 * Inserts past usage: the project's usage by day and API, and the API key's usage by hour and API. The column `door`
 * names the API.
 */
async function makeUse(store: TestProject): Promise<void> {
  const { id: projectId } = store.project
  const row = { projectId, refusals: 1n, faulty: 2n, failed: 3n }
  const { usage, keyUsage } = app.tools.db
  const at = (ago: number) => new Date(`${day(ago)}T00:00:00Z`)
  await usage.createMany({
    data: [
      { ...row, day: at(3), door: 'rest', requests: 10n },
      { ...row, day: at(3), door: 'mcp', requests: 20n },
      { ...row, day: at(2), door: 'rest', requests: 4_000_000_000n },
      { ...row, day: at(40), door: 'graphql', requests: 7n },
    ],
  })
  const apiKeyId = store.keyId
  await keyUsage.createMany({
    data: [
      { ...row, apiKeyId, hour: at(3), door: 'rest', requests: 10n },
      { ...row, apiKeyId, hour: at(40), door: 'rest', requests: 70n },
    ],
  })
}

const of = (requests: number, rows: number) => ({
  ...{ requests, faulty: 2 * rows, failed: 3 * rows, refusals: rows, served: requests - 5 * rows },
})

describe('the usage report', () => {
  it('the usage report covers exactly the requested days, whether the usage is grouped by day, by API or by key', async () => {
    const store = await app.makeProject()
    await makeUse(store)
    const { slug } = store.project
    const within = `from=${day(3)}&to=${day(2)}`

    const byDay = await store.get(`/v1/usage?${within}`)
    const byDoor = await store.get(`/v1/usage?${within}&by=door`)
    const byKey = await store.get(`/v1/usage?${within}&by=key`)
    const longer = await store.get(`/v1/usage?from=${day(40)}&to=${day(3)}&by=key`)
    const lastDay = await store.get(`/v1/usage?from=${day(2)}&to=${day(2)}`)

    expect(byDay.json).toEqual([
      { id: `usage:${slug}:${day(3)}`, day: day(3), final: true, ...of(30, 2) },
      { id: `usage:${slug}:${day(2)}`, day: day(2), final: true, ...of(4_000_000_000, 1) },
    ])
    expect(byDoor.json).toEqual([
      { door: 'mcp', ...of(20, 1) },
      { door: 'rest', ...of(4_000_000_010, 2) },
    ])
    const key = { keyId: store.keyId, keyPrefix: store.secret.slice(0, 11) }
    expect(byKey.json).toEqual([{ ...key, ...of(10, 1) }])
    expect(longer.json).toEqual([{ ...key, ...of(80, 2) }])
    expect(lastDay.json).toMatchObject([{ day: day(2) }])
  })

  it('the usage report by key has the 1,000 keys with the most requests', async () => {
    const store = await app.makeProject()
    const { id: projectId } = store.project
    await app.tools.db.$executeRaw`
      WITH made AS (
        INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
        SELECT gen_random_uuid(), ${projectId}::int, n, 'as_' || n, sha256(convert_to(${store.secret}::text || n, 'UTF8')), '{}'
        FROM generate_series(1, 1001) n RETURNING id, name::int AS n
      )
      INSERT INTO key_usage (project_id, api_key_id, hour, door, requests, refusals, faulty, failed)
      SELECT ${projectId}::int, id, ${day(3)}::timestamptz, 'rest', n, 0, 0, 0 FROM made`

    const { json } = await store.get(`/v1/usage?from=${day(3)}&to=${day(3)}&by=key`)

    const prefixes = (json as { keyPrefix: string }[]).map(({ keyPrefix }) => keyPrefix)
    expect(prefixes).toEqual(Array.from({ length: 1_000 }, (_, n) => `as_${1_001 - n}`))
  })

  it('the usage report as CSV has its rows under the names of the fields', async () => {
    const store = await app.makeProject()
    await makeUse(store)
    const { slug } = store.project

    const { text, headers } = await store.get(`/v1/usage?from=${day(3)}&to=${day(3)}&format=csv`)
    const byDoor = await store.get(`/v1/usage?from=${day(40)}&to=${day(40)}&by=door&format=csv`)

    const again = await store.get(`/v1/usage?from=${day(3)}&to=${day(3)}&format=csv`, {
      'if-none-match': String(headers.etag),
    })
    expect(again.status).toBe(304)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(text).toBe(
      `id,day,final,requests,served,faulty,failed,refusals\r\nusage:${slug}:${day(3)},${day(3)},true,30,20,4,6,2\r\n`,
    )
    expect(byDoor.text).toBe('door,requests,served,faulty,failed,refusals\r\ngraphql,7,2,2,3,1\r\n')
  })

  it('the usage report includes today, and the row of a day becomes final an hour after the day ends, under the same id', async () => {
    const store = await app.makeProject()
    await store.get('/v1/pets')
    const today = day(0)
    const read = async () =>
      (await store.get(`/v1/usage?from=${today}&to=${today}`)).json as {
        id: string
        final: boolean
        requests: number
      }[]
    await expect.poll(async () => (await read())[0]?.requests, { timeout: 20_000 }).toBeGreaterThan(0)

    const [before] = await read()
    clock.advance(Date.parse(today) + 25 * 3_600_000 - clock.now() - 600_000)
    const [almost] = await read()
    clock.advance(600_000)
    const [after] = await read()

    expect([before?.final, almost?.final, after?.final]).toEqual([false, false, true])
    expect(new Set([before?.id, almost?.id, after?.id])).toEqual(
      new Set([`usage:${store.project.slug}:${today}`]),
    )
  })

  it.each([
    ['from=2026-02-30', 'from'],
    ['from=2026-11-01T00:00:00Z', 'from'],
    ['to=', 'to'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['from=2026-01-01&to=2026-11-01', 'from'],
    ['by=hour', 'by'],
    ['format=xml', 'format'],
    ['limit=1', 'limit'],
  ])('the usage report ?%s is refused', async (query, field) => {
    const { json } = await (await app.makeProject()).get(`/v1/usage?${query}`)

    expect(json).toMatchObject({ code: 'invalid_input', details: [{ field }] })
  })

  it('the usage report shows only its own project, and needs project:read', async () => {
    const [one, other] = [await app.makeProject(), await app.makeProject()]
    await makeUse(one)

    const own = await other.get(`/v1/usage?from=${day(40)}&to=${day(2)}&by=key`)
    const lacking = await (await one.issueKey(['pets:read'])).get('/v1/usage')

    expect(own.json).toEqual([])
    expect(lacking.json).toMatchObject({ code: 'insufficient_scope' })
  })
})
