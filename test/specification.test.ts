import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ids } from './support/ids.ts'
import { type App, startApp } from './support/start-app.ts'

const rows = [
  ...readFileSync('docs/specification.md', 'utf8').matchAll(/^\| (\d+) \| .+ \| `([^`]+)`: (.+) \|$/gm),
].map(([, number = '', file = '', name = '']) => ({ number, file, name }))

test('every sentence of docs/specification.md names a test that exists', () => {
  const missing = rows.filter(({ file, name }) => {
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'")
    return name !== 'whole file' && !source.includes(name)
  })

  expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, index) => index + 1))
  expect(rows.length).toBeGreaterThan(60)
  expect(missing).toEqual([])
})

const written = parse(readFileSync('openapi.yaml', 'utf8'), { maxAliasCount: -1 })

describe('the contract and the specification', () => {
  test('the contract has the version 1.0.0', () => {
    expect(written.info.version).toBe('1.0.0')
  })

  test('both server addresses that the contract lists end in /v1', () => {
    const addresses = written.servers.map(
      ({ variables }: { variables: Record<string, { default: string }> }) =>
        Object.values(variables)[0]?.default,
    )

    expect(addresses).toEqual([expect.stringMatching(/\/v1$/), expect.stringMatching(/\/v1$/)])
  })

  test('the contract gives the operations on pets the tag animals, and has the tag groups Store and Pets', () => {
    const tagOf = (path: string, method: string) => written.paths[path][method].tags

    expect([tagOf('/pets', 'get'), tagOf('/pets', 'post'), tagOf('/pets/{petId}', 'get')]).toEqual(
      Array.from({ length: 3 }, () => ['animals']),
    )
    expect(written['x-tagGroups'].map(({ name }: { name: string }) => name)).toEqual(['Store', 'Pets'])
  })

  test('the schemas have the fields that the specification names', () => {
    const { NewPet, Pet, Pets, PetStatus, Error: Refusal } = written.components.schemas

    expect(PetStatus.enum).toEqual(['available', 'pending', 'sold'])
    expect([NewPet.required, Pet.required]).toEqual([
      ['name', 'categoryId'],
      ['id', 'name', 'categoryId'],
    ])
    expect(NewPet.properties).toMatchObject({ name: {}, categoryId: {}, status: {} })
    expect(Pet.properties).toMatchObject({ id: {}, name: {}, categoryId: {}, status: {} })
    expect(Pets).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } })
    expect(Refusal.required).toEqual(['code', 'message', 'status'])
  })

  test.each([
    ['/pets', 'get', ['200', '401', '429']],
    ['/pets', 'post', ['201', '400', '401', '429']],
    ['/pets/{petId}', 'get', ['200', '401', '404', '429']],
  ])('each operation documents the answers that the specification names: %s %s', (path, method, answers) => {
    expect(Object.keys(written.paths[path][method].responses)).toEqual(expect.arrayContaining(answers))
  })

  test('getPet alone is deprecated, and has its removal date', () => {
    const operations = Object.values<Record<string, { operationId?: string; deprecated?: boolean }>>(
      written.paths,
    ).flatMap(path => Object.values(path))
    const deprecated = operations.filter(operation => operation.deprecated)

    expect(deprecated).toMatchObject([{ operationId: 'getPet', 'x-removal-date': '2030-12-05' }])
  })
})

describe('the list of the specification', () => {
  let app: App
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.stop())

  test('the parameter limit of the list of pets takes 1 to 100, and is 20 if left out', async () => {
    const store = await app.makeProject()
    const lines = Array.from({ length: 101 }, (_, n) => `{"name":"Pet ${n}","categoryId":1}\n`).join('')
    await store.ask('/v1/pets/import', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines,
    })

    const lengths = []
    for (const query of ['', '?limit=1', '?limit=100'])
      lengths.push(ids(await store.get(`/v1/pets${query}`)).length)

    expect(lengths).toEqual([20, 1, 100])
    expect((await store.get('/v1/pets?limit=101')).status).toBe(400)
    expect((await store.get('/v1/pets?limit=0')).status).toBe(400)
  })
})
