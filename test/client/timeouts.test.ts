import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AnimalStore, StoreError, type StoreOptions } from '../../clients/typescript/src/index.ts'

type Answer = (signal: AbortSignal) => Response | Promise<Response>

const pet = { name: 'Max', categoryId: 1n }
const made = () => new Response('{"id":5,"name":"Max","categoryId":1}', { status: 201 })
const refused = (retryAfterSeconds: number) =>
  new Response('{"code":"rate_limited","message":"Wait."}', {
    status: 429,
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((failure: unknown) => failure)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Makes a store that gives this answer to each request, and records the time of each request. */
function openStore(answer: Answer, options: Partial<StoreOptions> = {}) {
  const times: number[] = []
  const begun = performance.now()
  const send: typeof fetch = async (_url, init) => {
    times.push(performance.now() - begun)
    return answer(init?.signal as AbortSignal)
  }
  return {
    times,
    store: new AnimalStore({ url: 'http://store.test', key: 'as_key', fetch: send, ...options }),
  }
}

it('sixteen calls run at once, and the longest waiting call runs next', async () => {
  const open: ((answer: Response) => void)[] = []
  let most = 0
  const { store, times } = openStore(
    () =>
      new Promise(resolve => {
        open.push(resolve)
        most = Math.max(most, open.length)
      }),
  )
  const ended: number[] = []
  const calls = Array.from({ length: 40 }, (_, i) => store.pets.create(pet).then(() => ended.push(i)))
  await vi.advanceTimersByTimeAsync(1)
  expect(times).toHaveLength(16)

  while (open.length > 0) {
    open.shift()?.(made())
    await vi.advanceTimersByTimeAsync(1)
  }

  await Promise.all(calls)
  expect(most).toBe(16)
  expect(ended).toEqual(Array.from({ length: 40 }, (_, i) => i))
})

it('an attempt times out after 15 seconds, and a call after two minutes', async () => {
  const usual = openStore(silent)
  const patient = openStore(silent, { attemptMs: Infinity })
  const calls = [usual, patient].map(({ store }) => failureOf(store.pets.create(pet)))
  await vi.advanceTimersByTimeAsync(14_999)
  expect(usual.times).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1 + 250)
  expect(usual.times).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(119_999 - 15_250)
  expect(await Promise.race([calls[1], 'still under way'])).toBe('still under way')
  await vi.advanceTimersByTimeAsync(1)

  expect(await calls[1]).toMatchObject({ code: 'deadline_exceeded' })
  expect(patient.times).toHaveLength(1)
})

it('webhooks.test times out after 25 seconds by default, because the store waits up to 15 seconds for the endpoint', async () => {
  const problem = 'no answer within 15 s'
  const late = () =>
    new Promise<Response>(resolve =>
      setTimeout(() => resolve(Response.json({ status: null, ms: 15_000, answer: '', problem })), 24_000),
    )
  const test = (answer: Answer, options: Partial<StoreOptions> = {}) =>
    openStore(answer, options)
      .store.webhooks.test('0199f1c2')
      .catch((failure: unknown) => failure)

  const answered = test(late)
  const unanswered = test(silent)
  const impatient = test(silent, { attemptMs: 5_000 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await impatient).toMatchObject({ code: 'connection_failed' })
  await vi.advanceTimersByTimeAsync(19_999)
  expect(await answered).toMatchObject({ problem })
  expect(await Promise.race([unanswered, 'still under way'])).toBe('still under way')
  await vi.advanceTimersByTimeAsync(1)

  expect(await unanswered).toMatchObject({ code: 'connection_failed' })
})

it('a failed call is retried five times by default, and an undefined option of a call does not override the setting of the store', async () => {
  const away = () => Promise.reject(new TypeError('fetch failed'))
  const usual = openStore(away)
  const twice = openStore(away, { retries: 2 })
  const failures = [
    failureOf(usual.store.pets.create(pet)),
    failureOf(twice.store.pets.create(pet, { retries: undefined })),
  ]

  await vi.advanceTimersByTimeAsync(60_000)

  for (const failure of await Promise.all(failures))
    expect(failure).toMatchObject({ code: 'connection_failed' })
  expect([usual.times.length, twice.times.length]).toEqual([1 + 5, 1 + 2])
})

it('a timeout may be longer than a timer of JavaScript allows', async () => {
  const { store, times } = openStore(silent, { attemptMs: Infinity, deadlineMs: Infinity })

  const call = failureOf(store.pets.create(pet))
  await vi.advanceTimersByTimeAsync(100_000)

  expect(await Promise.race([call, 'still under way'])).toBe('still under way')
  expect(times).toHaveLength(1)
})

it('if a rate limit outlasts the deadline of calls, the client sends at most one call each second, and the other calls fail with rate_limited', async () => {
  const { store, times } = openStore(() => refused(80_000))
  await failureOf(store.pets.create(pet))

  for (let second = 0; second < 3; second++) {
    const at = times.length
    const calls = Array.from({ length: 50 }, () => failureOf(store.pets.create(pet)))
    await vi.advanceTimersByTimeAsync(999)
    for (const failure of await Promise.all(calls)) expect(failure).toMatchObject({ code: 'rate_limited' })
    expect(times.length - at).toBe(second === 0 ? 0 : 1)
    await vi.advanceTimersByTimeAsync(1)
  }
})

it('a refused event stream reconnects only after the Retry-After, even with zero retries, and other calls of the client do not wait', async () => {
  const streams: number[] = []
  const begun = performance.now()
  const tooMany: typeof fetch = async (_url, init) => {
    if (new Headers(init?.headers).get('accept') !== 'text/event-stream') return new Response('[]')
    streams.push(performance.now() - begun)
    return refused(10)
  }
  const store = new AnimalStore({ url: 'http://store.test', key: 'as_key', fetch: tooMany, retries: 0 })
  const stopping = new AbortController()
  const following = failureOf(store.events.follow({}, { signal: stopping.signal }).next())
  await vi.advanceTimersByTimeAsync(1)

  // No timer fires during this call. So the call would never end if it waited for the 10 seconds of the refused stream.
  expect(await Array.fromAsync(store.pets.list())).toEqual([])
  await vi.advanceTimersByTimeAsync(9_990)
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(streams).toHaveLength(2)
  stopping.abort()

  expect(await following).toMatchObject({ name: 'AbortError' })
})

it('calls that waited for a limit are sent at different moments within a second of its reset', async () => {
  let open = false
  const { store, times } = openStore(() => (open ? made() : refused(10)))
  await failureOf(store.pets.create(pet, { retries: 0 }))
  const calls = Array.from({ length: 16 }, () => store.pets.create(pet))
  await vi.advanceTimersByTimeAsync(9_999)
  expect(times).toHaveLength(1)
  open = true

  await vi.advanceTimersByTimeAsync(1_001)

  await Promise.all(calls)
  expect(times).toHaveLength(1 + 16)
  expect(new Set(times.slice(1)).size).toBeGreaterThan(8)
})

it('neither the deadline nor the signal ends an export that has begun', async () => {
  let end = () => {}
  const { store } = openStore(
    signal =>
      new Response(
        new ReadableStream({
          start(controller) {
            signal.addEventListener('abort', () => controller.error(signal.reason))
            end = () => controller.close()
          },
        }),
        { headers: { 'content-type': 'application/x-ndjson' } },
      ),
  )
  const stopping = new AbortController()

  const stream = await store.pets.export({}, { signal: stopping.signal })
  stopping.abort()
  await vi.advanceTimersByTimeAsync(300_000)
  end()

  expect(await new Response(stream).text()).toBe('')
})

it('a signal ends an import whose source sends no data', async () => {
  const { store, times } = openStore(made)
  let isLeft = false
  const source = new ReadableStream<Uint8Array>({
    cancel() {
      isLeft = true
    },
  })
  const stopping = new AbortController()
  const reason = new Error('not wanted any more')

  const calls = [
    store.pets.import(source, { signal: stopping.signal }),
    store.pets.import(neverEnding(), { signal: stopping.signal }),
    store.pets.import(neverEnding(), { signal: AbortSignal.abort(reason) }),
  ].map(failureOf)
  await vi.advanceTimersByTimeAsync(1)
  stopping.abort(reason)

  expect(await Promise.all(calls)).toEqual([reason, reason, reason])
  expect([isLeft, times.length]).toEqual([true, 0])
})

it("an import is read up to the store's limit in bytes, not characters", async () => {
  const { store, times } = openStore(made)
  const ofBytes = async function* (bytes: number) {
    yield '🦊'.repeat(1_250_000)
    yield '🦊'.repeat(1_249_999)
    yield 'x'.repeat(bytes - 4 * 2_499_999)
  }

  await store.pets.import(ofBytes(10_000_000))

  expect(await failureOf(store.pets.import(ofBytes(10_000_001)))).toBeInstanceOf(StoreError)
  expect(times).toHaveLength(1)
})

async function* neverEnding(): AsyncGenerator<string> {
  yield '{"name":"Max","categoryId":1}\n'
  await new Promise(() => {})
}

it('a call whose time limit is over already fails without a warning of Node.js', async () => {
  const { store } = openStore(silent)
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  vi.useRealTimers()

  const failure = await failureOf(store.pets.create(pet, { deadlineMs: 0 }))

  expect(failure).toMatchObject({ code: 'deadline_exceeded' })
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
