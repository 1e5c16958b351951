import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readInventory } from '../../src/core/pets/inventory.ts'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { addMany, linesOf, manyPets, sendImport } from '../support/import.ts'
import { askOnce, waitUntilCached } from '../support/over-and-over.ts'
import { findProgram } from '../support/programs.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { startRedis } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'
import { connect, has, startTwo } from '../support/two-processes.ts'

const plenty = { perMinute: 1_000_000, perDay: 1_000_000 }
const count = 5_000
const body = (name: string) => linesOf(manyPets(count, name))

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

/**
 * Returns the names of the imports that stored all their pets. Fails if an import stored only a part, or if the
 * inventory has another total.
 */
async function wholeImports(store: TestProject, names: readonly string[]): Promise<string[]> {
  const { db, database } = app.tools
  const found = await Promise.all(
    names.map(name =>
      db.pet.count({ where: { projectId: store.project.id, name: { startsWith: `${name} ` } } }),
    ),
  )
  expect(found.filter(pets => pets !== 0 && pets !== count)).toEqual([])
  expect((await readInventory(database, store.project)).total).toBe(
    found.reduce((sum, pets) => sum + pets, 0),
  )
  return names.filter((_, i) => found[i] === count)
}

/**
 * Waits until the service counts this many requests in flight. The count can fall late: a refused request stays open
 * for a second, so that a client that is still sending can read the answer.
 */
const inFlight = (count: number) => expect.poll(() => app.tools.metrics.requests.inFlight).toBe(count)

function beginImport(store: TestProject, more: string[] = []): string {
  const lines = [
    'host: localhost',
    `authorization: Bearer ${store.secret}`,
    'content-type: application/x-ndjson',
  ]
  return `POST /v1/pets/import HTTP/1.1\r\n${[...lines, ...more].join('\r\n')}\r\n\r\n`
}

describe('an import whose client disconnects', () => {
  it.each([
    [
      'at the end of a line',
      [],
      Buffer.from(
        body('Cut')
          .slice(0, 100_000)
          .replace(/[^\n]+$/, ''),
      ),
    ],
    ['in the middle of a line', [], Buffer.from(body('Cut').slice(0, 100_000))],
    ['in a compressed body', ['content-encoding: gzip'], gzipSync(body('Cut')).subarray(0, 20_000)],
  ])('an import whose client disconnects creates nothing: %s', async (_where, headers, sent) => {
    const store = await app.makeProject()
    const { socket, ended } = await openRawConnection(app.url)

    socket.write(beginImport(store, [...headers, 'content-length: 900000']))
    await new Promise<unknown>(resolve => socket.write(sent, resolve))
    await inFlight(1)
    socket.destroy()
    await ended

    await inFlight(0)
    expect(await wholeImports(store, ['Cut'])).toEqual([])
  })

  it('a truncated import that looks complete is refused', async () => {
    const store = await app.makeProject()
    const packed = gzipSync(body('Cut'))

    const refused = await sendImport(store, 'ndjson', packed.subarray(0, packed.length / 2), {
      'content-encoding': 'gzip',
    })

    expect(refused.json).toMatchObject({ code: 'malformed_request' })
    expect(await wholeImports(store, ['Cut'])).toEqual([])
  })
})

describe('a hundred slow clients', () => {
  it('a hundred slow imports hold no connection to the database, and requests of other projects are served', async () => {
    const [slow, other] = [await app.makeProject(plenty), await app.makeProject(plenty)]
    const connections = await Promise.all(Array.from({ length: 100 }, () => openRawConnection(app.url)))
    for (const { socket } of connections) {
      socket.write(beginImport(slow, ['content-length: 900000']))
      socket.write(body('Slow').slice(0, 10_000))
    }
    await inFlight(100)

    const { pool } = app.tools.database
    await expect.poll(() => (pool ? pool.totalCount - pool.idleCount : 0)).toBe(0)
    await addMany(other, 1_000)
    expect((await slow.get('/v1/pets')).json).toEqual([])

    for (const { socket } of connections) socket.destroy()
    await inFlight(0)
  })

  it('a hundred slow and large imports get a 429 beyond the memory limit, and imports of other projects succeed', async () => {
    const [slow, other] = [await app.makeProject(plenty), await app.makeProject(plenty)]
    const connections = await Promise.all(Array.from({ length: 100 }, () => openRawConnection(app.url)))
    const megabyte = `{"name":"Max","categoryId":1}${' '.repeat(971)}\n`.repeat(1_000)

    for (const { socket } of connections) {
      socket.write(beginImport(slow, ['content-length: 9000000']))
      socket.write(megabyte)
    }
    const refused = await Promise.all(
      connections.slice(0, 60).map(({ answers }) => Promise.race([answers(1), pause(8_000, [])])),
    )
    await addMany(other, 1_000)

    const seen = refused.flat().map(({ status, headers }) => [status, headers.get('retry-after')])
    expect(seen.length).toBeGreaterThan(30)
    expect(new Set(seen.map(String))).toEqual(new Set(['429,1']))
    for (const { socket } of connections) socket.destroy()
    await inFlight(0)
    await addMany(slow, 1_000)
  })

  it('if concurrent imports of a project together need more memory than allowed, some imports get a 429 and the other imports succeed', async () => {
    const store = await app.makeProject(plenty)
    const large = Buffer.from(`{"name":"Max","categoryId":1}${' '.repeat(961)}\n`.repeat(10_000))

    const answers = await Promise.all(Array.from({ length: 10 }, () => sendImport(store, 'ndjson', large)))

    const added = answers.filter(({ status }) => status === 201).length
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]))
    expect((await readInventory(app.tools.database, store.project)).total).toBe(added * 10_000)
    // Another import is accepted, because each of the many finished imports has released its memory.
    expect((await sendImport(store, 'ndjson', large)).status).toBe(201)
  })
})

