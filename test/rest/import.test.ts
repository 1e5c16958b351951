import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMany, linesOf, manyPets, sendImport, types } from '../support/import.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { readUse } from '../support/use.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const exported = async (store: TestProject, format: string) =>
  (await store.get(`/v1/pets/export?format=${format}`)).text
const list = async (store: TestProject) =>
  (await store.get('/v1/pets?limit=100')).json as { id: number; name: string }[]
const inventory = async (store: TestProject) => (await store.get('/v1/store/inventory')).json
const nothing = { available: 0, pending: 0, sold: 0, unset: 0, total: 0 }
const remaining = (answer: { headers: Record<string, unknown> }) =>
  Number(answer.headers['x-ratelimit-remaining'])

const oddPets = [
  { name: 'Zoë, "the Great" of Köln 🦊', categoryId: '9223372036854775807', status: 'available' },
  { name: '=1+1', categoryId: '-9223372036854775808' },
  { name: '"', categoryId: '0', status: 'sold' },
  { name: '""', categoryId: '9007199254740993', status: 'pending' },
  { name: ',', categoryId: '-1' },
  { name: "@SUM(A1)-'x", categoryId: '1' },
  { name: '\\u0041\\', categoryId: '1' },
  { name: 'a\u2028b', categoryId: '1' },
  { name: '\u{1f98a}'.repeat(255), categoryId: '1' },
  { name: 'null', categoryId: '1' },
]

