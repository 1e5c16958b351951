import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Response } from 'express'
import { expect, test } from 'vitest'
import { openRefusalPace } from '../../src/http/refusal-pace.ts'
import { startApp } from '../support/start-app.ts'

test('a key that repeats refused requests gets the refusals at a limited pace, and twenty concurrent creations of another key succeed', async () => {
  const app = await startApp()
  try {
    const pet = { name: 'Rex', categoryId: 1 }
    const honest = await app.makeProject({ perMinute: 20 })
    const created = await Promise.all(Array.from({ length: 20 }, () => honest.post('/v1/pets', pet)))
    expect(created.map(({ status }) => status)).toEqual(Array(20).fill(201))

    const hostile = await app.makeProject({ perMinute: 1 })
    const begun = performance.now()
    let [sent, refused] = [0, 0]
    const repeat = async () => {
      while (sent++ < 170) if ((await hostile.get('/v1/pets')).status === 429) refused++
    }
    await Promise.all(Array.from({ length: 20 }, repeat))

    expect(refused).toBe(169)
    // The first 100 refusals are sent at once, and the others at 30 a second.
    expect(performance.now() - begun).toBeGreaterThan(2_000)
  } finally {
    await app.stop()
  }
})

test('seven refused imports of 300 KB take as long as the refusals of 133 small requests', async () => {
  const app = await startApp()
  try {
    const hostile = await app.makeProject({ perMinute: 1 })
    await hostile.get('/v1/pets')
    const body = 'x'.repeat(300_000)
    const begun = performance.now()
    const statuses = await Promise.all(
      Array.from({ length: 7 }, async () => (await hostile.post('/v1/pets/import', body)).status),
    )
    expect(statuses).toEqual(Array(7).fill(429))
    // 100 of the 133 refusals are sent at once, and the others at 30 a second.
    expect(performance.now() - begun).toBeGreaterThan(850)
  } finally {
    await app.stop()
  }
})

test('a refused request with an unfinished body of unknown length counts as a hundred refusals', async () => {
  const app = await startApp()
  try {
    const hostile = await app.makeProject({ perMinute: 1 })
    await hostile.get('/v1/pets')
    const refusalMs = async () => {
      const headers = { authorization: `Bearer ${hostile.secret}`, 'content-type': 'application/x-ndjson' }
      const begun = performance.now()
      const outgoing = request(`${app.url}/v1/pets/import`, { method: 'POST', headers })
      outgoing.on('error', () => {})
      outgoing.write('{')
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      outgoing.destroy()
      expect(response.statusCode).toBe(429)
      return performance.now() - begun
    }
    await refusalMs()
    expect(await refusalMs()).toBeGreaterThan(400)
  } finally {
    await app.stop()
  }
})

test('a refused request knows how long it was delayed', async () => {
  const pace = openRefusalPace()
  const wait = async () => {
    const locals: Partial<Response['locals']> = {}
    const req = { complete: false, headers: { 'transfer-encoding': 'chunked' } }
    await pace.wait('shop', { locals, req } as unknown as Response)
    return locals.delayedMs
  }

  expect(await wait()).toBeUndefined()
  expect(await wait()).toBeGreaterThan(900)
})
