import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnimalStore } from '../../clients/typescript/src/index.ts'
import { numberAll } from '../support/events.ts'
import { standIn } from '../support/stand-in.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

/** Cuts each stream after some bytes, sometimes in the middle of an event. */
const cutting: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  let left = 50 + Math.floor(Math.random() * 900)
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      controller.enqueue(bytes.subarray(0, left))
      left -= bytes.length
      if (left <= 0) controller.error(new TypeError('terminated'))
    },
  })
  return new Response(answer.body?.pipeThrough(cut), { headers: answer.headers })
}

async function firstOf(client: AnimalStore): Promise<string | undefined> {
  for await (const { id } of client.events.list()) return id
  return undefined
}

test('events.follow yields each event once and in order, even if its connection breaks again and again', async () => {
  const store = await app.makeProject()
  const client = new AnimalStore({ url: app.url, key: store.secret, fetch: cutting })
  // Add a pet to get the id of an event from which to follow. Without such an id, `follow` would skip the events before
  // its connection.
  await store.post('/v1/pets', { name: 'First', categoryId: 1 })
  await expect.poll(() => firstOf(client), { timeout: 20_000 }).toBeTypeOf('string')
  const after = await firstOf(client)
  const made: string[] = []
  const adding = (async () => {
    for (let n = 0; n < 20; n++) {
      const { json } = await store.post('/v1/pets', { name: `Pet ${n}`, categoryId: '9007199254740993' })
      made.push(`pet:${(json as { id: number }).id}`)
    }
  })()

  const seen: string[] = []
  const numbers: bigint[] = []
  for await (const event of client.events.follow({ after })) {
    numbers.push(BigInt(event.number))
    if (event.type === 'pet.created') seen.push(String('subject' in event && event.subject))
    if (seen.length === 20) break
  }
  await adding

  expect(seen).toEqual(made)
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0n) + BigInt(i)))
}, 90_000)

test('events.follow without a start position misses no event of a log that is empty at first, even if its connection breaks before the first event', async () => {
  const store = await app.makeProject()
  let answers = 0
  const cutOnce: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (++answers > 1 || !answer.body) return answer
    // The connection breaks after the beginning of the stream; then a pet is added before the client connects again.
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      async transform(bytes, controller) {
        controller.enqueue(bytes)
        await store.post('/v1/pets', { name: 'Between', categoryId: 1 })
        await numberAll(app.tools)
        controller.error(new TypeError('terminated'))
      },
    })
    return new Response(answer.body.pipeThrough(cut), { headers: answer.headers })
  }
  const client = new AnimalStore({ url: app.url, key: store.secret, fetch: cutOnce })

  const { value: event } = await client.events.follow().next()

  expect(event).toMatchObject({ type: 'pet.created', data: { name: 'Between' } })
  expect(answers).toBe(2)
})

test('events.follow throws the reason of its signal, and throws a refusal that a retry would not change', async () => {
  const client = new AnimalStore({ url: app.url, key: store.secret })
  const following = client.events.follow({}, { signal: AbortSignal.timeout(500) })
  await expect(following.next()).rejects.toMatchObject({ name: 'TimeoutError' })
  await expect(client.events.follow({ after: '00000001-1' }).next()).rejects.toMatchObject({
    code: 'event_expired',
  })
  const foreign = new AnimalStore({ url: app.url, key: (await store.issueKey(['pets:read'])).secret })
  await expect(foreign.events.follow().next()).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('events.follow connects again if the store does not answer before the deadline of a call', async () => {
  let requests = 0
  const url = await standIn((_request, response) => {
    if (++requests === 1) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 00000001-1\ndata: {"id":"00000001-1","type":"pet.created"}\n\n')
  })
  const following = new AnimalStore({ url, key: 'as_x', deadlineMs: 500 }).events.follow()

  const { value: event } = await following.next()
  await following.return()

  expect(event).toEqual({ id: '00000001-1', type: 'pet.created' })
})