const hasBoth = findProgram('postgres') && findProgram('redis-server')

describe.skipIf(!hasBoth)('an import', () => {
  it('after an import, a client that reads from another process sees the imported pets', async () => {
    const { store, lists } = await startTwo()
    const { urls, paths } = lists
    await waitUntilCached(lists)

    for (let round = 0; round < 10; round++) {
      const { status } = await fetch(`${urls[round % 2]}/v1/pets/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'text/csv' },
        body: `name,categoryId\nRound ${round},1\n`,
      })
      expect(status).toBe(201)
      for (const path of paths) {
        const seen = await askOnce(urls[(round + 1) % 2] ?? '', path, store)
        expect(has(`Round ${round}"`)(seen.text), `${round} ${path}`).toBe(true)
      }
    }
  })

  it('an import whose process is killed is complete or absent, and not doubled when repeated', async () => {
    const { databaseUrl } = app.tools.config
    const env = {
      DATABASE_URL: databaseUrl ?? '',
      REDIS_URL: (await freshRedis()) ?? '',
    }
    const store = await app.makeProject(plenty)
    const admin = await connect(databaseUrl ?? '')
    const underWay = async () => Number((await admin.query(transactions)).rowCount)
    const names: string[] = []
    let [answered, cut] = [0, 0]
    const send = async (url: string, name: string) => {
      const headers = {
        authorization: `Bearer ${store.secret}`,
        'content-type': 'application/x-ndjson',
        'idempotency-key': name,
      }
      const pending = fetch(`${url}/v1/pets/import`, { method: 'POST', headers, body: body(name) })
      const status = await pending.then(answer => answer.status).catch(() => 0)
      answered++
      return status
    }

    for (const answers of [0, 1, 4]) {
      const service = await startProcess(env)
      await service.printed(answersAt)
      const own = Array.from({ length: 6 }, (_, i) => `Killed ${answers} ${i}`)
      names.push(...own)
      answered = 0
      const sent = own.map(name => send(service.url, name))
      while (answered < answers || (answered < own.length && (await underWay()) === 0)) await pause(1)
      service.child.kill('SIGKILL')
      await service.ended

      const statuses = await Promise.all(sent)
      await expect.poll(underWay).toBe(0)
      const whole = await wholeImports(store, names)
      cut += statuses.filter(status => status === 0).length
      expect(own.filter((name, i) => statuses[i] === 201 && !whole.includes(name))).toEqual([])
    }
    for (const name of names) expect(await send(app.url, name)).toBe(201)
    expect(await wholeImports(store, names)).toEqual(names)
    expect(cut).toBeGreaterThan(0)
  }, 240_000)

  it('an import whose connections PostgreSQL ends is complete or absent, and not doubled when repeated', async () => {
    const store = await app.makeProject(plenty)
    const admin = await connect(app.tools.config.databaseUrl ?? '')
    const names = Array.from({ length: 12 }, (_, i) => `Ended ${i}`)
    const send = (name: string) => sendImport(store, 'ndjson', body(name), { 'idempotency-key': name })
    let isOver = false
    const ending = (async () => {
      while (!isOver) {
        await pause(40)
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE '%transaction%'`,
        )
      }
    })()

    const statuses = await Promise.all(names.map(send))
    isOver = true
    await ending
    const whole = await wholeImports(store, names)

    expect(new Set(statuses.map(({ status }) => status)).difference(new Set([201, 503])).size).toBe(0)
    expect(statuses.some(({ status }) => status === 503)).toBe(true)
    expect(names.filter((name, i) => statuses[i]?.status === 201 && !whole.includes(name))).toEqual([])
    for (const name of names) expect((await send(name)).status).toBe(201)
    expect(await wholeImports(store, names)).toEqual(names)
  })

  it('an import succeeds while Redis is unavailable', async () => {
    const redis = await startRedis()
    const { env, remove } = await freshDatabase()
    const bare = await startApp({ env: { ...env, REDIS_URL: redis.url } })
    const store = await bare.makeProject()
    await addMany(store, 10)

    await redis.kill9()
    await addMany(store, 1_000)

    expect((await store.get('/v1/store/inventory')).json).toMatchObject({ total: 1_010 })
    await bare.stop()
    await redis.stop()
    await remove()
  })
})

const transactions = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
    AND query ~ 'jsonb_array_elements' AND pid <> pg_backend_pid()`
