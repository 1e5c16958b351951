import { hash } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { sendGraphql } from '../support/graphql.ts'
import { lowestOf } from '../support/lowest.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'
import { countStatements, watchStatements } from '../support/statements.ts'

/**
 * `here` creates projects in this process. The other two processes share one PostgreSQL and one Redis, as in
 * production.
 */
let here: App
let pair: Running[]
let env: Record<string, string>
let opsPorts: number[]
const operatorKey = 'operator-of-the-tests-0123456789abcdef'
beforeAll(async () => {
  const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
  if (!database.env.DATABASE_URL || !redisUrl) return
  env = {
    ...{ DATABASE_URL: database.env.DATABASE_URL, REDIS_URL: redisUrl },
    OPERATOR_KEY: `mara:${operatorKey}`,
  }
  opsPorts = [await freePort(), await freePort()]
  here = await startApp({ env })
  pair = await Promise.all(opsPorts.map(port => startProcess({ ...env, OPS_PORT: String(port) })))
  await Promise.all(pair.map(process => process.printed(answersAt)))
})
afterAll(async () => {
  for (const { child } of pair ?? []) child.kill('SIGTERM')
  await Promise.all((pair ?? []).map(process => process.ended))
  await here?.stop()
})

describe('two processes on one Redis', () => {
  it('two processes together accept exactly 60 of 200 concurrent requests, in each of five rounds', async ({
    skip,
  }) => {
    if (!here) return skip('redis-server or PostgreSQL is not installed')
    const passed: number[] = []

    for (let round = 0; passed.length < 5 && round < 50; round++) {
      const { secret } = await here.makeProject({ plan: 'free' })
      const headers = { authorization: `Bearer ${secret}` }
      const before = await countedInMemory()
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => ask(`${pair[i % 2]?.url}/v1/pets`, { headers })),
      )
      // If Redis did not answer in time, each process counted alone, as intended. Such a round proves nothing.
      if ((await countedInMemory()) > before) continue
      passed.push(answers.filter(answer => answer.status === 200).length)
      expect(answers.filter(answer => answer.status === 429)).toHaveLength(140)
    }

    expect(passed).toEqual(Array(5).fill(60))
  }, 60_000)

  it('two processes ban a key together', async ({ skip }) => {
    if (!here) return skip('redis-server or PostgreSQL is not installed')
    const { secret } = await here.makeProject({ perMinute: 5 })
    const headers = { authorization: `Bearer ${secret}` }
    const knock = (i: number) => ask(`${pair[i % 2]?.url}/v1/pets`, { headers })
    await Promise.all(Array.from({ length: 5 + 16 }, (_, i) => knock(i)))

    for (const i of [0, 1]) expect((await knock(i)).json).toMatchObject({ code: 'key_banned' })
    expect(await metrics()).toMatch(/^animal_store_bans_total [1-9]/m)
    expect(await metrics()).toMatch(/^animal_store_refusals_total\{reason="banned"\} [1-9]/m)
    expect(await metrics()).toMatch(
      /^animal_store_request_seconds_count\{method="GET",route="\/v1\/pets",status="200"\} \d+/m,
    )
  })

  it("an operator's ban or reset in one process applies in the other at once, and the log names the operator", async ({
    skip,
  }) => {
    if (!here) return skip('redis-server or PostgreSQL is not installed')
    const store = await here.makeProject({ perMinute: 2 })
    const headers = { authorization: `Bearer ${store.secret}` }
    const knock = () => ask(`${pair[1]?.url}/v1/pets`, { headers })
    const act = async (query: string) =>
      (await sendGraphql(pair[0]?.url ?? '', operatorKey, `mutation { ${query} }`)).data
    const [id, slug] = [`key_${store.keyId}`, store.project.slug]

    await act(`banApiKey(input: { id: "${id}", seconds: 60 }) { inAllProcesses }`)
    const banned = await knock()
    await act(`liftBan(input: { id: "${id}" }) { wasBanned }`)
    const statuses = [(await knock()).status, (await knock()).status, (await knock()).status]
    await act(`resetRateLimit(input: { id: "project_${slug}" }) { inAllProcesses }`)

    expect(banned.json).toMatchObject({ code: 'key_banned' })
    expect(statuses).toEqual([200, 200, 429])
    expect((await knock()).status).toBe(200)
    // Skip the last line, which may be incomplete, and lines about other projects, which earlier runs of this test
    // made.
    const lines = () =>
      (pair[0]?.output() ?? '')
        .split('\n')
        .slice(0, -1)
        .filter(line => line.includes('"operator: ') && line.includes(`"${slug}"`))
    await expect.poll(() => lines().length).toBe(3)
    const who = { operator: 'mara', project: slug, requestId: expect.any(String) }
    const key = store.secret.slice(0, 11)
    expect(lines().map(line => JSON.parse(line))).toMatchObject([
      { ...who, msg: 'operator: API key banned', key, seconds: 60, endsAt: expect.any(String) },
      { ...who, msg: 'operator: ban of an API key lifted', key, wasBanned: true },
      { ...who, msg: "operator: project's rate limit reset" },
    ])
  })

  it('neither PostgreSQL nor Redis has a key in plain text', async ({ skip }) => {
    if (!here) return skip('redis-server or PostgreSQL is not installed')
    const store = await here.makeProject()
    await store.post('/v1/pets', { name: 'Max', categoryId: 1 }, { 'idempotency-key': 'k' })
    const redis = new Redis(env.REDIS_URL ?? '')

    const keys = await redis.keys('*')
    const values = await Promise.all(
      keys.map(async key => JSON.stringify(await redis.dump(key).then(String))),
    )
    const tables = await here.tools.database.pool?.query(`
      SELECT query_to_xml(format('SELECT * FROM %I', tablename), true, false, '')::text AS rows
      FROM pg_tables WHERE schemaname = 'public'`)

    const dump = [...keys, ...values, ...(tables?.rows.map(row => row.rows) ?? [])].join('\n')
    expect(dump).toContain('store-')
    expect(dump).not.toContain(store.secret)
    redis.disconnect()
  })

  it('an uncached list of pets takes one round trip to Redis and one SQL statement for the pets', async ({
    skip,
  }) => {
    if (!here) return skip('redis-server or PostgreSQL is not installed')
    const store = await here.makeProject()
    await store.get('/v1/pets')
    const redis = new Redis(env.REDIS_URL ?? '')
    const spy = await new Redis(env.REDIS_URL ?? '').monitor()
    let sent: string[][] = []
    let lastRound = 0
    spy.on('monitor', (_time, args: string[], source: string) => {
      if (args[0] === 'echo') lastRound = Number(args[1])
      if (source !== 'lua' && args.some(arg => arg.includes(`{${store.project.id}}`))) sent.push(args)
    })
    const { tools } = here
    if (!tools.database.pool) return skip('PostgreSQL is not installed')

    for (let round = 1; round <= 20; round++) {
      sent = []
      const before = countedInMemoryIn(tools.metrics.text())
      const statements = watchStatements()
      // Use other limits in each round, so that no page is cached.
      for (let i = 0; i < 5; i++) await store.get(`/v1/pets?limit=${5 * round - i}`)
      statements.stop()
      // Redis reports this command after the commands of the requests, so wait for it.
      await redis.echo(String(round))
      await expect.poll(() => lastRound).toBe(round)

      // After a delay, a process counts alone for a moment, or looks up the key again. Such a round proves nothing.
      const ofKeys = statements.about('api_keys', 'projects')
      if (round < 20 && (countedInMemoryIn(tools.metrics.text()) > before || ofKeys > 3)) continue
      expect(sent).toHaveLength(5)
      expect(statements.about('pets')).toBe(5)
      expect(ofKeys).toBeLessThanOrEqual(3)
      break
    }
    spy.disconnect()
    redis.disconnect()
  })

  it('whole GraphQL answers are cached too, for operations sent as text and by hash', async ({ skip }) => {
    if (!here?.tools.database.pool) return skip('redis-server or PostgreSQL is not installed')
    const store = await here.makeProject()
    await store.post('/v1/pets', { name: 'Max', categoryId: 1 })
    const query = '{ pets(first: 7) { nodes { name } } }'
    const persistedQuery = { version: 1, sha256Hash: hash('sha256', query) }
    await store.post('/graphql', { query, extensions: { persistedQuery } })

    for (const sent of [{ query }, { extensions: { persistedQuery } }]) {
      // Send the requests one after the other, so that no two share a statement. After a delay, a process does not
      // trust its cache for a moment, so use the lowest of several counts.
      const statements = await lowestOf(6, 15, () =>
        countStatements(['pets'], async () => {
          for (let i = 0; i < 20; i++) {
            expect((await store.post('/graphql', sent)).json).toEqual({
              data: { pets: { nodes: [{ name: 'Max' }] } },
            })
          }
        }),
      )
      expect(statements).toBeLessThan(15)
    }
  })
})

const countedInMemory = async () => countedInMemoryIn(await metrics())

function countedInMemoryIn(text: string): number {
  const counts = text.matchAll(/^animal_store_charges_total\{counted_in="memory"\} (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Returns the metrics of both processes together. */
async function metrics(): Promise<string> {
  const texts = await Promise.all(
    opsPorts.map(async port => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  )
  return texts.join('\n')
}
