import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Response } from 'express'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { noteWork } from '../../src/database/owner.ts'
import { openWorkTurns } from '../../src/http/work-turns.ts'
import { countKept } from '../support/garbage.ts'
import { startApp } from '../support/start-app.ts'

const [shop, other] = [1, 2]

afterEach(() => void vi.useRealTimers())

const chargeOf = (perMinute: number) => ({
  ...{ subject: String(shop), points: 1 },
  windows: [{ name: 'minute', seconds: 60, limit: perMinute }],
})
const openResponse = () =>
  Object.assign(new EventEmitter(), { locals: { caller: { project: { id: shop } } } }) as unknown as Response

/**
 * Sends this many requests of one project while another project sends requests too. Time passes only when `begunAfter`
 * says so.
 */
function sendBurst(count: number, perMinute: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  const turns = openWorkTurns()
  const begun: number[] = []
  const responses = Array.from({ length: count }, (_, n) => {
    const response = openResponse()
    noteWork(other)
    Promise.resolve(turns.wait(() => chargeOf(perMinute), response)).then(() => begun.push(n))
    return response
  })
  return {
    answer: (n: number) => responses[n]?.emit('finish'),
    delayOf: (n: number) => responses[n]?.locals.delayedMs,
    /** Lets this much time pass, and returns the requests that have begun. */
    async begunAfter(ms: number) {
      await vi.advanceTimersByTimeAsync(ms)
      return begun
    },
  }
}

test('while other projects send requests, two requests of a burst are served at once, and each answer starts the next request', async () => {
  const { answer, begunAfter } = sendBurst(4, 300)

  expect(await begunAfter(0)).toEqual([0, 1])
  answer(0)
  expect(await begunAfter(0)).toEqual([0, 1, 2])
  answer(1)
  expect(await begunAfter(0)).toEqual([0, 1, 2, 3])
})

test('after 50 ms without an answer, the turn of a request ends and the next request starts, and the late answer starts no further request', async () => {
  const { answer, begunAfter } = sendBurst(6, 300)

  // The turn of a request ends after 50 ms, and `setImmediate` starts the next request. If a timer calls the fake
  // `setImmediate`, the fake `setImmediate` takes 1 ms. So the next requests start after 51 ms.
  expect(await begunAfter(49)).toEqual([0, 1])
  expect(await begunAfter(2)).toEqual([0, 1, 2, 3])
  answer(0)
  expect(await begunAfter(49)).toEqual([0, 1, 2, 3])
  expect(await begunAfter(2)).toEqual([0, 1, 2, 3, 4, 5])
})

test('no request of a burst waits longer than a second, and each request knows how long it waited', async () => {
  const { begunAfter, delayOf } = sendBurst(100, 300)

  expect((await begunAfter(999)).length).toBe(28)
  expect((await begunAfter(1)).length).toBe(100)
  expect([0, 2, 99].map(delayOf)).toEqual([0, 51, 1_000])
})

test('a project with a large budget gets more than two requests served at once, so that the project can use its whole budget', async () => {
  const { begunAfter } = sendBurst(48, 60_000)

  expect((await begunAfter(0)).length).toBe(40)
})

test('the first twenty requests of a burst start one after the other without pauses, and each later request after a pause', async () => {
  const { answer, begunAfter } = sendBurst(40, 300)
  /** Waits 10 ms, answers two requests, and returns how many requests have begun by then. */
  const begunAfterAnswers = async (n: number) => {
    await begunAfter(10)
    answer(n)
    answer(n + 1)
    return (await begunAfter(0)).length
  }

  for (let n = 0; n < 20; n += 2) expect(await begunAfterAnswers(n)).toBe(n + 4)
  expect(await begunAfterAnswers(20)).toBe(22)
  expect((await begunAfter(18)).length).toBe(22)
  expect((await begunAfter(3)).length).toBe(24)
})

