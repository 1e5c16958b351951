import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { AnimalStore, etagOf, StoreError, type StoreOptions } from '../../clients/typescript/src/index.ts'
import { backoffMs, mayRepeat, waitMs } from '../../clients/typescript/src/repeat.ts'
import { movableClock } from '../support/clock.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { findProgram } from '../support/programs.ts'
import { startPostgres } from '../support/services.ts'
import { type App, startApp } from '../support/start-app.ts'

const clock = movableClock()
let app: App
let proxy: CuttingProxy
beforeAll(async () => {
  app = await startApp({ clock })
  proxy = await startCuttingProxy(app.url)
})
afterEach(() => {
  proxy.requests.length = 0
})
afterAll(async () => {
  proxy.stop()
  await app.stop()
})

type Limits = { perMinute?: number; perDay?: number }

async function openStore(limits: Limits = {}, options: Partial<StoreOptions> = {}) {
  const { secret } = await app.makeProject(limits)
  return new AnimalStore({ url: proxy.url, key: secret, ...options })
}

const pet = { name: 'Max', categoryId: 1n }
const keysSent = () => proxy.requests.map(({ head }) => /^idempotency-key: (.+)$/im.exec(head)?.[1])

describe('a creation', () => {
  it.each([
    ['before the request arrives', 'unheard'],
    ['before the answer', 'unanswered'],
    ['during the answer', 'half-answered'],
  ] as const)(
    'a creation whose connection is cut %s is retried with its idempotency key, and made once',
    async (_, cut) => {
      const store = await openStore()
      proxy.cutNext(cut, cut)

      const made = await store.pets.create(pet)

      expect(await Array.fromAsync(store.pets.list())).toEqual([made])
      const [first, second, third] = keysSent()
      expect(first).toMatch(/^"[\d-]{20,}"$/)
      expect([second, third]).toEqual([first, first])
    },
  )

  it('each creation sends the idempotency key of the call, or else a new key', async () => {
    const store = await openStore()

    const first = await store.pets.create(pet)
    const second = await store.pets.create(pet)
    const named = await store.pets.create(pet, { idempotencyKey: 'shipment 7' })
    const again = await store.pets.create(pet, { idempotencyKey: 'shipment 7' })

    expect(new Set([first.id, second.id, named.id]).size).toBe(3)
    expect(again).toEqual(named)
    expect(new Set(keysSent()).size).toBe(3)
  })

  it('a retry of a creation waits while the first attempt is still running', async ({ skip }) => {
    if (!app.tools.config.databaseUrl)
      return skip('PostgreSQL is not installed: on the embedded database nothing runs side by side')
    const project = await app.makeProject()
    const store = new AnimalStore({ url: proxy.url, key: project.secret })
    const rival = await app.tools.database.pool?.connect()
    await rival?.query(`SELECT pg_advisory_lock(hashtextextended('${project.project.id}:k', 0))`)

    const made = store.pets.create(pet, { idempotencyKey: 'k' })
    await expect.poll(() => proxy.requests.length).toBe(1)
    setTimeout(() => rival?.release(true), 500)

    expect(await made).toMatchObject(pet)
    expect(proxy.requests).toHaveLength(2)
  })
})

describe('a change with ifMatch', () => {
  it('categories.set with ifMatch is not retried, because the tag no longer matches if the first attempt has already changed the category', async () => {
    const store = await openStore()
    const ifMatch = etagOf(await store.categories.set(7n, 'Dogs'))
    proxy.requests.length = 0
    proxy.cutNext('unanswered')

    const failure = await store.categories.set(7n, 'Hounds', { ifMatch }).catch(failure => failure)

    expect(failure).toMatchObject({ code: 'connection_failed' })
    expect(proxy.requests).toHaveLength(1)
    expect(await store.categories.get(7n)).toMatchObject({ name: 'Hounds' })
  })

  it('orders.approve with ifMatch is retried, and returns the order that it approved', async () => {
    const store = await openStore()
    const { id: petId } = await store.pets.create(pet)
    const order = await store.orders.place({ petId })
    proxy.requests.length = 0
    proxy.cutNext('unanswered')

    const approved = await store.orders.approve(order.id, { ifMatch: etagOf(order) })

    expect(approved).toMatchObject({ id: order.id, status: 'approved' })
    expect(proxy.requests).toHaveLength(2)
  })
})

