import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freshRedis } from '../support/databases.ts'
import { graphqlOf } from '../support/graphql.ts'
import { ids } from '../support/ids.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const max = { name: 'Max', categoryId: 7, status: 'available' }

async function withPet(pet: object = max) {
  const store = await app.makeProject()
  return { store, ...(await createPet(store, pet)) }
}

async function createPet(store: TestProject, pet: object = max) {
  const { json, headers } = await store.post('/v1/pets', pet)
  const { id } = json as { id: number }
  return { id, path: `/v1/pets/${id}`, etag: headers.etag ?? '' }
}

describe('the change of a pet', () => {
  it.each([
    [{ name: '  Moritz ' }, { name: 'Moritz' }],
    [{ categoryId: 8 }, { categoryId: 8 }],
    [{ status: 'sold' }, { status: 'sold' }],
    [
      { name: 'Moritz', categoryId: '-9', status: 'pending' },
      { name: 'Moritz', categoryId: -9, status: 'pending' },
    ],
  ])('the change %j returns the changed pet, and keeps its other fields', async (change, changed) => {
    const { store, id, path } = await withPet()

    const answer = await store.patch(path, change)

    expect([answer.status, answer.json]).toEqual([200, { id, ...max, ...changed }])
    expect((await store.get('/v1/pets')).json).toEqual([{ id, ...max, ...changed }])
    expect((await store.get(path)).json).toEqual({ id, ...max, ...changed })
  })

  it('null removes a status, and is refused for other fields', async () => {
    const { store, id, path } = await withPet()

    const unset = await store.patch(path, { status: null })
    const refused = await store.patch(path, { name: null, categoryId: null })

    expect(unset.json).toEqual({ id, name: 'Max', categoryId: 7 })
    expect(refused.json).toMatchObject({ details: [{ field: 'name' }, { field: 'categoryId' }] })
  })

  it('a changed categoryId keeps every digit, even if the number is too large for JavaScript', async () => {
    const { store, path } = await withPet()

    const changed = await store.patch(path, '{"categoryId":9007199254740993}')

    expect(changed.text).toContain('"categoryId":9007199254740993')
  })

  it.each([
    ['an empty object', '{}', ['body']],
    ['unknown fields', '{"title":"Moritz","id":5,"projectId":1}', ['body']],
    ['faulty fields', '{"name":"","categoryId":1.5,"status":"lost"}', ['name', 'categoryId', 'status']],
    ['a list', '[]', ['body']],
  ])('a change of a pet that sends %s is refused, and changes nothing', async (_, body, fields) => {
    const { store, id, path } = await withPet()

    const refused = await store.patch(path, body)

    expect(refused.json).toMatchObject({ code: 'invalid_input', details: fields.map(field => ({ field })) })
    expect((await store.get(path)).json).toEqual({ id, ...max })
  })

  it.each([
    ['a body that is not JSON', '{', 'application/json', 400],
    ['a form', 'name=Moritz', 'application/x-www-form-urlencoded', 415],
    ['more than 64 KiB', JSON.stringify({ name: 'x'.repeat(65_536) }), 'application/json', 413],
  ])('a change of a pet that sends %s is refused', async (_, body, type, status) => {
    const { store, path } = await withPet()

    expect((await store.patch(path, body, { 'content-type': type })).status).toBe(status)
  })

  it.each(['0', 'abc', '9223372036854775808', '9223372036854775807'])(
    'a change or a deletion of a pet with the id %s gets a 404',
    async id => {
      const store = await app.makeProject()

      for (const answer of [
        await store.patch(`/v1/pets/${id}`, { name: 'Moritz' }),
        await store.delete(`/v1/pets/${id}`),
      ]) {
        expect(answer.json).toMatchObject({ code: 'pet_not_found', status: 404 })
      }
    },
  )
})