test('after the first twenty requests of a burst, even a request of 1 ms is followed by a pause of 20 ms', async () => {
  const { answer, begunAfter } = sendBurst(40, 300)
  for (let n = 0; n < 22; n += 2) {
    await begunAfter(1)
    answer(n)
    answer(n + 1)
    await begunAfter(0)
  }

  expect((await begunAfter(18)).length).toBe(22)
  expect((await begunAfter(3)).length).toBe(24)
})

test('a burst that follows a quiet period starts without pauses again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  const turns = openWorkTurns()
  const serve = async (count: number) => {
    let begun = 0
    const responses = Array.from({ length: count }, () => {
      const response = openResponse()
      noteWork(other)
      Promise.resolve(turns.wait(() => chargeOf(300), response)).then(() => begun++)
      return response
    })
    for (const response of responses) {
      await vi.advanceTimersByTimeAsync(10)
      response.emit('finish')
    }
    await vi.advanceTimersByTimeAsync(0)
    return begun
  }

  await serve(40)
  await vi.advanceTimersByTimeAsync(1_000)

  expect(await serve(20)).toBe(20)
})

test('an answered request can be garbage-collected during the pause after it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  const turns = openWorkTurns()
  const serve = async () => {
    const response = openResponse()
    noteWork(other)
    const begins = turns.wait(() => chargeOf(60_000), response)
    await vi.advanceTimersByTimeAsync(1)
    await begins
    response.emit('finish')
    return new WeakRef(response)
  }

  const answered: WeakRef<Response>[] = []
  for (let n = 0; n < 30; n++) answered.push(await serve())
  await pause(0)

  // The last answers are in their pauses of 20 ms. A few references of the test itself may remain.
  expect(await countKept(answered)).toBeLessThan(3)
})

test('a request that asks for its turn twice, because it is charged twice, waits only once', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const turns = openWorkTurns()
  const response = openResponse()
  const wait = () => {
    noteWork(other)
    return turns.wait(() => chargeOf(300), response)
  }

  const first = wait()

  expect(first).toBeInstanceOf(Promise)
  expect(wait()).toBe(first)
})

test('no request waits while no other project is at work', async () => {
  const turns = openWorkTurns()
  // The previous test, in the same process, may just have served requests of other projects.
  await pause(300)
  noteWork(shop)

  const waits = Array.from({ length: 3 }, () => turns.wait(() => chargeOf(300), openResponse()))

  expect(waits).toEqual([undefined, undefined, undefined])
})

test('a refused request releases its turn before its answer is sent, and only once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  const turns = openWorkTurns()
  const begun: number[] = []
  const responses = [0, 1, 2, 3].map(n => {
    const response = openResponse()
    noteWork(other)
    turns.wait(() => chargeOf(300), response)?.then(() => begun.push(n))
    return response
  })

  turns.end(responses[0] as Response)
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual([0, 1, 2])
  responses[0]?.emit('finish')
  await vi.advanceTimersByTimeAsync(0)

  expect(begun).toEqual([0, 1, 2])
})

test('requests over REST, GraphQL and MCP wait for their turn, and a refused request releases its turn', async () => {
  const app = await startApp()
  onTestFinished(() => app.stop())
  const project = await app.makeProject({ perMinute: 3 })
  const wait = vi.spyOn(app.tools.workTurns, 'wait')
  const end = vi.spyOn(app.tools.workTurns, 'end')
  const subjects = () => [...new Set(wait.mock.calls.splice(0).map(([chargeOf]) => chargeOf().subject))]
  const own = String(project.project.id)
  const params = { name: 'list_pets', arguments: {} }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }

  await project.get('/v1/pets')
  expect(subjects()).toEqual([own])
  await project.post('/graphql', { query: '{ pets { nodes { id } } }' })
  expect(subjects()).toEqual([own])
  await project.post('/mcp', call, { accept: 'application/json, text/event-stream' })
  expect(subjects()).toEqual([own])
  await app.ask('/v1/pets')
  expect(subjects()).toEqual([expect.stringMatching(/^address:/)])

  expect(end).not.toHaveBeenCalled()
  expect((await project.get('/v1/pets')).status).toBe(429)
  expect(end).toHaveBeenCalledOnce()
})
