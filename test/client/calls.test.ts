import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnimalStore, type Deprecation, type StoreOptions } from '../../clients/typescript/src/index.ts'

const pet = { name: 'Max', categoryId: 1n }
const made = '{"id":5,"name":"Max","categoryId":1}'
const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((failure: unknown) => failure)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'Date'] })
  vi.setSystemTime('2026-12-01T09:30:00.500Z')
})
afterEach(() => {
  vi.useRealTimers()
})

/** Makes a store that gives these answers in turn, and then repeats the last one. */
function openStore(answers: (() => Response | Promise<Response>)[], options: Partial<StoreOptions> = {}) {
  const requests: (RequestInit | undefined)[] = []
  const send: typeof fetch = async (_url, init) => {
    const answer = answers[Math.min(requests.push(init), answers.length) - 1]
    return answer?.() ?? Response.error()
  }
  return {
    requests,
    store: new AnimalStore({ url: 'http://store.test', key: 'as_key', fetch: send, retries: 0, ...options }),
  }
}

const say =
  (text: string, headers: Record<string, string> = {}, status = 200) =>
  () =>
    new Response(text, { status, headers })
const refuse = (headers: Record<string, string>, status = 503) =>
  say('{"code":"unavailable","message":"Later."}', headers, status)

describe('an answer', () => {
  it.each([
    '',
    '<h1>',
    'null',
    '[]',
    '"text"',
    '7',
    '{"code":"x"}',
    '{"message":"x"}',
    '{"code":7,"message":"x"}',
  ])(
    'an answer that is not a refusal of the store throws unexpected_answer with its status: %j',
    async text => {
      const headers = { 'x-request-id': 'r-1', 'retry-after': '7' }
      const { store } = openStore([say(text, headers, 500)])

      expect(await failureOf(store.getInventory())).toMatchObject({
        name: 'StoreError',
        code: 'unexpected_answer',
        message: "The answer with status 500 is not the store's.",
        status: 500,
        details: [],
        requestId: 'r-1',
        retryAfterSeconds: 7,
      })
    },
  )

  it('a refusal throws an error with its fields, its request id and its Retry-After', async () => {
    const details = [{ field: 'name', message: 'must be shorter' }]
    const refusal = JSON.stringify({ code: 'invalid_input', message: 'No.', status: 400, details })
    const { store } = openStore([say(refusal, { 'x-request-id': 'r-2', 'retry-after': '1' }, 400)])

    expect(await failureOf(store.pets.create(pet))).toMatchObject({
      ...{ code: 'invalid_input', message: 'No.', status: 400, details },
      ...{ requestId: 'r-2', retryAfterSeconds: 1 },
    })
  })

  it('a failed connection throws an error with its address and its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { store } = openStore([() => Promise.reject(cause)])

    expect(await failureOf(store.pets.create(pet))).toMatchObject({
      ...{ code: 'connection_failed', message: 'No answer came from http://store.test.', cause },
      ...{ status: null, details: [], requestId: null, retryAfterSeconds: null },
    })
  })

  it('a failed connection throws an error with the code of its reason, if the platform says one', async () => {
    const cause = new TypeError('fetch failed', { cause: { code: 'CERT_HAS_EXPIRED' } })
    const { store } = openStore([() => Promise.reject(cause)])

    expect(await failureOf(store.pets.create(pet))).toMatchObject({
      code: 'connection_failed',
      message: 'No answer came from http://store.test (CERT_HAS_EXPIRED).',
    })
  })

  it('an answer whose text breaks off throws an error', async () => {
    const broken = new ReadableStream({ pull: controller => controller.error(new TypeError('terminated')) })
    const { store } = openStore([() => new Response(broken)])

    expect(await failureOf(store.getInventory())).toMatchObject({ code: 'connection_failed' })
  })

  it('a call without an answer fails with deadline_exceeded if its deadline has passed, and with connection_failed if only its last attempt timed out', async () => {
    const { store } = openStore([() => new Promise(() => {})])
    const hang: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const slow = new AnimalStore({ url: 'http://store.test', key: 'as_key', fetch: hang, retries: 0 })

    const calls = [
      slow.getInventory({ attemptMs: 100 }),
      slow.getInventory({ deadlineMs: 100 }),
      slow.getInventory({ deadlineMs: 100, attemptMs: 100 }),
    ].map(failureOf)
    await vi.advanceTimersByTimeAsync(100)

    const late = { message: 'No answer came from http://store.test in time.', status: null }
    expect(await Promise.all(calls)).toMatchObject([
      { ...late, code: 'connection_failed' },
      { ...late, code: 'deadline_exceeded' },
      { ...late, code: 'deadline_exceeded' },
    ])
    expect(store.rateLimit).toBeNull()
  })

  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Tue, 01 Dec 2020 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'Tue, 01 Dec 2026 09:30:07 GMT' }, 7],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('an answer with %j sets retryAfterSeconds', async (headers, retryAfterSeconds) => {
    const { store } = openStore([refuse(headers)])

    expect(await failureOf(store.getInventory())).toMatchObject({ code: 'unavailable', retryAfterSeconds })
  })
})

