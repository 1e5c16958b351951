import { hash } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPersistedQueries } from '../../src/graphql/persisted-queries.ts'
import { freshRedis } from '../support/databases.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { findProgram } from '../support/programs.ts'

const keyOf = (text: string) => `apq:${hash('sha256', text)}`
const place = 'animal-store:persisted-query:'

describe.skipIf(!findProgram('redis-server'))('persisted queries in Redis', () => {
  let redis: Redis
  beforeAll(async () => {
    redis = new Redis((await freshRedis()) ?? '')
  })
  afterAll(() => redis?.disconnect())

  /** Reads like another process, which has no query in memory yet. */
  const elsewhere = (text: string) => openPersistedQueries(redis).get(keyOf(text))

  it('persisted queries take at most 4,096 Redis keys and expire after thirty days', async () => {
    const queries = openPersistedQueries(redis)
    const texts = Array.from({ length: 20_000 }, (_, n) => `{ made_up_${n} }`)

    await Promise.all(texts.map(text => queries.set(keyOf(text), text)))

    const places = await redis.keys(`${place}*`)
    expect(places.length).toBeGreaterThan(4_000)
    expect(places.length).toBeLessThanOrEqual(4_096)
    expect(await redis.ttl(places[0] ?? '')).toBeGreaterThan(30 * 86_400 - 60)
    expect(await redis.ttl(places[0] ?? '')).toBeLessThanOrEqual(30 * 86_400)
  })

  it('if two persisted queries share a Redis key, Redis keeps only the later query, and neither hash finds the other query', async () => {
    const first = '{ first }'
    const begin = hash('sha256', first).slice(0, 3)
    let n = 0
    while (!hash('sha256', `{ other_${n} }`).startsWith(begin)) n++
    const queries = openPersistedQueries(redis)
    await queries.set(keyOf(first), first)
    expect(await elsewhere(first)).toBe(first)

    await queries.set(keyOf(`{ other_${n} }`), `{ other_${n} }`)

    expect(await elsewhere(`{ other_${n} }`)).toBe(`{ other_${n} }`)
    expect(await elsewhere(first)).toBeUndefined()
    expect(await queries.get(keyOf(first))).toBe(first)
  })

  it.each([
    [16_384, true],
    [16_385, false],
  ])('processes share persisted queries of up to 16,384 characters: %i', async (size, isShared) => {
    const text = `{ ${'x'.repeat(size - 4)} }`
    const queries = openPersistedQueries(redis)

    await queries.set(keyOf(text), text)

    expect(await queries.get(keyOf(text))).toBe(text)
    expect(await elsewhere(text)).toBe(isShared ? text : undefined)
  })

  it('a process reads a persisted query from Redis once and then keeps it in memory', async () => {
    const text = '{ asked_for_once }'
    await openPersistedQueries(redis).set(keyOf(text), text)
    const queries = openPersistedQueries(redis)
    expect(await queries.get(keyOf(text))).toBe(text)

    await redis.flushdb()

    expect(await queries.get(keyOf(text))).toBe(text)
    expect(await elsewhere(text)).toBeUndefined()
  })

  it('a process stores persisted queries of up to a million characters in total, and evicts the oldest', async () => {
    const queries = openPersistedQueries(null)
    const texts = Array.from({ length: 20 }, (_, n) => `{ ${String(n).padStart(59_996, 'x')} }`)

    for (const text of texts) await queries.set(keyOf(text), text)

    const known = await Promise.all(texts.map(text => queries.get(keyOf(text))))
    expect(known.slice(0, 4)).toEqual(Array(4).fill(undefined))
    expect(known.slice(4)).toEqual(texts.slice(4))
  })

  it.each(['is away', 'is silent'])(
    'while Redis %s, a process finds the queries that clients have persisted at this process',
    async how => {
      const [known, other] = ['{ known }', '{ other }']
      const { host = '', port = 0, db } = redis.options
      await openPersistedQueries(redis).set(keyOf(other), other)
      const proxy = await startHoldingProxy(port)
      const broken = new Redis({ host, port: proxy.port, ...(db !== undefined && { db }) })
      await broken.ping()
      if (how === 'is away') broken.disconnect()
      else proxy.hold()
      const queries = openPersistedQueries(broken)

      // Do not await `set`, because Redis does not answer.
      queries.set(keyOf(known), known)

      expect(await queries.get(keyOf(known))).toBe(known)
      expect(await queries.get(keyOf(other))).toBeUndefined()
      proxy.release()
      broken.disconnect()
      proxy.stop()
    },
  )
})
