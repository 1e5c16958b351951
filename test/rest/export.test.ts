import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { exportPets } from '../../src/core/pets/export.ts'
import { fill, inPieces } from '../support/fill.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)
const linesOf = (text: string) => text.split('\n').filter(Boolean)
const remaining = (answer: { headers: Record<string, unknown> }) =>
  Number(answer.headers['x-ratelimit-remaining'])

/** Adds this many pets in three categories, every second one sold. */
async function addMany({ project }: TestProject, count: number): Promise<void> {
  await inPieces(count, (from, to) =>
    sql(
      `INSERT INTO pets (project_id, name, category_id, status)
       SELECT ${project.id}, 'Pet ' || i, i % 3, (ARRAY['sold', NULL])[1 + i % 2]::"PetStatus"
       FROM generate_series(${from}, ${to}) AS i`,
    ),
  )
}

describe('an export', () => {
  it('an export has every pet of its project by ascending id, as the list shows them', async () => {
    const [store, other] = [await app.makeProject(), await app.makeProject()]
    await addMany(store, 1_234)
    await addMany(other, 3)

    const { text, headers } = await store.get('/v1/pets/export')

    const lines = linesOf(text)
    const ids = lines.map(line => JSON.parse(line).id)
    expect(lines).toHaveLength(1_234)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    const page = (await store.get('/v1/pets?limit=100')).json
    expect(lines.slice(0, 100).map(line => JSON.parse(line))).toEqual(page)
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="pets.ndjson"')
  })

  it('an export is exact to the last byte in both formats', async () => {
    const store = await app.makeProject()
    const pets = [
      {
        name: 'Zoë, "the Great"\r\nof Köln 🦊',
        categoryId: '9223372036854775807',
        status: 'available' as const,
      },
      { name: '=1+1', categoryId: '-9223372036854775808' },
      { name: 'as\rMacs once', categoryId: '0', status: 'sold' as const },
    ]
    // Old names may contain line breaks; new names may not.
    for (const pet of pets) {
      const data = { status: null, ...pet, projectId: store.project.id, categoryId: BigInt(pet.categoryId) }
      await app.tools.db.pet.create({ data })
    }
    const [first, second, third] = ((await store.get('/v1/pets')).json as { id: number }[]).map(
      ({ id }) => id,
    )

    const ndjson = await store.get('/v1/pets/export?format=ndjson')
    const csv = await store.get('/v1/pets/export?format=csv')

    expect(ndjson.text).toBe(
      `{"id":${first},"name":"Zoë, \\"the Great\\"\\r\\nof Köln 🦊","categoryId":9223372036854775807,"status":"available"}\n` +
        `{"id":${second},"name":"=1+1","categoryId":-9223372036854775808}\n` +
        `{"id":${third},"name":"as\\rMacs once","categoryId":0,"status":"sold"}\n`,
    )
    expect(csv.text).toBe(
      'id,name,categoryId,status\r\n' +
        `${first},"Zoë, ""the Great""\r\nof Köln 🦊",9223372036854775807,available\r\n` +
        `${second},=1+1,-9223372036854775808,\r\n` +
        `${third},"as\rMacs once",0,sold\r\n`,
    )
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="pets.csv"')
  })

  it('an export without pets is empty, or only the header line in CSV', async () => {
    const store = await app.makeProject()

    expect((await store.get('/v1/pets/export')).text).toBe('')
    expect((await store.get('/v1/pets/export?format=csv')).text).toBe('id,name,categoryId,status\r\n')
  })

  it.each([
    'status=sold',
    'categoryId=2',
    'status=sold&categoryId=2',
    'name=pET%201',
    'name=PET%2012&categoryId=1&status=sold',
    'name=nobody',
  ])('an export has the pets that match the filters: %s', async filters => {
    const store = await app.makeProject()
    await addMany(store, 1_300)
    const listed: unknown[] = []
    for (let path = `/v1/pets?limit=100&${filters}`; path; ) {
      const { json, headers } = await store.get(path)
      listed.push(...(json as unknown[]))
      path = /<[^>]*?(\/v1[^>]*)>/.exec(String(headers.link ?? ''))?.[1] ?? ''
    }

    const { text } = await store.get(`/v1/pets/export?${filters}`)

    expect(linesOf(text).map(line => JSON.parse(line))).toEqual(listed)
  })

  it('an export skips pets that are added or deleted while it runs, and ends', async () => {
    const store = await app.makeProject()
    await addMany(store, 1_200)
    const none = { status: null, categoryId: null, name: null }
    const ids: bigint[] = []

    for await (const page of exportPets(app.tools.pets, store.project, none)) {
      ids.push(...page.map(({ id }) => id))
      await addMany(store, 600)
      await sql(
        `DELETE FROM pets WHERE project_id = ${store.project.id} AND id = ${(page[0]?.id ?? 0n) + 999n}`,
      )
    }

    expect(ids).toHaveLength(1_199)
  })

  it('an export reports all unknown values at once, and refuses a key without the scope', async () => {
    const store = await app.makeProject()
    const writer = await store.issueKey(['pets:write'])

    const refused = await store.get('/v1/pets/export?format=xml&status=gone&categoryId=x')

    const { details } = refused.json as { details: { field: string }[] }
    expect(details.map(({ field }) => field).toSorted()).toEqual(['categoryId', 'format', 'status'])
    for (const format of ['xml', 'CSV', '', 'toString', '__proto__'])
      expect((await store.get(`/v1/pets/export?format=${format}`)).json, format).toMatchObject({
        details: [{ field: 'format', message: 'must be one of ndjson, csv' }],
      })
    expect((await store.get('/v1/pets/export?fromat=csv')).status).toBe(400)
    expect((await writer.get('/v1/pets/export')).status).toBe(403)
    expect((await store.delete('/v1/pets/export')).headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  it('an export is compressed for clients that accept it', async () => {
    const store = await app.makeProject()
    await addMany(store, 700)
    const plain = await store.get('/v1/pets/export')

    const packed = await readAll(await open(store, '/v1/pets/export', { 'accept-encoding': 'br' }))

    expect(brotliDecompressSync(packed).toString()).toBe(plain.text)
    expect(packed.length).toBeLessThan(plain.text.length / 3)
  })
})

describe('the price of an export', () => {
  it('an export costs one request for each begun thousand pets, as its header and an earlier HEAD say', async () => {
    const store = await app.makeProject()
    await addMany(store, 6_001)
    const before = remaining(await store.get('/v1/pets'))

    const head = await store.ask('/v1/pets/export', { method: 'HEAD' })
    const all = await store.get('/v1/pets/export')
    // With two filters, the filter that finds fewer pets sets the price: 3,000 pets are sold, and 2,000 are in category
    // 2.
    const sold = await store.get('/v1/pets/export?status=sold&categoryId=2')
    const available = await store.get('/v1/pets/export?status=available&categoryId=2')

    expect([head.headers['x-ratelimit-cost'], remaining(head)]).toEqual(['7', before - 1])
    expect([all.headers['x-ratelimit-cost'], remaining(all)]).toEqual(['7', before - 8])
    expect([sold.headers['x-ratelimit-cost'], remaining(sold)]).toEqual(['2', before - 10])
    expect([available.headers['x-ratelimit-cost'], remaining(available)]).toEqual(['1', before - 11])
  })

  it('HEAD of an export reads no pets, even if its filter matches none of them', async () => {
    const store = await app.makeProject()
    await addMany(store, 1_001)
    const reads = [vi.spyOn(app.tools.pets, 'list'), vi.spyOn(app.tools.pets, 'listPart')]

    const { status, headers } = await store.ask('/v1/pets/export?name=nobody', { method: 'HEAD' })

    expect([status, headers['x-ratelimit-cost']]).toEqual([200, '2'])
    for (const read of reads) expect(read).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('an empty or invalid export costs one request', async () => {
    const store = await app.makeProject()
    const before = remaining(await store.get('/v1/pets'))

    const empty = await store.get('/v1/pets/export')
    const refused = await store.get('/v1/pets/export?format=xml')
    const wrong = await store.post('/v1/pets/export', {})

    expect([remaining(empty), remaining(refused), remaining(wrong)]).toEqual([
      before - 1,
      before - 2,
      before - 3,
    ])
    expect(wrong.status).toBe(405)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'])(
    'a request to export pets by the method %s is refused and costs one request, and no pets are counted',
    async method => {
      const store = await app.makeProject()
      await addMany(store, 2_500)
      const before = remaining(await store.get('/v1/pets'))

      const refused = await store.ask('/v1/pets/export', { method })

      expect([refused.status, remaining(refused)]).toEqual([405, before - 1])
      expect(refused.headers['x-ratelimit-cost']).toBeUndefined()
    },
  )

  it('an export is charged in full or refused', async () => {
    const store = await app.makeProject({ perMinute: 4 })
    await addMany(store, 2_500)
    await store.get('/v1/pets')
    await store.get('/v1/pets')

    const refused = await store.get('/v1/pets/export')

    expect([refused.status, refused.headers['x-ratelimit-cost'], remaining(refused)]).toEqual([429, '3', 2])
    expect((await store.get('/v1/pets')).status).toBe(200)
  })

  it('the price of an export is not computed for a caller whose project is suspended or whose limit is exhausted', async () => {
    const [suspended, spent] = [await app.makeProject(), await app.makeProject({ perMinute: 1 })]
    await app.tools.db.project.update({
      where: { id: suspended.project.id },
      data: { suspendedAt: new Date() },
    })
    await spent.get('/v1/pets')

    for (const [store, status] of [
      [suspended, 403],
      [spent, 429],
    ] as const) {
      const refused = await store.get('/v1/pets/export')
      expect([refused.status, refused.headers['x-ratelimit-cost']]).toEqual([status, undefined])
    }
  })

  it('an export costs at most as many requests as the plan allows in a minute', async () => {
    const store = await app.makeProject({ perMinute: 2 })
    await addMany(store, 2_500)

    const { status, text, headers } = await store.get('/v1/pets/export')

    expect([status, headers['x-ratelimit-cost'], linesOf(text).length]).toEqual([200, '2', 2_500])
  })
})

describe('a slow reader of an export', () => {
  it('a slow reader gets the whole export, and is disconnected if the export cannot be finished', async () => {
    const store = await app.makeProject()
    await fill(
      app.tools,
      `INSERT INTO pets (project_id, name, category_id)
       SELECT ${store.project.id}, repeat('x', 255), 1 FROM generate_series(1, 60000)`,
    )
    const [patient, unlucky] = [
      await open(store, '/v1/pets/export'),
      await open(store, '/v1/pets/export?format=csv'),
    ]

    const { length } = linesOf(String(await readAll(patient)))
    await sql('ALTER TABLE pets RENAME TO mislaid')
    const cut = await readAll(unlucky).catch(error => error.code)
    await sql('ALTER TABLE mislaid RENAME TO pets')

    expect(length).toBe(60_000)
    expect(cut).toBe('ECONNRESET')
  })
})

/** Opens an answer without reading it. */
async function open(
  { secret }: TestProject,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const outgoing = request(app.url + path, { headers: { authorization: `Bearer ${secret}`, ...headers } })
  const [answer] = await once(outgoing.end(), 'response')
  return answer
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await answer.toArray())
}