describe('an import', () => {
  it.each(['ndjson', 'csv'] as const)(
    'an export as %s that is imported and exported again has the same bytes, except for the ids',
    async format => {
      const [from, to] = [await app.makeProject(), await app.makeProject()]
      for (const pet of oddPets) expect((await from.post('/v1/pets', pet)).status).toBe(201)
      const bytes = await exported(from, format)

      const answer = await sendImport(to, format, bytes)

      const withoutIds = (text: string) => text.replace(/^(\{"id":)?\d+(?=,)/gm, '')
      expect(answer.json).toMatchObject({ imported: oddPets.length })
      expect(withoutIds(await exported(to, format))).toBe(withoutIds(bytes))
      const other = format === 'csv' ? 'ndjson' : 'csv'
      expect(withoutIds(await exported(to, other))).toBe(withoutIds(await exported(from, other)))
    },
  )

  it('an import adds its pets in one transaction, counts them, and assigns ids in the order of its lines', async () => {
    const store = await app.makeProject()
    expect([await list(store), await inventory(store)]).toEqual([[], nothing])

    const { json } = await addMany(store, 1_234)

    const pets = (await exported(store, 'ndjson')).split('\n').filter(Boolean)
    const ids = pets.map(line => JSON.parse(line).id)
    expect(json).toEqual({ imported: 1_234, firstId: ids[0], lastId: ids.at(-1) })
    expect(pets.map(line => JSON.parse(line).name)).toEqual(manyPets(1_234).map(({ name }) => name))
    expect((await list(store)).map(({ name }) => name).slice(0, 2)).toEqual(['Pet 0', 'Pet 1'])
    expect(await inventory(store)).toEqual({ ...nothing, available: 1_234, total: 1_234 })
  })

  it.each([
    ['a byte order mark, CRLF and no final line feed', '\ufeffname,categoryId\r\nMax,1\r\nRex,2'],
    ['LF and empty lines', 'name,categoryId\n\nMax,1\n\r\nRex,2\n\n'],
    ['columns in another order and unknown columns', 'note,status,categoryId,name\nx,,1,Max\n"a,b",,2,Rex\n'],
    ['everything in quotes', '"name","categoryId"\n"Max","1"\n"Rex","2"\n'],
  ])('an import takes CSV with %s', async (_what, body) => {
    const store = await app.makeProject()

    const { status } = await sendImport(store, 'csv', body)

    const pets = (await list(store)).map(({ id: _, ...pet }) => pet)
    expect([status, pets]).toEqual([
      201,
      [
        { name: 'Max', categoryId: 1 },
        { name: 'Rex', categoryId: 2 },
      ],
    ])
  })

  it('an import takes NDJSON with a byte order mark, CRLF, empty lines, unknown members and no final line feed', async () => {
    const store = await app.makeProject()
    const lines = [
      '\ufeff{"name":"Max","categoryId":"1","projectId":1}',
      '',
      ' ',
      '{"name":" Rex ","categoryId":2e0}',
    ]

    const { status } = await sendImport(store, 'ndjson', lines.join('\r\n'))

    const pets = (await list(store)).map(({ id: _, ...pet }) => pet)
    expect([status, pets]).toEqual([
      201,
      [
        { name: 'Max', categoryId: 1 },
        { name: 'Rex', categoryId: 2 },
      ],
    ])
  })

  it.each([
    ['ndjson', ''],
    ['ndjson', '\n\r\n'],
    ['csv', ''],
    ['csv', 'id,name,categoryId,status\r\n'],
  ] as const)('an import of an empty file adds nothing: %s %j', async (format, body) => {
    const store = await app.makeProject()

    const { status, json } = await sendImport(store, format, body)

    expect([status, json, await list(store)]).toEqual([201, { imported: 0 }, []])
  })
})

describe('a faulty import', () => {
  const good = '{"name":"Max","categoryId":1}\n'

  it.each([
    [
      'ndjson',
      `${good}\n{"name":"","categoryId":1.5,"status":"lost"}\n`,
      ['3 name', '3 categoryId', '3 status'],
    ],
    ['ndjson', `${good}{"name":"Rex"\n${good}[]\nnull\n`, ['2 line', '4 line', '5 line']],
    ['ndjson', Buffer.from(`${good}{"name":"Caf\xe9","categoryId":1}\n`, 'latin1'), ['2 line']],
    [
      'ndjson',
      `${good}{"name":"${'x'.repeat(70_000)}","categoryId":1}\n${good}{}`,
      ['2 line', '4 name', '4 categoryId'],
    ],
    ['ndjson', `${'['.repeat(60_000)}\n`, ['1 line']],
    [
      'ndjson',
      '{"name":"a\\u0000b","categoryId":1}\n{"name":"\\ud800","categoryId":9223372036854775808}',
      ['1 name', '2 name', '2 categoryId'],
    ],
    ['ndjson', '{"name":"Max","categoryId":1,"status":null}', ['1 status']],
    ['csv', 'name,categoryId\r\n"a\r\nb",1\r\nMax,007\r\n', ['2 name', '4 categoryId']],
    ['csv', 'name,categoryId\nMax\nMax,1,2\nRex,2\n,3\n', ['2 line', '3 line', '5 name']],
    ['csv', 'name,categoryId\nMa"x,1\n"Max"x,1\nRex,2\n"Rex,3\n', ['2 line', '3 line', '5 line']],
    ['csv', `name,categoryId\n"${'x\n'.repeat(40_000)}`, null],
    ['csv', `name,categoryId\n${'x'.repeat(70_000)},1\nMax,x\n`, ['2 line', '3 categoryId']],
    ['csv', 'name,category_id\nMax,1\n', ['1 categoryId']],
    ['csv', 'name,Name,name\nMax,1\n', ['1 name', '1 categoryId']],
    ['csv', 'name;categoryId\nMax;1\n', ['1 name', '1 categoryId']],
    ['csv', '"name\nMax,1\n', ['1 line']],
    // After an invalid header line the columns of the other lines are unknown.
    ['csv', 'na"me,categoryId\nMax,x\nRex,y\n', ['1 line']],
    ['csv', `${'name,'.repeat(20_000)}\nMax,x\nRex,y\n`, ['1 line']],
  ] as const)(
    'a faulty import adds nothing and reports the faulty lines: case %# of %s',
    async (format, body, expected) => {
      const store = await app.makeProject()

      const { status, json } = await sendImport(store, format, body as string | Buffer)

      const { details = [] } = json as { details?: { line: number; field: string }[] }
      expect([status, await list(store), await inventory(store)]).toEqual([400, [], nothing])
      if (expected) expect(details.map(({ line, field }) => `${line} ${field}`)).toEqual(expected)
    },
  )

  it('a faulty import lists the first hundred faulty lines, and says if there are more', async () => {
    const store = await app.makeProject()
    const { json } = await sendImport(store, 'ndjson', `${good.repeat(9)}${'{"name":"Rex"}\n'.repeat(321)}`)

    const { details, message } = json as { details: { line: number }[]; message: string }
    expect(details.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, i) => 10 + i))
    expect(message).toMatch(
      /^More than 100 lines are faulty, so no pet was added; the first is line 10, categoryId must/,
    )
    expect(await list(store)).toEqual([])
  })

  it('the refusal of an import with ten misspelled members in each of 100 lines is in the contract', async () => {
    const store = await app.makeProject()
    const names = ['Name', 'NAME', 'nAme', 'naMe', 'namE', 'nmae', 'naem', 'anme', 'Status', 'statu']
    const line = JSON.stringify(Object.fromEntries(names.map(name => [name, 1])))

    const { status, json } = await sendImport(store, 'ndjson', `${line}\n`.repeat(100))

    expect([status, (json as { details: object[] }).details.length]).toEqual([400, 1000])
  })
})

