import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/ask.ts'
import { freshRedis } from '../support/databases.ts'
import { sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  const redisUrl = await freshRedis()
  app = await startApp({ env: redisUrl ? { REDIS_URL: redisUrl } : {} })
  store = await app.makeProject({ plan: 'business' })
})
afterAll(() => app.stop())

const tagOf = ({ headers }: Answer) => String(headers.etag)
const json = { 'content-type': 'application/json' }
const put = (id: number, name: string, headers: Record<string, string> = {}) =>
  store.ask(`/v1/categories/${id}`, {
    method: 'PUT',
    headers: { ...json, ...headers },
    body: JSON.stringify({ name }),
  })

async function createPet() {
  const added = await store.post('/v1/pets', { name: 'Max', categoryId: 1, status: 'available' })
  const { id } = added.json as { id: number }
  const path = `/v1/pets/${id}`
  return {
    id,
    path,
    tag: tagOf(added),
    change: (body: object, headers = {}) => store.patch(path, body, headers),
  }
}

describe('the tag of a pet', () => {
  it('a pet that is changed and changed back gets a new tag, by REST, GraphQL and SQL', async () => {
    const { id, path, tag, change } = await createPet()

    await change({ name: 'Rex' })
    const back = await change({ name: 'Max' })
    await app.tools.db.$executeRaw`UPDATE pets SET name = 'Ada' WHERE id = ${id}`
    await app.tools.db.$executeRaw`UPDATE pets SET name = 'Max' WHERE id = ${id}`

    for (const old of [tag, tagOf(back)]) {
      expect((await change({ status: 'sold' }, { 'if-match': old })).status).toBe(412)
      expect((await store.delete(path, { 'if-match': old })).status).toBe(412)
      const bare = old.replaceAll('"', '')
      const query = `mutation { updatePet(petId: "${id}", input: { status: sold }, ifMatch: "${bare}") { id } }`
      const { errors } = await sendGraphql(app.url, store.secret, query)
      expect(errors[0]?.extensions.code).toBe('precondition_failed')
    }
    const now = tagOf(await store.get(path))
    expect((await change({ status: 'sold' }, { 'if-match': now })).status).toBe(200)
  })

  it('a pet keeps its tag after a change without effect, and in the answer of a repeated creation', async () => {
    const { tag, change } = await createPet()
    const under = { 'idempotency-key': 'versions' }
    const first = await store.post('/v1/pets', { name: 'Ada', categoryId: 1 }, under)
    await store.patch(`/v1/pets/${(first.json as { id: number }).id}`, { name: 'Eve' })

    expect(tagOf(await change({ name: 'Max' }))).toBe(tag)
    expect(tagOf(await store.post('/v1/pets', { name: 'Ada', categoryId: 1 }, under))).toBe(tagOf(first))
  })
})

describe('a condition', () => {
  it.each([
    ['If-Match', 'abc'],
    ['If-Match', '*, "x"'],
    ['If-Match', '"x", *'],
    ['If-Match', '"x" "y"'],
    ['If-Match', '"x'],
    ['If-Match', ''],
    ['If-Match', 'w/"x"'],
    ['If-None-Match', 'abc'],
    ['If-None-Match', '*, "x"'],
  ])(
    'a request gets a 400 if its header %s contains neither ETags in quotes nor only a star: %s',
    async (field, value) => {
      const { path, change } = await createPet()
      const message = 'must be an ETag in quotes, a list of them, or *'

      for (const refused of [
        await change({ status: 'sold' }, { [field]: value }),
        await store.delete(path, { [field]: value }),
        await put(1, 'Dogs', { [field]: value }),
      ]) {
        expect([refused.status, refused.json]).toMatchObject([400, { details: [{ field, message }] }])
      }
    },
  )

  it('a change succeeds if its If-Match is a star or lists the current tag, also as a weak tag', async () => {
    const { tag, change } = await createPet()

    expect((await change({ status: 'sold' }, { 'if-match': `"a,b", W/${tag}` })).status).toBe(200)
    expect((await change({ status: 'sold' }, { 'if-match': `"a,b", ${tag}` })).status).toBe(412)
    expect((await change({ status: 'sold' }, { 'if-match': '*' })).status).toBe(200)
  })

  it('If-None-Match refuses a change of an existing resource', async () => {
    const { tag, change, path } = await createPet()

    expect((await change({ status: 'sold' }, { 'if-none-match': '*' })).status).toBe(412)
    expect((await change({ status: 'sold' }, { 'if-none-match': `"x", ${tag}` })).status).toBe(412)
    expect((await store.delete(path, { 'if-none-match': '*' })).status).toBe(412)
    expect((await change({ status: 'sold' }, { 'if-none-match': '"x"' })).status).toBe(200)
  })
})