describe('a 429', () => {
  it('after a 429 all calls of a store wait until the limit resets', async () => {
    const store = await openStore({ perMinute: 2 })
    await store.pets.create(pet)
    clock.advance(50_000)
    await store.pets.create(pet)
    await expect(store.pets.create(pet, { retries: 0 })).rejects.toMatchObject({ code: 'rate_limited' })

    await Promise.all([store.pets.create(pet), store.pets.create(pet)])

    const [refused, ...held] = proxy.requests.slice(2).map(({ at }) => at)
    expect(held).toHaveLength(2)
    for (const at of held) expect(at - Number(refused)).toBeGreaterThan(1_000)
  })

  it('many concurrent calls never get their key banned', async () => {
    const store = await openStore({ perMinute: 20, perDay: 25 })
    await store.pets.create(pet)
    clock.advance(50_000)

    const calls = await Promise.allSettled(Array.from({ length: 100 }, () => store.pets.create(pet)))

    const codes = calls.map(call => (call.status === 'rejected' ? call.reason.code : 'made'))
    expect(codes.filter(code => code === 'made')).toHaveLength(24)
    expect(codes.filter(code => code === 'rate_limited')).toHaveLength(76)
    expect(proxy.requests.length).toBeLessThan(25 + 50)
  })

  it('getRateLimit does not wait after a 429', async () => {
    const store = await openStore({ perMinute: 1 })
    await store.pets.create(pet)
    await expect(store.pets.create(pet, { retries: 0 })).rejects.toMatchObject({ code: 'rate_limited' })
    const begun = performance.now()

    const { windows } = await store.getRateLimit()

    expect(windows[0]).toMatchObject({ name: 'minute', limit: 1, remaining: 0 })
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('a 429 is thrown at once if its wait is longer than the deadline', async () => {
    const store = await openStore({ perDay: 1 })
    await store.pets.create(pet)
    const begun = performance.now()

    const refused = await store.pets.create(pet).catch(failure => failure)

    expect(refused).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(refused.retryAfterSeconds).toBeGreaterThan(80_000)
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(proxy.requests).toHaveLength(2)
  })

  it('a later call is sent even after a daily limit was reached, because the plan may have changed', async () => {
    const project = await app.makeProject({ perDay: 1 })
    const store = new AnimalStore({ url: proxy.url, key: project.secret, retries: 0 })
    await store.pets.create(pet)
    await expect(store.pets.create(pet)).rejects.toMatchObject({ code: 'rate_limited' })

    await app.tools.db.project.update({ where: { id: project.project.id }, data: { requestsPerDay: 5 } })

    await expect
      .poll(() => store.pets.create(pet).catch(({ code }) => code), { timeout: 5_000 })
      .toMatchObject(pet)
  })
})

describe('a 503', () => {
  it('a 503 is retried until the store can reach its database again', async ({ skip }) => {
    if (!findProgram('postgres')) return skip('PostgreSQL is not installed')
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const broken = await startApp({ env: { DATABASE_URL: postgres.url } })
    onTestFinished(() => broken.stop())
    const seen: number[] = []
    const store = new AnimalStore({
      url: broken.url,
      key: (await broken.makeProject()).secret,
      fetch: async (...request) => {
        const answer = await fetch(...request)
        if (answer.status === 503 && !seen.includes(503)) await postgres.restart()
        seen.push(answer.status)
        return answer
      },
    })

    await postgres.kill9()
    const made = await store.pets.create(pet)

    expect(seen[0]).toBe(503)
    expect(seen.at(-1)).toBe(201)
    expect(await Array.fromAsync(store.pets.list())).toEqual([made])
  })
})

describe('a call', () => {
  it('a call ends at its deadline if the store does not answer', async () => {
    const { store, silence } = await openSilentStore()
    silence.hold()
    const begun = performance.now()

    const failure = await store.pets.create(pet, { deadlineMs: 300 }).catch(failure => failure)

    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({ code: 'deadline_exceeded', status: null })
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('a call retries after an attempt without an answer', async () => {
    const { store, silence } = await openSilentStore()
    silence.hold()
    setTimeout(() => silence.release(), 300)

    const made = await store.pets.create(pet, { attemptMs: 200, retries: 50 })

    expect(await Array.fromAsync(store.pets.list())).toEqual([made])
  })

  it('a call ends as soon as its signal is aborted: before, during or between its attempts', async () => {
    const { store, silence } = await openSilentStore()
    const limited = await openStore({ perMinute: 1 })
    await limited.pets.create(pet)
    silence.hold()
    const reason = new Error('not wanted any more')
    const begun = performance.now()

    const ended = [
      store.pets.create(pet, { signal: AbortSignal.abort(reason) }),
      store.pets.create(pet, { signal: abortSoon(reason) }),
      limited.pets.create(pet, { signal: abortSoon(reason) }),
      limited.pets
        .list({}, { signal: abortSoon(reason) })
        .pages()
        [Symbol.asyncIterator]()
        .next(),
    ]

    for (const call of ended) await expect(call).rejects.toBe(reason)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('a queued call ends with its signal or its deadline, and frees its place in the queue', async () => {
    const { store, silence } = await openSilentStore()
    silence.hold()
    const before = Array.from({ length: 16 }, () => store.pets.create(pet))
    const reason = new Error('not wanted any more')

    const eight = Array.from({ length: 8 })
    const aborted = eight.map(() => store.pets.create(pet, { signal: abortSoon(reason) }))
    const late = eight.map(() => store.pets.create(pet, { deadlineMs: 100 }))

    const failures = await Promise.all([...aborted, ...late].map(call => call.catch(failure => failure)))
    expect(failures.slice(0, 8)).toEqual(Array(8).fill(reason))
    for (const failure of failures.slice(8)) expect(failure).toMatchObject({ code: 'deadline_exceeded' })
    silence.release()
    await Promise.all([...before, ...Array.from({ length: 20 }, () => store.pets.create(pet))])
    expect(await Array.fromAsync(store.pets.list())).toHaveLength(36)
  })

  it('a call stops after the given number of retries', async () => {
    const store = await openStore({}, { retries: 1 })
    proxy.cutNext('unheard', 'unheard')

    await expect(store.pets.create(pet)).rejects.toMatchObject({ code: 'connection_failed', status: null })

    expect(proxy.requests).toHaveLength(2)
  })
})

it('an unsafe call is retried only after a refusal that changed nothing', () => {
  const failures = [
    new StoreError('rate_limited', '', { status: 429 }),
    new StoreError('connection_failed', ''),
    new StoreError('unavailable', '', { status: 503 }),
    new StoreError('unexpected_answer', '', { status: 502 }),
    new StoreError('request_timeout', '', { status: 408 }),
    new StoreError('idempotency_in_flight', '', { status: 409 }),
    new StoreError('internal_error', '', { status: 500 }),
    new StoreError('invalid_input', '', { status: 400 }),
    new StoreError('deadline_exceeded', ''),
  ]

  expect(failures.map(failure => mayRepeat(failure, false))).toEqual([true, ...Array(8).fill(false)])
  expect(failures.map(failure => mayRepeat(failure, true))).toEqual([
    ...Array(6).fill(true),
    ...Array(3).fill(false),
  ])
})

it('the delay between attempts doubles up to ten seconds, and half of it is random', () => {
  const least = [0, 1, 2, 3, 20].map(repeats => backoffMs(repeats, () => 0))
  const most = [0, 1, 2, 3, 20].map(repeats => backoffMs(repeats, () => 1))

  expect(least).toEqual([125, 250, 500, 1_000, 5_000])
  expect(most).toEqual([250, 500, 1_000, 2_000, 10_000])
})

it('the delay before a retry is added to the Retry-After of the store', () => {
  const failure = new StoreError('unavailable', '', { status: 503, retryAfterSeconds: 7 })

  expect(waitMs(failure, 1)).toBeGreaterThanOrEqual(7_250)
  expect(waitMs(failure, 1)).toBeLessThanOrEqual(7_500)
})

async function openSilentStore() {
  const silence = await startHoldingProxy(Number(new URL(app.url).port))
  onTestFinished(() => silence.stop())
  const { secret } = await app.makeProject()
  return { silence, store: new AnimalStore({ url: `http://127.0.0.1:${silence.port}`, key: secret }) }
}

function abortSoon(reason: Error): AbortSignal {
  const ending = new AbortController()
  setTimeout(() => ending.abort(reason), 100)
  return ending.signal
}