describe('an import that is too large', () => {
  it('an import of 10,000 pets is accepted, and one pet more is refused', async () => {
    const store = await app.makeProject()
    const body = linesOf(manyPets(10_000))

    const refused = await sendImport(store, 'ndjson', `${body}{}`)
    const nothingYet = await inventory(store)
    const taken = await sendImport(store, 'ndjson', body)

    expect([refused.status, nothingYet]).toEqual([413, nothing])
    expect(taken.json).toMatchObject({ imported: 10_000 })
    expect(await inventory(store)).toEqual({ ...nothing, available: 10_000, total: 10_000 })
  })

  const pet = `{"name":"${'x'.repeat(255)}","categoryId":1}`
  const large = Buffer.from(`${pet}${' '.repeat(5_000)}\n`.repeat(2_000))

  it('an import of 10 MB is accepted, and a larger one is refused', async () => {
    const store = await app.makeProject()

    const refused = await sendImport(store, 'ndjson', large)
    const taken = await sendImport(store, 'ndjson', large.subarray(0, 10_000_000))

    expect(refused.json).toMatchObject({ code: 'body_too_large', message: 'The body is larger than 10 MB.' })
    expect(taken.json).toMatchObject({ imported: Math.ceil(10_000_000 / (pet.length + 5_001)) })
  })

  it('a compressed import that is small, but too large when unpacked, is refused before all of the import is unpacked', async () => {
    const store = await app.makeProject()
    const bomb = gzipSync(Buffer.alloc(300_000_000))
    const heapBefore = process.memoryUsage().rss

    const { status } = await sendImport(store, 'ndjson', bomb, { 'content-encoding': 'gzip' })

    expect(status).toBe(413)
    expect(process.memoryUsage().rss - heapBefore).toBeLessThan(200_000_000)
  })

  it('an import that is too large is refused before the body arrives if a Content-Length is sent, or before a chunked body ends', async () => {
    const store = await app.makeProject()
    const head = `POST /v1/pets/import HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${store.secret}\r\ncontent-type: ${types.csv}\r\n`
    const [announced, inChunks] = [await openRawConnection(app.url), await openRawConnection(app.url)]

    announced.socket.write(`${head}content-length: 10000001\r\n\r\n`)
    inChunks.socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    for (let i = 0; i < 11; i++) inChunks.socket.write(`100000\r\n${'\n'.repeat(0x100000)}\r\n`)

    expect((await announced.answers(1)).map(({ status }) => status)).toEqual([413])
    expect((await inChunks.answers(1)).map(({ status }) => status)).toEqual([413])
  })
})

describe('the media type of an import', () => {
  it.each(['application/json', 'text/plain', '', 'text/csv; charset=latin1', 'application/x-ndjsonx'])(
    'an import with the Content-Type %j is refused, because the import does not support that media type',
    async type => {
      const store = await app.makeProject()

      const refused = await sendImport(store, 'csv', 'name,categoryId\nMax,1\n', { 'content-type': type })

      expect(refused.json).toMatchObject({ code: 'unsupported_media_type', status: 415 })
    },
  )

  it('an import may be compressed, and may declare a header line and UTF-8', async () => {
    const store = await app.makeProject()
    const body = gzipSync('name,categoryId\nMax,1\n')
    const headers = {
      'content-type': 'Text/CSV; header=present; charset="UTF-8"',
      'content-encoding': 'gzip',
    }

    expect((await sendImport(store, 'csv', body, headers)).json).toMatchObject({ imported: 1 })
  })

  it('an import is refused for a key without the scope, and for other methods', async () => {
    const store = await app.makeProject()
    const reader = await store.issueKey(['pets:read'])

    expect((await sendImport(reader, 'csv', 'name,categoryId\nMax,1\n')).status).toBe(403)
    expect((await store.get('/v1/pets/import')).headers.allow).toBe('POST, OPTIONS')
    expect(await list(store)).toEqual([])
  })
})