describe('the tag of a category', () => {
  it('a category rename with a stale ETag is refused, but an ETag still allows the rename if only a pet was added since', async () => {
    const created = await put(70, 'Dogs', { 'if-none-match': '*' })
    const read = await store.get('/v1/categories/70')
    await store.post('/v1/pets', { name: 'Max', categoryId: 70 })

    const again = await put(70, 'Cats', { 'if-none-match': '*' })
    const renamed = await put(70, 'Cats', { 'if-match': tagOf(read) })
    const back = await put(70, 'Dogs')

    expect([created.status, again.status, renamed.status, back.status]).toEqual([201, 412, 200, 200])
    expect(tagOf(created)).toBe(tagOf(read))
    for (const old of [created, renamed]) {
      expect((await put(70, 'Birds', { 'if-match': tagOf(old) })).status).toBe(412)
      expect((await store.delete('/v1/categories/70', { 'if-match': tagOf(old) })).status).toBe(412)
    }
    const counted = await store.get('/v1/categories/70', { 'if-none-match': tagOf(back) })
    expect(counted.status).toBe(304)
    await store.post('/v1/pets', { name: 'Ada', categoryId: 70 })
    expect((await store.get('/v1/categories/70', { 'if-none-match': tagOf(back) })).status).toBe(200)
    expect((await store.delete('/v1/categories/70', { 'if-match': tagOf(back) })).status).toBe(204)
    expect((await put(70, 'Dogs', { 'if-match': tagOf(back) })).status).toBe(412)
    expect((await put(70, 'Dogs')).status).toBe(201)
    expect((await put(70, 'Fish', { 'if-match': tagOf(back) })).status).toBe(412)
  })

  it('a DELETE of a category that is repeated with its If-Match gets a 404, as that of a pet does', async () => {
    const tag = tagOf(await put(73, 'Dogs'))
    const pet = await createPet()
    const remove = (ifMatch: string) =>
      `mutation { categoryRemove(input: { id: "category_73", ifMatch: ${ifMatch} }) { deletedId } }`

    for (const [path, header] of [
      ['/v1/categories/73', tag],
      [pet.path, pet.tag],
    ] as const) {
      expect((await store.delete(path, { 'if-match': header })).status).toBe(204)
      expect((await store.delete(path, { 'if-match': header })).status).toBe(404)
      expect((await store.delete(path, { 'if-match': '*' })).status).toBe(404)
      expect((await store.delete(path, { 'if-none-match': '*' })).status).toBe(404)
    }
    const { errors } = await sendGraphql(app.url, store.secret, remove(JSON.stringify(tag)))
    expect(errors).toMatchObject([
      { message: 'The category 73 has no name.', extensions: { code: 'category_not_found' } },
    ])
  })

  it('a 412 says why the condition fails: a name is missing, exists already, or still has the tag; GraphQL says the same', async () => {
    const { id, path, tag, change } = await createPet()
    const message = ({ json }: Answer) => (json as { message: string }).message
    const unnamed = 'The category 72 has no name, so it has no tag that could match.'

    expect(message(await put(72, 'Dogs', { 'if-match': '*' }))).toBe(unnamed)
    const set = 'mutation { setCategory(categoryId: 72, name: "Dogs", ifMatch: "*") { name } }'
    expect((await sendGraphql(app.url, store.secret, set)).errors[0]?.message).toBe(unnamed)
    await put(72, 'Dogs')
    const exists = 'The category 72 exists already; nothing was done.'
    expect(message(await put(72, 'Cats', { 'if-none-match': '*' }))).toBe(exists)
    const still = `Pet ${id} still has a tag of If-None-Match; nothing was done.`
    expect(message(await change({ status: 'sold' }, { 'if-none-match': tag }))).toBe(still)
    await change({ name: 'Rex' })
    const changed = `Pet ${id} has changed; read it again, then change it.`
    expect(message(await store.delete(path, { 'if-match': tag }))).toBe(changed)
  })

  it('if many clients rename a category at once with the same ETag, only one succeeds', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `Name ${i}`)

    const created = await Promise.all(names.map(name => put(71, name, { 'if-none-match': '*' })))
    const tag = tagOf(await store.get('/v1/categories/71'))
    const changed = await Promise.all(names.map(name => put(71, `New ${name}`, { 'if-match': tag })))

    const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted()
    expect(statuses(created)).toEqual([201, ...Array.from({ length: 11 }, () => 412)])
    expect(statuses(changed)).toEqual([200, ...Array.from({ length: 11 }, () => 412)])
  })
})

describe('the tag of an order', () => {
  it('an order cannot be moved with a stale tag, except to repeat the move that made the tag stale', async () => {
    const { id } = await createPet()
    const placed = await store.post('/v1/store/orders', { petId: id })
    const path = `/v1/store/orders/${(placed.json as { id: number }).id}`
    const move = (act: string, tag: string) => store.post(`${path}/${act}`, '', { 'if-match': tag })

    expect(tagOf(await store.get(path))).toBe(tagOf(placed))
    expect((await move('approve', '"another"')).status).toBe(412)
    const approved = await move('approve', tagOf(placed))
    expect(approved.status).toBe(200)
    expect((await move('approve', tagOf(placed))).status).toBe(200)
    expect((await move('cancel', tagOf(placed))).status).toBe(412)
    expect((await move('cancel', tagOf(approved))).status).toBe(200)
    expect((await move('deliver', tagOf(approved))).status).toBe(412)
  })
})

describe('an answer of 412', () => {
  it('a list or a pet read after a 412 includes the change that caused it', async () => {
    const { id, path, tag, change } = await createPet()
    const other = await app.makeProject()
    expect(other.project.id).not.toBe(store.project.id)

    let old = tag
    for (let round = 1; round <= 20; round++) {
      const name = `Round ${round}`
      const [list, one] = [`/v1/pets?limit=1&name=Round`, path]
      for (let again = 0; again < 2; again++) await Promise.all([store.get(list), store.get(one)])
      await app.tools.db.$executeRaw`UPDATE pets SET name = ${name} WHERE id = ${id}`

      expect((await change({ status: 'sold' }, { 'if-match': old })).status).toBe(412)
      const [listed, read] = [await store.get(list), await store.get(one)]

      expect(listed.json).toMatchObject([{ name }])
      expect(read.json).toMatchObject({ name })
      old = tagOf(read)
    }
  })
})
