import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  AnimalStore,
  type Deprecation,
  etagOf,
  type Pet,
  StoreError,
} from '../../clients/typescript/src/index.ts'
import { movableClock } from '../support/clock.ts'
import { type App, startApp } from '../support/start-app.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const pet = { name: 'Max', categoryId: 1n }

async function openStore(options: Parameters<App['makeProject']>[0] = {}) {
  return new AnimalStore({ url: app.url, key: (await app.makeProject(options)).secret })
}

const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((failure: unknown) => failure)

describe('a refusal', () => {
  it('a refusal throws an error with its code, its status, its faulty fields and its request id', async () => {
    const store = await openStore()

    const failure = await failureOf(store.pets.create({ name: ' ', categoryId: 2n ** 64n }))

    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({
      name: 'StoreError',
      code: 'invalid_input',
      status: 400,
      message: expect.stringContaining('name must be'),
      details: [{ field: 'name' }, { field: 'categoryId' }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      retryAfterSeconds: null,
    })
  })

  it('if the first page of a list is refused, the loop over the list throws the refusal', async () => {
    const store = new AnimalStore({ url: app.url, key: 'as_nobody' })

    const failure = await failureOf(Array.fromAsync(store.pets.list()))

    expect(failure).toMatchObject({ code: 'unauthorized', status: 401, details: [] })
  })

  it('a missing scope and a missing pet have different codes', async () => {
    const store = await openStore({ scopes: ['pets:read'] })

    expect(await failureOf(store.pets.create(pet))).toMatchObject({ code: 'insufficient_scope' })
    expect(await failureOf(store.pets.get(99n))).toMatchObject({ code: 'pet_not_found' })
  })
})

describe('a change', () => {
  it('a change returns the changed pet, and a deletion returns nothing', async () => {
    const store = await openStore()
    const { id } = await store.pets.create({ ...pet, status: 'sold' })

    const changed = await store.pets.update(id, { categoryId: 9007199254740993n, status: null })
    const deleted = await store.pets.delete(id)

    expect(changed).toEqual({ id, name: 'Max', categoryId: 9007199254740993n })
    expect(deleted).toBeUndefined()
    expect(await Array.fromAsync(store.pets.list())).toEqual([])
    expect(await failureOf(store.pets.delete(id))).toMatchObject({ code: 'pet_not_found', status: 404 })
  })

  it('a change or a deletion with an outdated ETag is refused with precondition_failed', async () => {
    const store = await openStore()
    const added = await store.pets.create(pet)
    const changed = await store.pets.update(added.id, { name: 'Moritz' }, { ifMatch: etagOf(added) })

    const late = { ifMatch: etagOf(added) }
    for (const act of [
      () => store.pets.update(added.id, { name: 'Late' }, late),
      () => store.pets.delete(added.id, late),
    ]) {
      expect(await failureOf(act())).toMatchObject({ code: 'precondition_failed', status: 412 })
    }
    const [listed] = await Array.fromAsync(store.pets.list())
    expect(listed).toEqual(changed)
    await store.pets.delete(added.id, { ifMatch: etagOf(changed) })
  })

  it('etagOf refuses an item of a list and a copy, because a change without a tag would not be protected', async () => {
    const store = await openStore()
    const added = await store.pets.create(pet)
    const [listed] = await Array.fromAsync(store.pets.list())

    for (const untagged of [listed as Pet, { ...added }]) {
      const change = async () => store.pets.update(added.id, { name: 'Late' }, { ifMatch: etagOf(untagged) })
      expect(await failureOf(change())).toMatchObject({ code: 'invalid_input', status: null })
    }
    expect(await store.pets.get(added.id)).toEqual(added)
  })
})

describe('an answer from another server', () => {
  const captivePortal: RequestListener = (_, response) => response.end('<h1>Please sign in</h1>')

  it('an answer from a server that is no Animal Store throws unexpected_answer with the status of the answer', async () => {
    const { store, requests } = await openStranger(captivePortal)

    const failure = await failureOf(store.pets.create(pet))

    expect(failure).toMatchObject({ code: 'unexpected_answer', status: 200 })
    expect(requests).toHaveLength(1)
  })

  it.each(['null', '{}', '5'])(
    'an answer to a list that is no list throws unexpected_answer: %s',
    async json => {
      const { store } = await openStranger((_, response) => response.end(json))

      const failure = await failureOf(Array.fromAsync(store.pets.list()))

      expect(failure).toMatchObject({ name: 'StoreError', code: 'unexpected_answer' })
    },
  )

  it.each(['text/html', 'application/json', ''])(
    'an export or an event stream throws unexpected_answer if the answer has another media type: %j',
    async type => {
      const { store, requests } = await openStranger((_, response) => {
        if (type) response.setHeader('content-type', type)
        response.end('{"page":"Please sign in"}')
      })

      const calls = [store.pets.export(), store.events.export(), store.events.follow().next()]

      expect(await Promise.all(calls.map(failureOf))).toMatchObject(
        Array(3).fill({ code: 'unexpected_answer', status: 200 }),
      )
      expect(requests).toHaveLength(3)
    },
  )

  it('a gateway error is retried', async () => {
    const { store, requests } = await openStranger((_, response) => {
      const isLater = requests.length > 1
      response.statusCode = isLater ? 201 : 502
      response.end(isLater ? '{"id":5,"name":"Max","categoryId":1}' : 'Bad Gateway')
    })

    expect(await store.pets.create(pet)).toEqual({ id: 5n, ...pet })
    expect(requests).toHaveLength(2)
  })

  it('the client never follows a redirect with the key', async () => {
    const elsewhere = await openStranger(captivePortal)
    const { store } = await openStranger((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })

    expect(await failureOf(store.pets.create(pet))).toMatchObject({ code: 'unexpected_answer', status: 307 })
    expect(elsewhere.requests).toEqual([])
  })

  it('the client reads a Retry-After that is a date', async () => {
    const { store } = await openStranger((_, response) => {
      response.writeHead(429, { 'retry-after': new Date(Date.now() + 600_000).toUTCString() }).end()
    })

    const failure = (await failureOf(store.pets.create(pet))) as StoreError

    expect(failure.retryAfterSeconds).toBeGreaterThan(590)
    expect(failure.retryAfterSeconds).toBeLessThanOrEqual(600)
  })
})

describe('the limits of a store', () => {
  it('store.rateLimit is updated by every answer, even by a refusal', async () => {
    const store = await openStore({ perMinute: 10, perDay: 100 })
    expect(store.rateLimit).toBeNull()

    await store.pets.create(pet)
    expect(store.rateLimit).toMatchObject({ limit: 10, remaining: 9 })
    await failureOf(store.pets.create({ name: '', categoryId: 1n }))

    expect(store.rateLimit).toMatchObject({ limit: 10, remaining: 8 })
    const leftMs = Number(store.rateLimit?.resetAt) - clock.now()
    expect(leftMs).toBeGreaterThan(50_000)
    expect(leftMs).toBeLessThanOrEqual(61_000)
  })

  it('store.rateLimit stays null after an answer to an invalid key', async () => {
    const store = new AnimalStore({ url: app.url, key: 'as_nobody' })

    await failureOf(store.pets.create(pet))

    expect(store.rateLimit).toBeNull()
  })

  it('getRateLimit returns the limits by minute and by day, and does not count as a request', async () => {
    const store = await openStore({ plan: 'free' })

    await store.getRateLimit()
    const whole = await store.getRateLimit()

    expect(whole).toMatchObject({
      plan: 'free',
      windows: [
        { name: 'minute', limit: 60, remaining: 60 },
        { name: 'day', remaining: 1000 },
      ],
      ban: null,
    })
  })
})

describe('a deprecated operation', () => {
  it('onDeprecation is called once for an operation, with its successor and removal date', async () => {
    const deprecations: Deprecation[] = []
    const { secret } = await app.makeProject()
    const store = new AnimalStore({ url: app.url, key: secret, onDeprecation: one => deprecations.push(one) })
    const { id } = await store.pets.create(pet)

    await failureOf(store.pets.get(id + 1n))
    const found = await store.pets.get(id)

    expect(found).toEqual({ id, ...pet })
    expect(deprecations).toEqual([
      {
        operation: 'getPet',
        since: new Date('2026-11-01'),
        removedAt: new Date('2030-12-05'),
        successor: expect.stringMatching(/\/v1\/pets$/),
        documentation: expect.stringMatching(/\/openapi\.yaml$/),
      },
    ])
  })
})

it.each(['', '/', '/v1', '/v1/'])('the address of a store may end with %j', async ending => {
  const { secret } = await app.makeProject()
  const store = new AnimalStore({ url: `${app.url}${ending}`, key: secret })

  expect(await Array.fromAsync(store.pets.list())).toEqual([])
})

/** Starts a server that answers in the store's place. */
async function openStranger(answer: RequestListener) {
  const requests: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requests.push(request.url)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests, store: new AnimalStore({ url, key: 'as_key' }) }
}
