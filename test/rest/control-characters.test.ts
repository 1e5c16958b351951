import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendGraphql } from '../support/graphql.ts'
import { sendImport } from '../support/import.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ plan: 'business' })
})
afterAll(() => app.stop())

const terminalTitle = '\u001b[31mred\u001b]0;pwn\u0007'
const fault = { field: 'name', message: 'must not contain control characters or a lone surrogate' }
const names: [string, string][] = [
  ['a terminal sequence', terminalTitle],
  ['a line break', 'a\nb'],
  ['a tab', 'a\tb'],
  ['DEL', 'a\u007fb'],
  ['the first C1 character', 'a\u0080b'],
  ['the C1 sequence introducer', 'a\u009b31mb'],
  ['the last C1 character', 'a\u009fb'],
]

describe('a name with control characters', () => {
  it.each(names)('a new pet over REST is refused for a name with %s', async (_what, name) => {
    const added = await store.post('/v1/pets', { name, categoryId: 1 })
    const inNdjson = await sendImport(store, 'ndjson', JSON.stringify({ name, categoryId: 1 }))
    const inCsv = await sendImport(store, 'csv', `name,categoryId\n"${name}",1\n`)

    for (const { status, json } of [added, inNdjson, inCsv]) {
      expect([status, json]).toMatchObject([400, { code: 'invalid_input', details: [fault] }])
    }
  })

  it.each(names)('a new pet over GraphQL is refused for a name with %s', async (_what, name) => {
    const query = 'mutation ($name: String!) { createPet(input: { name: $name, categoryId: "1" }) { id } }'
    const { errors } = await sendGraphql(app.url, store.secret, query, { variables: { name } })

    expect(errors).toMatchObject([
      { extensions: { code: 'invalid_input', details: [{ ...fault, field: 'input.name' }] } },
    ])
  })

  it('names of pets and categories and references of orders refuse control characters, and notes of orders may have line breaks', async () => {
    const { json } = await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    const { id } = json as { id: number }

    const named = await store.ask('/v1/categories/1', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: terminalTitle }),
    })

    expect((await store.patch(`/v1/pets/${id}`, { name: terminalTitle })).status).toBe(400)
    expect(named.status).toBe(400)
    const order = { petId: id, reference: terminalTitle, note: 'a\u0000b' }
    expect((await store.post('/v1/store/orders', order)).json).toMatchObject({
      details: [{ field: 'reference' }, { field: 'note' }],
    })
    const placed = await store.post('/v1/store/orders', { petId: id, note: 'Saturday,\r\n\tat noon' })
    expect(placed.json).toMatchObject({ note: 'Saturday,\r\n\tat noon' })
  })

  it('an old pet with control characters stays readable, and its other fields can be changed', async () => {
    const { id } = await app.tools.db.pet.create({
      data: { projectId: store.project.id, name: terminalTitle, categoryId: 77n },
    })

    const list = await store.get(`/v1/pets?categoryId=77&name=${encodeURIComponent('\u001b]0')}`)
    const changed = await store.patch(`/v1/pets/${id}`, { status: 'sold' })

    expect(list.json).toEqual([{ id: Number(id), name: terminalTitle, categoryId: 77 }])
    expect(changed.json).toMatchObject({ name: terminalTitle, status: 'sold' })
    const exported = await store.get('/v1/pets/export?categoryId=77')
    expect(JSON.parse(exported.text)).toMatchObject({ name: terminalTitle })
  })
})