describe('the last known limits', () => {
  const limits = (limit: string, remaining: string, reset: string) => ({
    ...{ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset },
  })

  it('store.rateLimit comes from the last answer that had valid limit headers', async () => {
    const { store } = openStore([
      say(made, limits('60', '59', '1796117460')),
      say(made),
      say(made, { ...limits('60', '9', ''), 'x-ratelimit-reset': '' }),
      say('{"code":"unauthorized","message":"No."}', limits('10', '9', '1'), 401),
      refuse(limits('1000', '0', '1796117999')),
    ])
    const known = []

    for (let i = 0; i < 5; i++) {
      await failureOf(store.getInventory())
      known.push(store.rateLimit)
    }

    const first = { limit: 60, remaining: 59, resetAt: new Date(1_796_117_460_000) }
    const last = { limit: 1000, remaining: 0, resetAt: new Date(1_796_117_999_000) }
    expect(known).toEqual([first, first, first, first, last])
  })

  it('store.rateLimit does not come from a refused read of the limits, which has the limits of the management budget', async () => {
    const { store } = openStore([
      say('{"code":"rate_limited","message":"No."}', limits('300', '0', '1'), 429),
    ])

    await failureOf(store.getRateLimit())

    expect(store.rateLimit).toBeNull()
  })
})