describe('the deletion of a pet', () => {
  it('a deletion returns 204, and 404 if the pet is already gone', async () => {
    const { store, id, path } = await withPet()
    const other = await createPet(store)

    const deleted = await store.delete(path)

    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await store.delete(path)).json).toMatchObject({ code: 'pet_not_found' })
    expect((await store.patch(path, { name: 'Moritz' })).json).toMatchObject({ code: 'pet_not_found' })
    expect((await store.get(path)).status).toBe(404)
    expect(ids(await store.get('/v1/pets'))).toEqual([other.id])
    expect(other.id).not.toBe(id)
  })

  it('a cursor stays valid after its pet is deleted', async () => {
    const { store, path } = await withPet()
    const [second, third] = [await createPet(store), await createPet(store)]
    const { link } = (await store.get('/v1/pets?limit=1')).headers
    const next = /<([^>]+)>/.exec(String(link))?.[1]?.replace(app.url, '') ?? ''

    await store.delete(path)

    expect(ids(await store.get(next))).toEqual([second.id])
    await store.delete(second.path)
    expect(ids(await store.get(next))).toEqual([third.id])
  })

  it('a creation that is repeated with its idempotency key gets the first answer again, even after the pet is deleted', async () => {
    const store = await app.makeProject()
    const key = { 'idempotency-key': 'once' }
    const first = await store.post('/v1/pets', max, key)
    await store.delete(`/v1/pets/${(first.json as { id: number }).id}`)

    const again = await store.post('/v1/pets', max, key)

    expect([again.status, again.text, again.headers.etag]).toEqual([201, first.text, first.headers.etag])
    expect(ids(await store.get('/v1/pets'))).toEqual([])
  })
})

