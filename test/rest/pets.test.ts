import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalidatePages } from '../../src/core/pets/invalidate-pages.ts'
import { ids } from '../support/ids.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe('the creation of a pet', () => {
  it('a creation returns the pet with its id, and its Location', async () => {
    const store = await app.makeProject()

    const added = await store.post('/v1/pets', { name: '  Biscuit ', categoryId: 7, status: 'pending' })

    expect(added.status).toBe(201)
    expect(added.json).toEqual({ id: expect.any(Number), name: 'Biscuit', categoryId: 7, status: 'pending' })
    const { id } = added.json as { id: number }
    expect(added.headers.location).toBe(`${app.url}/v1/pets/${id}`)
    expect((await store.get(`/v1/pets/${id}`)).json).toEqual(added.json)
  })

  it('an omitted status stays unset and is absent from the answer', async () => {
    const store = await app.makeProject()

    const added = await store.post('/v1/pets', { name: 'Luna', categoryId: 1 })

    expect(added.text).toMatch(/^\{"id":\d+,"name":"Luna","categoryId":1\}$/)
  })

  it.each([
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9007199254740993', '9007199254740993'],
    ['0', '0'],
    ['-0', '0'],
    ['1e3', '1000'],
    ['1E3', '1000'],
    ['-1.5E+1', '-15'],
    ['-12345678901234567.0', '-12345678901234567'],
    ['0e999999999', '0'],
    ['1.0', '1'],
    ['12.50e1', '125'],
    ['922337203685477580.7e1', '9223372036854775807'],
  ])('the categoryId %s is stored exactly', async (sent, stored) => {
    const store = await app.makeProject()

    const added = await store.post('/v1/pets', `{"name":"Max","categoryId":${sent}}`)

    expect(added.status).toBe(201)
    expect(added.text).toContain(`"categoryId":${stored}}`)
    expect((await store.get('/v1/pets')).text).toContain(`"categoryId":${stored}}`)
  })

  it.each([
    '1.5',
    'true',
    'null',
    '9223372036854775808',
    '-9223372036854775809',
    '1e400',
    '1e999999999',
    '1e-1',
    '1E-1',
    '[]',
    '{}',
  ])('the categoryId %s is refused', async sent => {
    const store = await app.makeProject()

    const refused = await store.post('/v1/pets', `{"name":"Max","categoryId":${sent}}`)

    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ code: 'invalid_input', details: [{ field: 'categoryId' }] })
  })

  it.each(['null', '[]', '[{"name":"Max","categoryId":1}]', '"Max"', '5', 'true'])(
    'a body that is not an object is refused: %s',
    async body => {
      const store = await app.makeProject()

      const refused = await store.post('/v1/pets', body)

      expect(refused.status).toBe(400)
      expect(refused.json).toMatchObject({ code: 'invalid_input', details: [{ field: 'body' }] })
    },
  )

  it.each([
    ['one letter', 'x'],
    ['255 letters', 'x'.repeat(255)],
    ['255 emoji', '🐈'.repeat(255)],
    ['255 letters with blanks around them', ` ${'x'.repeat(255)}\n`],
  ])('a name of %s is accepted', async (_what, name) => {
    const store = await app.makeProject()

    const added = await store.post('/v1/pets', { name, categoryId: 1 })

    expect(added.json).toMatchObject({ name: name.trim() })
  })

  it.each([
    ['no letters', '""'],
    ['only blanks', '"  \\n"'],
    ['256 letters', `"${'x'.repeat(256)}"`],
    ['a NUL', '"a\\u0000b"'],
    ['half an emoji', '"a\\ud83d"'],
    ['a number', '5'],
    ['null', 'null'],
  ])('a name of %s is refused', async (_what, name) => {
    const store = await app.makeProject()

    const refused = await store.post('/v1/pets', `{"name":${name},"categoryId":1}`)

    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ details: [{ field: 'name' }] })
  })

  it('the refusal of a new pet names every faulty field in its message and in its details', async () => {
    const store = await app.makeProject()

    const refused = await store.post('/v1/pets', { status: 'lost' })

    expect(refused.status).toBe(400)
    const { code, message, status, details } = refused.json as Record<string, unknown>
    expect([code, status]).toEqual(['invalid_input', 400])
    expect((details as { field: string }[]).map(fault => fault.field)).toEqual([
      'name',
      'categoryId',
      'status',
    ])
    expect(message).toMatch(/name .*categoryId .*status /)
  })

  it('the creation of a pet ignores unknown fields, even if a field has a meaning elsewhere in the service', async () => {
    const [store, other] = [await app.makeProject(), await app.makeProject()]

    const added = await store.post('/v1/pets', {
      name: 'Max',
      categoryId: 1,
      id: 1,
      projectId: other.project.id,
      project_id: other.project.id,
      plan: 'enterprise',
      verified: true,
    })

    expect(added.status).toBe(201)
    expect((await other.get('/v1/pets')).json).toEqual([])
    expect(Object.keys(added.json as object)).toEqual(['id', 'name', 'categoryId'])
  })

  it.each([
    ['broken JSON', '{"name":', 'application/json', 400, 'malformed_request'],
    ['no body', '', 'application/json', 400, 'malformed_request'],
    ['a list', '[]', 'application/json', 400, 'invalid_input'],
    ['null', 'null', 'application/json', 400, 'invalid_input'],
    ['a text', '"Max"', 'application/json; charset=utf-8', 400, 'invalid_input'],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x22, 0xff, 0x22]),
      'application/json',
      400,
      'malformed_request',
    ],
    ['30,000 nested lists', '['.repeat(30_000) + ']'.repeat(30_000), 'application/json', 400, null],
    [
      'more than 64 KiB',
      JSON.stringify({ name: 'x'.repeat(65_536), categoryId: 1 }),
      'application/json',
      413,
      'body_too_large',
    ],
    ['a form', 'name=Max', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['another charset', '{}', 'application/json; charset=latin1', 415, 'unsupported_media_type'],
    ['no media type', '{}', '', 415, 'unsupported_media_type'],
  ])('the creation is refused with a clear message for %s', async (_what, body, type, status, code) => {
    const store = await app.makeProject()

    const refused = await store.ask('/v1/pets', {
      method: 'POST',
      body,
      headers: type ? { 'content-type': type } : {},
    })

    expect(refused.status).toBe(status)
    expect(refused.json).toMatchObject({ status, ...(code && { code }) })
  })

  it('a body that is small when compressed and huge when unpacked is refused', async () => {
    const store = await app.makeProject()
    const bomb = gzipSync(JSON.stringify({ name: 'x'.repeat(20_000_000), categoryId: 1 }))

    const refused = await store.ask('/v1/pets', {
      method: 'POST',
      body: bomb,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })

    expect(bomb.length).toBeLessThan(64 * 1024)
    expect(refused.json).toMatchObject({ code: 'body_too_large', status: 413 })
  })
})

