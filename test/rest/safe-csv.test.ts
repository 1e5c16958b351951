import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { petFields, textFields } from '../../src/core/pets/columns.ts'
import { sendImport } from '../support/import.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
const names = ['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', "'=1", "'", "''x", 'Rex', 'a=1']
const shown = ['\'=HYPERLINK("x")', "'+1", "'-1", "'@SUM(A1)", "''=1", "''", "'''x", 'Rex', 'a=1']
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  for (const name of names) await store.post('/v1/pets', { name, categoryId: -7 })
})
afterAll(() => app.stop())

const namesOf = async (of: TestProject) =>
  ((await of.get('/v1/pets?limit=100')).json as { name: string }[]).map(({ name }) => name)

describe('a CSV that is safe to open in a spreadsheet', () => {
  it('a safe CSV escapes names that would begin a formula, and has a 1 in the column safe of every line', async () => {
    const [head, ...lines] = (await store.get('/v1/pets/export?format=csv&safe=1')).text.trim().split('\r\n')

    expect(head).toBe(`${petFields},safe`)
    expect(lines.map(line => line.replace(/^\d+,"?(.*?)"?,-7,+1$/, '$1').replaceAll('""', '"'))).toEqual(
      shown,
    )
  })

  it.each(['&safe=1', ''])(
    'an exported CSV can be imported with the original names: format=csv%s',
    async safe => {
      const other = await app.makeProject()

      const imported = await sendImport(
        other,
        'csv',
        (await store.get(`/v1/pets/export?format=csv${safe}`)).text,
      )

      expect([imported.status, await namesOf(other)]).toEqual([201, names])
    },
  )

  it.each(textFields)(
    'a safe CSV escapes a %s that begins a formula, and an import restores it',
    async field => {
      const [one, other] = [await app.makeProject(), await app.makeProject()]
      await one.post('/v1/pets', { name: 'Rex', categoryId: 1, [field]: '=1+1' })

      const { text } = await one.get('/v1/pets/export?format=csv&safe=1')
      await sendImport(other, 'csv', text)

      expect(text).toContain(",'=1+1,")
      expect((await other.get('/v1/pets')).json).toMatchObject([{ [field]: '=1+1' }])
    },
  )

  it('a safe CSV also escapes old names that begin with a tab or a return', async () => {
    const old = await app.makeProject()
    const projectId = old.project.id
    await app.tools.db.pet.createMany({
      data: ['\t=1', '\r=1'].map(name => ({ projectId, name, categoryId: 1n })),
    })

    const { text } = await old.get('/v1/pets/export?format=csv&safe=1')

    expect(text).toContain(",'\t'=1,")
    expect(text).toContain(`,"'\r'=1",`)
  })

  it('no cell of a safe CSV begins a formula if a spreadsheet splits lines at semicolons, and an import restores the names', async () => {
    const [one, other] = [await app.makeProject(), await app.makeProject()]
    const given = ['Rex;=1+1;', 'a, "b";@SUM(A1)', ";;+1;-1;'=1;'x", "x;'", 'a;b']
    for (const name of given) await one.post('/v1/pets', { name, categoryId: 1 })
    const projectId = one.project.id
    // Old names may contain line breaks and tabs; new names may not.
    await app.tools.db.pet.create({ data: { projectId, name: 'old,\r\n=1;\t-1\n@x', categoryId: 1n } })

    const { text } = await one.get('/v1/pets/export?format=csv&safe=1')
    await sendImport(other, 'csv', text.split(/\d+,"old/)[0] ?? '')

    expect(text.split(/[;\t\r\n]/).filter(cell => /^"*[=+\-@]/.test(cell))).toEqual([])
    expect(text).toContain("Rex;'=1+1;,1,")
    expect(await namesOf(other)).toEqual(given)
  })

  it.each(['format=csv&safe=0', 'format=csv&safe=', 'safe=1', 'format=ndjson&safe=1'])(
    'an export with %s is refused',
    async query => {
      const { status, json } = await store.get(`/v1/pets/export?${query}`)

      expect([status, json]).toMatchObject([400, { details: [{ field: 'safe' }] }])
    },
  )
})

describe('the media type of a change', () => {
  it('a change may be a merge patch, and a refusal lists the accepted media types', async () => {
    const { json } = await store.post('/v1/pets', { name: 'Max', categoryId: 1, status: 'sold' })
    const path = `/v1/pets/${(json as { id: number }).id}`
    const as = (type: string) => store.patch(path, { status: null }, { 'content-type': type })

    const refused = await as('application/json-patch+json')

    expect([refused.status, refused.headers['accept-patch']]).toEqual([
      415,
      'application/merge-patch+json, application/json',
    ])
    expect(refused.json).toMatchObject({
      message: 'The body must be application/merge-patch+json or application/json in UTF-8.',
    })
    expect((await as('application/merge-patch+json')).json).not.toHaveProperty('status')
    expect((await as('application/merge-patch+json; charset=utf-8')).status).toBe(200)
    expect(
      (await store.post('/v1/pets', {}, { 'content-type': 'application/merge-patch+json' })).status,
    ).toBe(415)
  })
})
