import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnimalStore } from '../../clients/typescript/src/index.ts'
import { runCommand } from '../support/command-line.ts'
import { fill } from '../support/fill.ts'
import { endlessExport } from '../support/stand-in.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
let store: AnimalStore
beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject()
  store = new AnimalStore({ url: app.url, key: project.secret })
  await fill(
    app.tools,
    `INSERT INTO pets (project_id, name, category_id, status)
     SELECT ${project.project.id}, rpad(i || ' ', 255, 'x'), 9007199254740993,
       (ARRAY['sold', NULL])[1 + i % 2]::"PetStatus"
     FROM generate_series(1, 30000) AS i`,
  )
})
afterAll(() => app.stop())

const exported = async (query: string) => (await project.get(`/v1/pets/export?${query}`)).text

describe('an export', () => {
  it('a program receives an export byte for byte, with its filters', async () => {
    const sold = await store.pets.export({ format: 'csv', status: 'sold' })

    expect(await new Response(sold).text()).toBe(await exported('format=csv&status=sold'))
  })

  it('the service stops an export that the program cancels', async () => {
    const stream = await store.pets.export()
    const reader = stream.getReader()

    expect((await reader.read()).value?.length).toBeGreaterThan(0)
    await reader.cancel()
    await expect.poll(() => app.tools.metrics.requests.inFlight).toBe(0)
  })

  it('the export of a program pauses while its reader is slow, instead of buffering millions of pets', async () => {
    const endless = await endlessExport()
    const patient = new AnimalStore({ url: endless.url, key: 'as_key' })
    const reader = (await patient.pets.export()).getReader()

    await expect.poll(endless.isStill, { interval: 500, timeout: 30_000 }).toBe(true)
    const made = endless.made()
    expect(made).toBeLessThan(32e6)
    for (let read = 0; read < made + 1e6; ) read += (await reader.read()).value?.length ?? 0

    await expect.poll(endless.made).toBeGreaterThan(made)
    await reader.cancel()
  })

  it('a 429 of an export does not delay other calls, because the reason may be other exports of the project', async () => {
    const refusal = { code: 'rate_limited', message: 'Too many exports.', status: 429 }
    const fetch: typeof globalThis.fetch = async (address, init) =>
      String(address).includes('/export')
        ? Response.json(refusal, { status: 429, headers: { 'retry-after': '60' } })
        : globalThis.fetch(address, init)
    const refused = new AnimalStore({
      url: app.url,
      key: project.secret,
      fetch,
      retries: 0,
      deadlineMs: 30_000,
    })

    await expect(refused.pets.export()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })

    expect(await Array.fromAsync(refused.categories.list())).toEqual([])
  })

  it('a refused export throws an error with the code and the faulty field', async () => {
    const refused = store.pets.export({ format: 'xml' as 'csv' })

    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', details: [{ field: 'format' }] })
  })

  it('the command line writes a whole export to a file', async () => {
    const env = { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: project.secret }
    const options = ['--format', 'csv', '--category', '9007199254740993', '--name', '77 X']

    const { exitCode, output, errors } = await runCommand(env, ['pets', 'export', ...options])

    expect([exitCode, errors]).toEqual([0, ''])
    expect(output).toBe(await exported('format=csv&name=77%20x'))
    expect(output.split('\r\n').length).toBeGreaterThan(100)
  })
})