describe('the price of an import', () => {
  it('an import costs one request for each begun hundred pets, as its header says', async () => {
    const store = await app.makeProject()
    const before = remaining(await store.get('/v1/pets'))

    const costs = []
    for (const count of [1, 100, 101, 1_000])
      costs.push((await addMany(store, count)).headers['x-ratelimit-cost'])

    expect(costs).toEqual(['1', '1', '2', '10'])
    expect(remaining(await store.get('/v1/pets'))).toBe(before - 15)
  })

  it('an invalid import costs one request for each begun 128 KiB', async () => {
    const store = await app.makeProject()
    const before = remaining(await store.get('/v1/pets'))

    const faulty = await sendImport(store, 'ndjson', `${linesOf(manyPets(500))}{}`)
    const large = await sendImport(store, 'ndjson', linesOf(manyPets(10_001)))
    const unknown = await store.post('/v1/pets/import', {})

    expect([faulty, large, unknown].map(remaining)).toEqual([before - 1, before - 6, before - 7])
    expect([faulty, large, unknown].map(({ status }) => status)).toEqual([400, 413, 415])
    expect([faulty, large, unknown].map(({ headers }) => headers['x-ratelimit-cost'])).toEqual([
      '1',
      '5',
      '1',
    ])
  })

  it('a small import costs one request if its Idempotency-Key was already used for the same pets or for other pets', async () => {
    const store = await app.makeProject()
    const key = { 'idempotency-key': 'once' }

    const first = await sendImport(store, 'ndjson', linesOf(manyPets(500)), key)
    const again = await sendImport(store, 'ndjson', linesOf(manyPets(500)), key)
    const other = await sendImport(store, 'ndjson', linesOf(manyPets(400)), key)

    expect([first, again, other].map(({ status }) => status)).toEqual([201, 201, 422])
    expect([first, again, other].map(({ headers }) => headers['x-ratelimit-cost'])).toEqual(['5', '1', '1'])
    expect([again, other].map(remaining)).toEqual([remaining(first) - 1, remaining(first) - 2])
  })

  it('an import is charged in full, or refused without adding pets', async () => {
    const store = await app.makeProject({ perMinute: 4 })
    await store.get('/v1/pets')
    await store.get('/v1/pets')

    const refused = await sendImport(store, 'ndjson', linesOf(manyPets(201)))

    expect([refused.status, refused.headers['x-ratelimit-cost'], remaining(refused)]).toEqual([429, '3', 2])
    expect(refused.json).toMatchObject({
      message: expect.stringMatching(/^This costs 3 requests, but fewer are left/),
    })
    expect(await list(store)).toEqual([])
  })

  /** A million bytes cost as much as eight parts of 128 KiB, because a part that has begun counts as a whole one. */
  const emptyLines = '\n'.repeat(1_000_000)

  it('an import of few pets in many bytes costs one request for each begun 128 KiB, even if refused or repeated', async () => {
    const store = await app.makeProject()
    const key = { 'idempotency-key': 'large' }

    const added = await sendImport(store, 'ndjson', `${emptyLines}{"name":"Max","categoryId":1}`, key)
    const again = await sendImport(store, 'ndjson', `${emptyLines}{"name":"Max","categoryId":1}`, key)
    const faulty = await sendImport(store, 'ndjson', `${emptyLines}{}`)
    const wide = await sendImport(store, 'csv', `name,categoryId\n${`${','.repeat(9_999)}\n`.repeat(100)}`)

    const answers = [added, again, faulty, wide]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 400])
    expect(answers.map(({ headers }) => headers['x-ratelimit-cost'])).toEqual(['8', '8', '8', '8'])
    expect(answers.slice(1).map(remaining)).toEqual([1, 2, 3].map(n => remaining(added) - 8 * n))
  })

  it('an import that costs more than the remaining budget is refused, and reading the import uses up the remaining budget', async () => {
    const store = await app.makeProject({ perMinute: 20 })
    const { headers } = await addMany(store, 1_500)
    expect(headers['x-ratelimit-remaining']).toBe('5')

    const refused = await sendImport(store, 'ndjson', emptyLines)
    const next = await sendImport(store, 'ndjson', emptyLines)

    expect([refused.status, refused.headers['x-ratelimit-cost'], remaining(refused)]).toEqual([429, '8', 0])
    // The answer has no price: the price depends on the body, which was not read.
    expect([next.status, next.headers['x-ratelimit-cost']]).toEqual([429, undefined])
    const use = { served: 15, faulty: 5, failed: 0, refusals: 2 }
    await expect.poll(() => readUse(app, store)).toEqual(use)
    expect(app.tools.metrics.text()).toContain(
      `animal_store_project_refusals_total{project="${store.project.slug}"} 2\n`,
    )
  })

  it('an import costs at most as many requests as the plan allows in a minute', async () => {
    const store = await app.makeProject({ perMinute: 2 })

    expect((await addMany(store, 500)).headers['x-ratelimit-cost']).toBe('2')
  })

  it('an exhausted limit is checked before the body of an import is read', async () => {
    const store = await app.makeProject({ perMinute: 1 })
    await store.get('/v1/pets')
    const { socket, answers } = await openRawConnection(app.url)

    socket.write(
      `POST /v1/pets/import HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${store.secret}\r\n` +
        `content-type: ${types.csv}\r\ncontent-length: 9000000\r\nexpect: 100-continue\r\n\r\n`,
    )

    expect((await answers(1)).map(({ status }) => status)).toEqual([429])
  })
})