describe('a deprecation', () => {
  const since = { deprecation: '@1793491200' }
  const links =
    '<http://a.test/x>; rel="help", <http://a.test/v1/pets>; rel="successor-version" , <http://a.test/doc>;rel="deprecation"'
  const notice = { operation: 'getInventory', since: new Date('2026-11-01') }

  it.each<[Record<string, string>, Partial<Deprecation>[]]>([
    [{}, []],
    [{ deprecation: 'true', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }, []],
    [{ sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: links }, []],
    [since, [{ ...notice, removedAt: null, successor: null, documentation: null }]],
    [
      { ...since, sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', link: links },
      [
        {
          ...notice,
          removedAt: new Date('2030-12-05'),
          successor: 'http://a.test/v1/pets',
          documentation: 'http://a.test/doc',
        },
      ],
    ],
  ])('the deprecation in an answer with %j is read', async (headers, expected) => {
    const received: Deprecation[] = []
    const { store } = openStore([say('{}', headers)], { onDeprecation: one => received.push(one) })

    await store.getInventory()

    expect(received).toEqual(expected)
  })

  it('onDeprecation is called once for each operation, even for a refusal', async () => {
    const received: string[] = []
    const answers = [refuse(since), say('{}', since)]
    const { store } = openStore(answers, { onDeprecation: ({ operation }) => received.push(operation) })

    await failureOf(store.getInventory())
    for (let i = 0; i < 2; i++) await Promise.all([store.getInventory(), store.getRateLimit()])

    expect(received).toEqual(['getInventory', 'getRateLimit'])
    expect(await openStore(answers.slice(1)).store.getInventory()).toEqual({})
  })
})

it('a Retry-After delays later calls of the client only if the refusal is a 429', async () => {
  const { store, requests } = openStore([
    refuse({ 'retry-after': '30' }),
    refuse({ 'retry-after': '30' }, 409),
    say('{}'),
  ])

  for (let i = 0; i < 2; i++)
    expect(await failureOf(store.getInventory())).toMatchObject({ retryAfterSeconds: 30 })

  expect(await store.getInventory()).toEqual({})
  expect(requests).toHaveLength(3)
})

describe('the options of a call', () => {
  it('each option of a call overrides only the same option of the store', async () => {
    const away = openStore([() => Promise.reject(new TypeError('fetch failed'))], { retries: 2 })
    const slow = openStore([() => new Promise(() => {})], { deadlineMs: 5_000, attemptMs: 5_000 })
    const calls = [away.store.getInventory({ retries: 1 }), away.store.getInventory({ retries: 0 })].map(
      failureOf,
    )

    await vi.advanceTimersByTimeAsync(60_000)

    expect(await Promise.all(calls)).toMatchObject(Array(2).fill({ code: 'connection_failed' }))
    expect(away.requests).toHaveLength(2 + 1)
    const signals = () => slow.requests.map(init => init?.signal?.aborted)
    for (const options of [{}, { attemptMs: 10 }, { deadlineMs: 10 }])
      void failureOf(slow.store.getInventory(options))
    await vi.advanceTimersByTimeAsync(10)
    expect(signals()).toEqual([false, true, true])
    await vi.advanceTimersByTimeAsync(4_990)
    expect(signals()).toEqual([true, true, true])
  })

  it('a signal ends a call between attempts, and the deadline ends a call during an attempt', async () => {
    const stopping = new AbortController()
    const reason = new Error('not wanted any more')
    const { store, requests } = openStore([refuse({ 'retry-after': '30' })], { retries: 50 })
    const hang: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const hanging = new AnimalStore({ url: 'http://store.test', key: 'as_key', fetch: hang })

    const stopped = failureOf(store.getInventory({ signal: stopping.signal }))
    const late = failureOf(hanging.getInventory({ attemptMs: 700, deadlineMs: 1_000 }))
    await vi.advanceTimersByTimeAsync(999)
    expect(await Promise.race([stopped, late, 'under way'])).toBe('under way')
    stopping.abort(reason)
    await vi.advanceTimersByTimeAsync(1)

    expect(await Promise.race([stopped, 'waits on'])).toBe(reason)
    expect(await Promise.race([late, 'waits on'])).toMatchObject({ code: 'deadline_exceeded' })
    expect(requests).toHaveLength(1)
  })

  it('a call removes its listeners from the signal, however it ends', async () => {
    const { signal } = new AbortController()
    const listeners: number[] = []
    const { store } = openStore([
      () => {
        listeners.push(getEventListeners(signal, 'abort').length)
        return Response.json(JSON.parse(made))
      },
      refuse({ 'retry-after': '1' }, 429),
      say(made),
      refuse({}, 400),
      say('{}'),
    ])
    const lines = () => ReadableStream.from([new TextEncoder().encode('{}\n')])

    await store.pets.create(pet, { signal })
    const held = store.pets.create(pet, { signal, retries: 1 })
    await vi.advanceTimersByTimeAsync(3_000)
    await held
    await failureOf(store.pets.create(pet, { signal }))
    await store.pets.import(lines(), { signal })
    await store.pets.import(lines().values() as AsyncIterable<Uint8Array>, { signal })

    expect(listeners).toEqual([1])
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an input that is sent as a header', () => {
  it.each(['', 'order-€7', 'a\nb', 'k'.repeat(256)])(
    'an idempotency key that the store would refuse is not sent: %j',
    async idempotencyKey => {
      const { store, requests } = openStore([say(made)])
      const message = 'must be 1 to 255 printable ASCII characters'

      expect(await failureOf(store.pets.create(pet, { idempotencyKey }))).toMatchObject({
        ...{ name: 'StoreError', code: 'invalid_input', message: `idempotencyKey ${message}.`, status: null },
        details: [{ field: 'idempotencyKey', message }],
      })
      expect(requests).toEqual([])
    },
  )

  it('an idempotency key of the greatest allowed length is sent', async () => {
    const { store, requests } = openStore([say(made)])
    const idempotencyKey = ` ${'~'.repeat(254)}`

    await store.pets.create(pet, { idempotencyKey })

    expect(new Headers(requests[0]?.headers).get('idempotency-key')).toBe(`"${idempotencyKey}"`)
  })

  it.each(['', '"€"', '"a\nb"'])('a tag that no header can hold is not sent: %j', async ifMatch => {
    const { store, requests } = openStore([say(made)])

    expect(await failureOf(store.pets.update(5n, { name: 'Rex' }, { ifMatch }))).toMatchObject({
      ...{ name: 'StoreError', code: 'invalid_input', message: 'ifMatch must be a tag from etagOf.' },
      details: [{ field: 'ifMatch', message: 'must be a tag from etagOf' }],
    })
    expect(requests).toEqual([])
  })
})

describe('the source of an import', () => {
  const csv = 'name,categoryId\n'
  const typed = (type: string) => new Blob([csv], { type })

  it.each<[string, string | Blob, 'csv' | 'ndjson' | undefined, string]>([
    ['a text', csv, undefined, 'application/x-ndjson'],
    ['a text with the format CSV', csv, 'csv', 'text/csv'],
    ['a text that looks like a media type', 'text/csv', undefined, 'application/x-ndjson'],
    ['a file', typed(''), undefined, 'application/x-ndjson'],
    ['a file of CSV', typed('text/csv'), undefined, 'text/csv'],
    ['a file of CSV with a charset', typed('text/csv;charset=utf-8'), undefined, 'text/csv'],
    ['a file of another media type', typed('application/json'), undefined, 'application/x-ndjson'],
    ['a file of CSV with the format NDJSON', typed('text/csv'), 'ndjson', 'application/x-ndjson'],
    ['a file of another media type with the format CSV', typed('text/plain'), 'csv', 'text/csv'],
  ])('an import is sent with the right media type: %s', async (_what, source, format, type) => {
    const { store, requests } = openStore([say('{"imported":0}')])

    await store.pets.import(source, { format })

    const [init] = requests
    expect(new Headers(init?.headers).get('content-type')).toBe(type)
    const sent = new Response(init?.body).body?.pipeThrough(new DecompressionStream('gzip'))
    expect(await new Response(sent).text()).toBe(source === 'text/csv' ? source : csv)
  })

  it('an import stops reading its source when the source exceeds the size limit of the store', async () => {
    let isLeft = false
    const large = new ReadableStream<Uint8Array>({
      pull: controller => controller.enqueue(new Uint8Array(6_000_000)),
      cancel() {
        isLeft = true
      },
    })
    const { store, requests } = openStore([say('{"imported":0}')])

    expect(await failureOf(store.pets.import(large))).toMatchObject({
      code: 'body_too_large',
      message: 'An import holds at most 10 MB.',
      status: null,
    })
    expect([isLeft, requests]).toEqual([true, []])
  })
})