describe('the list of pets', () => {
  it('the list writes each pet byte for byte as the creation returned it', async () => {
    const store = await app.makeProject()
    const names = [
      'x\u00a0\u00ad\u202ex',
      '"quoted" \\ and / slashed',
      'Zoë 🐕 \u2028\u2029',
      '{"id":1}',
      "it's",
    ]
    const added: string[] = []
    for (const [index, name] of names.entries()) {
      const pet = JSON.stringify({ name, categoryId: 0, ...(index % 2 === 0 && { status: 'sold' }) })
      added.push((await store.post('/v1/pets', pet.replace(':0', ':-9223372036854775808'))).text)
    }

    expect((await store.get('/v1/pets')).text).toBe(`[${added.join(',')}]`)
    expect((await store.get('/v1/pets?status=sold')).text).toBe(
      `[${added.filter((_, index) => index % 2 === 0).join(',')}]`,
    )
  })

  it('the list returns twenty pets by ascending id if no limit is given', async () => {
    const store = await withPets(25)

    const listed = await store.get('/v1/pets')

    expect(listed.status).toBe(200)
    const found = ids(listed)
    expect(found).toHaveLength(20)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
  })

  it('the list returns a 304 to a client that has the page, and a 200 once the page has changed', async () => {
    const store = await withPets(3)
    const { etag = '' } = (await store.get('/v1/pets')).headers

    const again = await store.get('/v1/pets', { 'if-none-match': `"other", ${etag.replace('W/', '')}` })
    for (const tags of [etag, `"other",${etag}`, `${etag} , W/"other"`, '*'])
      expect([tags, (await store.get('/v1/pets', { 'if-none-match': tags })).status]).toEqual([tags, 304])
    for (const tags of ['', '"other"', 'W/"other", "another"', etag.slice(0, -2)])
      expect([tags, (await store.get('/v1/pets', { 'if-none-match': tags })).status]).toEqual([tags, 200])
    await store.post('/v1/pets', { name: 'Latecomer', categoryId: 1 })
    const changed = await store.get('/v1/pets', { 'if-none-match': etag })

    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect([changed.status, ids(changed).length]).toEqual([200, 4])
  })

  it('a page gets a different tag once a next page exists, even if its pets stay the same', async () => {
    const store = await withPets(2)
    const { etag = '' } = (await store.get('/v1/pets?limit=2')).headers
    await store.post('/v1/pets', { name: 'Latecomer', categoryId: 1 })

    const again = await store.get('/v1/pets?limit=2', { 'if-none-match': etag })

    expect([again.status, ids(again).length, nextOf(again.headers.link)]).toEqual([
      200,
      2,
      expect.stringContaining('cursor='),
    ])
  })

  it('the Link header leads through all pages while pets are added', async () => {
    const store = await withPets(23)
    const before = ids(await store.get('/v1/pets?limit=100'))

    const seen: number[] = []
    let next: string | null = '/v1/pets?limit=5'
    let pages = 0
    while (next) {
      const page = await store.get(next)
      seen.push(...ids(page))
      next = nextOf(page.headers.link)
      if (pages++ < 2) await store.post('/v1/pets', { name: 'Latecomer', categoryId: 1 })
    }

    expect(seen.slice(0, 23)).toEqual(before)
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  it('the link to the next page keeps the requested address, limit and filter, and the last page has none', async () => {
    const store = await withPets(4, 'sold')

    const first = await store.get('/v1/pets?status=sold&limit=2')
    const last = await store.get(nextOf(first.headers.link) ?? '')

    const link = new URL(/^<([^>]+)>; rel="next"$/.exec(first.headers.link as string)?.[1] ?? '')
    expect(link.href.startsWith(`${app.url}/v1/pets?`)).toBe(true)
    expect([link.searchParams.get('limit'), link.searchParams.get('status')]).toEqual(['2', 'sold'])
    expect(ids(last)).toHaveLength(2)
    expect(last.headers.link).toBeUndefined()
  })

  it('the list returns only pets of the given status', async () => {
    const store = await withPets(2, 'sold')
    await store.post('/v1/pets', { name: 'Free', categoryId: 1, status: 'available' })
    await store.post('/v1/pets', { name: 'Unset', categoryId: 1 })

    expect(ids(await store.get('/v1/pets?status=sold'))).toHaveLength(2)
    expect(ids(await store.get('/v1/pets?status=available'))).toHaveLength(1)
    expect(ids(await store.get('/v1/pets?status=pending'))).toHaveLength(0)
    expect(ids(await store.get('/v1/pets'))).toHaveLength(4)
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=20abc',
    'limit=',
    'limit=1&limit=2',
    'limit=-1',
    'limit=%2B5',
    'limit=1e1',
    'limit=%2020',
    'status=lost',
    'status=',
    'status=sold&status=sold',
    'status=SOLD',
    'cursor=',
    'cursor=abc',
    'cursor=MQ',
    'cursor=a&cursor=b',
  ])('the list refuses ?%s', async query => {
    const store = await app.makeProject()

    const refused = await store.get(`/v1/pets?${query}`)

    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ code: 'invalid_input', details: [{ field: query.split('=')[0] }] })
  })

  it('the list refuses a cursor of another project', async () => {
    const [store, other] = [await withPets(2), await withPets(2)]
    const next = nextOf((await other.get('/v1/pets?limit=1')).headers.link) ?? ''

    expect((await other.get(next)).status).toBe(200)
    expect((await store.get(next)).status).toBe(400)
    // A cursor followed by more text is refused too.
    for (const more of ['=', 'x', '.', 'LjE'])
      expect([more, (await other.get(`${next}${encodeURIComponent(more)}`)).status]).toEqual([more, 400])
  })
})

