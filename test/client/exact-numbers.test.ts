import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseExactJson, writeExactJson } from '../../clients/typescript/src/exact-json.ts'
import { AnimalStore } from '../../clients/typescript/src/index.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const openStore = async () => new AnimalStore({ url: app.url, key: (await app.makeProject()).secret })

describe('an int64', () => {
  it.each([
    0n,
    7n,
    -7n,
    9_007_199_254_740_991n,
    9_007_199_254_740_993n,
    -9_007_199_254_740_993n,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ])('the int64 %s reaches the store and is returned exactly', async categoryId => {
    const store = await openStore()

    const made = await store.pets.create({ name: 'Nimbus', categoryId })

    expect(made).toEqual({ id: made.id, name: 'Nimbus', categoryId })
    expect(typeof made.id).toBe('bigint')
    expect(await Array.fromAsync(store.pets.list())).toEqual([made])
    const [row] = await app.tools.db.pet.findMany({ where: { id: made.id } })
    expect(row?.categoryId).toBe(categoryId)
  })

  it('the store refuses a number beyond 64 bits, with the name of its field', async () => {
    const store = await openStore()

    const refused = store.pets.create({ name: 'Nimbus', categoryId: 2n ** 63n })

    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', details: [{ field: 'categoryId' }] })
  })

  it('the client refuses a number that JavaScript has already rounded', async () => {
    const store = await openStore()

    const refused = store.pets.create({ name: 'Nimbus', categoryId: (2 ** 53) as never })

    await expect(refused).rejects.toThrow('9007199254740992 is beyond what a number holds exactly')
    expect(await Array.fromAsync(store.pets.list())).toEqual([])
  })
})

describe('the parser of answers', () => {
  it.each([
    'Max "9007199254740993"',
    '\\": 9007199254740993',
    '9007199254740993',
    '\0',
    '\0\x009007199254740993',
    'x":9007199254740993,"y',
    '\u2028 🐕 \\\\',
  ])('the parser of answers leaves digits inside a string unchanged: %j', text => {
    const value = { id: 9_007_199_254_740_993n, [text]: [text, { [text]: text }], text }

    expect(parseExactJson(writeExactJson(value))).toEqual(value)
    expect(parseExactJson(JSON.stringify({ text, [text]: text }, null, 2))).toEqual({ text, [text]: text })
  })

  it('an int64 becomes a bigint even if it is small, and other numbers stay numbers', () => {
    const text = '{ "id" : 1, "limit": 60, "of": [1.25, -1e3, 0.12345678901234567890], "categoryId":[2] }'

    expect(parseExactJson(text)).toEqual({
      id: 1n,
      limit: 60,
      of: [1.25, -1000, 0.12345678901234568],
      categoryId: [2n],
    })
  })

  it('the parser of answers leaves an id unchanged if the answer has a string or null instead of a number', () => {
    expect(parseExactJson('{"id":"0197","categoryId":null}')).toEqual({ id: '0197', categoryId: null })
  })
})

describe('the text of a request', () => {
  it('a request omits undefined fields, as JSON.stringify does', () => {
    const value = { name: 'Max', status: undefined, list: [undefined, null, true, 1.5, 'a"b'] }

    expect(writeExactJson(value)).toBe(JSON.stringify(value))
  })
})
