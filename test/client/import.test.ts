import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnimalStore, type Importable } from '../../clients/typescript/src/index.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { linesOf, manyPets } from '../support/import.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
let proxy: CuttingProxy
beforeAll(async () => {
  app = await startApp()
  proxy = await startCuttingProxy(app.url)
})
afterAll(async () => {
  proxy.stop()
  await app.stop()
})

async function openStore(limits: { perMinute?: number } = {}) {
  const { secret } = await app.makeProject(limits)
  return new AnimalStore({ url: proxy.url, key: secret })
}

const csv = 'name,categoryId\nMax,9007199254740993\nRex,2\n'
const ndjson = '{"name":"Max","categoryId":9007199254740993}\n{"name":"Rex","categoryId":2}\n'
const bytes = (text: string) => new TextEncoder().encode(text)

async function* inPieces(text: string) {
  for (let from = 0; from < text.length; from += 7) yield text.slice(from, from + 7)
}

describe('an import by a program', () => {
  it.each<[string, Importable, 'csv' | undefined]>([
    ['a text', ndjson, undefined],
    ['a text of CSV', csv, 'csv'],
    ['a file with a media type', new Blob([csv], { type: 'text/csv' }), undefined],
    ['a file without a media type', new Blob([csv]), 'csv'],
    ['a stream', new Blob([ndjson]).stream(), undefined],
    ['a sequence of texts', inPieces(csv), 'csv'],
    [
      'a sequence of byte arrays',
      (async function* () {
        yield bytes(ndjson)
      })(),
      undefined,
    ],
  ])('an import may be %s', async (_what, source, format) => {
    const store = await openStore()

    const { imported, firstId, lastId } = await store.pets.import(source, { format })

    const pets = await Array.fromAsync(store.pets.list())
    expect(imported).toBe(2)
    expect(pets).toEqual([
      { id: firstId, name: 'Max', categoryId: 9007199254740993n },
      { id: lastId, name: 'Rex', categoryId: 2n },
    ])
  })

  it('an import returns its first and its last id exactly, even beyond 2^53', async () => {
    const store = await openStore()
    const { db } = app.tools
    await db.$executeRaw`SELECT setval(pg_get_serial_sequence('pets', 'id'), 9007199254740992)`

    const { firstId, lastId } = await store.pets.import(ndjson)

    expect([firstId, lastId]).toEqual([9007199254740993n, 9007199254740994n])
    expect((await Array.fromAsync(store.pets.list())).map(({ id }) => id)).toEqual([firstId, lastId])
  })

  it('an export can be streamed into an import', async () => {
    const [from, to] = [await openStore(), await openStore()]
    await from.pets.import(linesOf(manyPets(2_000, 'Zoë 🦊')))

    const { imported } = await to.pets.import(await from.pets.export())

    expect(imported).toBe(2_000)
    expect((await to.getInventory()).available).toBe(2_000)
  })

  it('an import whose connection is cut is retried with its idempotency key, and adds its pets once', async () => {
    const store = await openStore()
    proxy.cutNext('unheard', 'unanswered', 'half-answered')

    const { imported } = await store.pets.import(inPieces(ndjson))

    expect([imported, (await store.getInventory()).total]).toEqual([2, 2])
  })

  it('an import is sent compressed, and a retry sends the same bytes under the same idempotency key', async () => {
    const store = await openStore()
    const lines = linesOf(manyPets(10_000))
    const before = proxy.requests.length
    proxy.cutNext('unanswered')

    const { imported } = await store.pets.import(lines)

    const heads = proxy.requests.slice(before).map(({ head }) => head.toLowerCase())
    const lengths = heads.map(head => Number(/\ncontent-length: (\d+)/.exec(head)?.[1]))
    expect([imported, (await store.getInventory()).total]).toEqual([10_000, 10_000])
    expect(heads).toEqual([heads[0], heads[0]])
    expect(heads[0]).toMatch(/\ncontent-encoding: gzip\r?\n/)
    expect(lengths[0]).toBeLessThan(lines.length / 4)
  })

  it('a refused import lists the faulty lines by number', async () => {
    const store = await openStore()

    const refused = store.pets.import(`${ndjson}{"name":"Ada"}\n`)

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      details: [{ line: 3, field: 'categoryId' }],
    })
  })

  it('an endless import stops at the size limit, or when its signal is aborted', async () => {
    const store = await openStore()
    let pieces = 0
    async function* endless() {
      for (;;) {
        pieces++
        yield ndjson.repeat(1_000)
      }
    }
    const stopped = new AbortController()
    async function* stopping() {
      yield ndjson
      stopped.abort(new Error('enough'))
      yield ndjson
    }

    await expect(store.pets.import(endless())).rejects.toMatchObject({ code: 'body_too_large' })
    await expect(store.pets.import(stopping(), { signal: stopped.signal })).rejects.toThrow('enough')
    expect(pieces).toBeLessThan(300)
    expect((await store.getInventory()).total).toBe(0)
  })
})