describe('a single pet', () => {
  it('every answer of getPet announces its deprecation, its removal date and its successor', async () => {
    const store = await withPets(1)
    const [id] = ids(await store.get('/v1/pets'))

    for (const answer of [await store.get(`/v1/pets/${id}`), await store.get('/v1/pets/123456789012')]) {
      expect(answer.headers.deprecation).toMatch(/^@\d+$/)
      expect(answer.headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
      expect(answer.headers.link).toMatch(/<http[^>]+\/v1\/pets>; rel="successor-version"/)
    }
  })

  it.each([
    '0',
    '-1',
    'abc',
    '1.5',
    '1e3',
    '9223372036854775808',
    '99999999999999999999999',
    '%00',
    '+1',
    '01',
  ])('the id %s gets a 404', async id => {
    const store = await app.makeProject()

    const missing = await store.get(`/v1/pets/${id}`)

    expect([missing.status, (missing.json as { code: string }).code]).toEqual([404, 'pet_not_found'])
  })

  it('a single pet returns a 304 to a client that has it, and a 200 once it has changed', async () => {
    const store = await withPets(1)
    const [id = 0] = ids(await store.get('/v1/pets'))
    const { etag = '' } = (await store.get(`/v1/pets/${id}`)).headers

    const again = await store.get(`/v1/pets/${id}`, { 'if-none-match': etag })
    await app.tools.db.pet.updateMany({ where: { id: BigInt(id) }, data: { name: 'Renamed' } })
    await invalidatePages(app.tools.limiter, store.project)
    const changed = await store.get(`/v1/pets/${id}`, { 'if-none-match': etag })

    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect([changed.status, changed.json]).toEqual([200, expect.objectContaining({ name: 'Renamed' })])
  })

  it('a pet of another project looks missing', async () => {
    const [store, stranger] = [await withPets(1), await app.makeProject()]
    const [id] = ids(await store.get('/v1/pets'))

    const foreign = await stranger.get(`/v1/pets/${id}`)
    const missing = await stranger.get('/v1/pets/987654321098')

    expect(foreign.status).toBe(404)
    expect(foreign.text.replace(String(id), '#')).toBe(missing.text.replace('987654321098', '#'))
  })
})

async function withPets(count: number, status?: string) {
  const store = await app.makeProject()
  for (let i = 1; i <= count; i++) await store.post('/v1/pets', { name: `Pet ${i}`, categoryId: i, status })
  return store
}

function nextOf(link: unknown): string | null {
  const url = /<([^>]+)>; rel="next"/.exec(String(link))?.[1]
  return url ? url.replace(app.url, '') : null
}