describe('the tag of a pet', () => {
  it('every answer with a pet has its tag, which is the same over REST and GraphQL and changes with the pet', async () => {
    const { store, id, path, etag } = await withPet()
    const send = graphqlOf(app, store)
    const overGraphql = async () =>
      `"${(await send(`{ node(id: "${id}") { ... on Pet { etag } } }`)).data.node.etag}"`
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect([(await store.get(path)).headers.etag, await overGraphql()]).toEqual([etag, etag])

    const changed = await store.patch(path, { status: 'sold' })

    expect(changed.headers.etag).not.toBe(etag)
    expect([(await store.get(path)).headers.etag, await overGraphql()]).toEqual(
      Array(2).fill(changed.headers.etag),
    )
    expect((await store.patch(path, { status: 'available' })).headers.etag).not.toBe(etag)
  })

  it.each([
    ['name', { name: 'Moritz' }],
    ['category', { categoryId: 2 }],
    ['status', { status: 'sold' }],
    ['removed status', { status: null }],
  ])('the tag of a pet changes with its %s, and the old tag no longer matches', async (_, change) => {
    const { store, path, etag } = await withPet({ name: 'Max', categoryId: 1, status: 'available' })

    const changed = await store.patch(path, change, { 'if-match': etag })

    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
    expect((await store.delete(path, { 'if-match': etag })).status).toBe(412)
    expect((await store.get(path)).headers.etag).toBe(changed.headers.etag)
  })

  it('a pet is sent uncompressed even if its name is long, because the ETag of the pet stands for exact bytes', async () => {
    const { store, path } = await withPet({ name: '🐈'.repeat(255), categoryId: 1 })

    expect((await store.get(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
  })

  it.each([
    ['the tag', (etag: string) => etag],
    ['the tag among others', (etag: string) => `"other" , ${etag}`],
    ['the tag before others', (etag: string) => `${etag},W/"other"`],
    [
      'the tag in a list of a thousand characters',
      (etag: string) => `${etag},"${'x'.repeat(997 - etag.length)}"`,
    ],
    ['the weak tag of a proxy that compresses', (etag: string) => `W/${etag}`],
    ['a star', () => '*'],
  ])('a change and a deletion of a pet succeed if If-Match is %s', async (_, condition) => {
    const { store, path, etag } = await withPet()

    const changed = await store.patch(path, { name: 'Moritz' }, { 'if-match': condition(etag) })
    const deleted = await store.delete(path, { 'if-match': condition(changed.headers.etag ?? '') })

    expect([changed.status, deleted.status]).toEqual([200, 204])
  })

  it('a change and a deletion with a stale tag are refused, and change nothing', async () => {
    const { store, id, path, etag } = await withPet()
    await store.patch(path, { status: 'sold' })

    const refused = [
      await store.patch(path, { name: 'Moritz' }, { 'if-match': etag }),
      await store.delete(path, { 'if-match': etag }),
    ]

    for (const { json } of refused) expect(json).toMatchObject({ code: 'precondition_failed', status: 412 })
    expect((await store.get('/v1/pets')).json).toEqual([{ id, ...max, status: 'sold' }])
  })

  it.each(['', ',', 'x y', '"', `"${'x'.repeat(999)}"`])(
    'an invalid If-Match is refused: %j',
    async condition => {
      const { store, path } = await withPet()

      for (const refused of [
        await store.patch(path, { name: 'Moritz' }, { 'if-match': condition }),
        await store.delete(path, { 'if-match': condition }),
      ]) {
        expect(refused.json).toMatchObject({ code: 'invalid_input', details: [{ field: 'If-Match' }] })
      }
    },
  )
})

describe('concurrent changes of pets', () => {
  it('one of a hundred concurrent changes with the same tag succeeds, over REST, GraphQL and two processes', async ({
    skip,
  }) => {
    const { databaseUrl } = app.tools.config
    const redisUrl = await freshRedis()
    if (!databaseUrl || !redisUrl) return skip('redis-server or PostgreSQL is not installed')
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
    const two = await Promise.all([startApp({ env }), startApp({ env })])
    onTestFinished(async () => {
      await Promise.all(two.map(each => each.stop()))
    })
    const store = await app.makeProject()
    const { id, path, etag } = await createPet(store)
    const [here, other] = two.map(({ url }) => url)

    const change = (i: number, method: string, url: string) =>
      fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${store.secret}`,
          'content-type': 'application/json',
          'if-match': etag,
        },
        body: JSON.stringify(
          method === 'PATCH'
            ? { name: `Max ${i}` }
            : {
                query:
                  'mutation($id: ID!, $name: String, $tag: String) { updatePet(petId: $id, input: { name: $name }, ifMatch: $tag) { name } }',
                variables: { id, name: `Max ${i}`, tag: etag },
              },
        ),
      }).then(answer => answer.text())
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 4 < 2
          ? change(i, 'PATCH', `${i % 2 ? here : other}${path}`)
          : change(i, 'POST', `${i % 2 ? here : other}/graphql`),
      ),
    )

    const refused = answers.filter(text => text.includes('precondition_failed'))
    const [came = ''] = answers.filter(text => !refused.includes(text))
    expect(refused).toHaveLength(99)
    const { name } = (await store.get(path)).json as { name: string }
    expect(came).toContain(`"${name}"`)
  })

  it('concurrent changes of one pet run one after the other, and only one of its concurrent deletions succeeds', async () => {
    const { store, path } = await withPet()

    const changes = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        store.patch(path, i % 2 ? { categoryId: i } : { name: `Max ${i}` }),
      ),
    )
    const deletions = await Promise.all(Array.from({ length: 20 }, () => store.delete(path)))

    expect(new Set(changes.map(({ status }) => status))).toEqual(new Set([200]))
    expect(deletions.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)])
  })

  it('concurrent changes and deletions of different pets all succeed', async () => {
    const store = await app.makeProject()
    const pets = await Promise.all(Array.from({ length: 40 }, () => createPet(store)))

    const answers = await Promise.all(
      pets.map(({ path }, i) => (i % 2 ? store.delete(path) : store.patch(path, { name: `Pet ${i}` }))),
    )

    expect(answers.map(({ status }) => status)).toEqual(pets.map((_, i) => (i % 2 ? 204 : 200)))
    const left = (await store.get('/v1/pets?limit=100')).json as { id: number; name: string }[]
    expect(left.map(({ id, name }) => [id, name]).sort()).toEqual(
      pets.flatMap(({ id }, i) => (i % 2 ? [] : [[id, `Pet ${i}`]])).sort(),
    )
  })

  it('a change of a pet waits for a transaction on the same pet, but not for a transaction on another pet', async ({
    skip,
  }) => {
    const { databaseUrl } = app.tools.config
    if (!databaseUrl)
      return skip('PostgreSQL is not installed: on the embedded database nothing runs side by side')
    const store = await app.makeProject()
    const [held, ...free] = await Promise.all(Array.from({ length: 3 }, () => createPet(store)))
    const somebody = new pg.Client({ connectionString: databaseUrl })
    await somebody.connect()
    onTestFinished(() => somebody.end())
    await somebody.query(`BEGIN; UPDATE pets SET status = 'pending' WHERE id = ${held?.id}`)

    const [waiting, ...others] = [held, ...free].map(pet => store.patch(pet?.path ?? '', { name: 'Moritz' }))
    const done = await Promise.all(others)
    const isWaiting = await Promise.race([waiting?.then(() => false), pause(50, true)])
    await somebody.query('COMMIT')

    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200]))
    expect(isWaiting).toBe(true)
    expect((await waiting)?.json).toMatchObject({ name: 'Moritz', status: 'pending' })
  })
})

it('a change needs the scope pets:write, and costs one request', async () => {
  const { store, path } = await withPet()
  const reader = await store.issueKey(['pets:read'])
  const left = async (answer: Promise<{ headers: Record<string, unknown> }>) =>
    Number((await answer).headers['x-ratelimit-remaining'])

  expect([(await reader.patch(path, {})).status, (await reader.delete(path)).status]).toEqual([403, 403])
  const before = await left(store.get(path))
  expect(await left(store.patch(path, { name: 'Moritz' }))).toBe(before - 1)
  expect(await left(store.delete(path))).toBe(before - 2)
})
