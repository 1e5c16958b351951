import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clients } from '../support/graphql-clients.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const list = `query List($first: Int, $after: String) {
  pets(first: $first, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }`
const create = 'mutation Create($input: NewPet!) { createPet(input: $input) { id name categoryId } }'
const wrongKey = `as_${'0'.repeat(34)}`

describe.each(Object.entries(clients))('with %s', (_name, open) => {
  test('a client creates pets and reads them page by page', async () => {
    const client = open(app.url, (await app.makeProject()).secret)

    for (const name of ['Luna', 'Rex', 'Milo']) {
      const input = { name, categoryId: '9007199254740993' }
      const made = await client.mutate(create, { input })
      expect(made).toMatchObject({ data: { createPet: { name, categoryId: '9007199254740993' } }, codes: [] })
    }
    const first = await client.query(list, { first: 2 })
    const second = await client.query(list, { first: 2, after: first.data.pets.pageInfo.endCursor })

    expect(first.data.pets.nodes.map((pet: { name: string }) => pet.name)).toEqual(['Luna', 'Rex'])
    expect(first.data.pets.pageInfo.hasNextPage).toBe(true)
    expect(second.data.pets.nodes.map((pet: { name: string }) => pet.name)).toEqual(['Milo'])
    expect(second.data.pets.pageInfo.hasNextPage).toBe(false)
  })

  test.each([
    ['unauthorized', 401, () => wrongKey, 'Luna'],
    ['body_too_large', 413, async () => (await app.makeProject()).secret, 'x'.repeat(70_000)],
    ['rate_limited', 429, usedUpKey, 'Luna'],
  ])(
    'a client gets the code %s of an answer with status %d, and does not send the request again',
    async (code, status, secretOf, name) => {
      const client = open(app.url, await secretOf())

      const seen = await client.mutate(create, { input: { name, categoryId: 1 } })

      expect(seen.codes).toEqual([code])
      expect(client.sent.map(answer => answer.status)).toEqual([status])
    },
  )

  test('a client reads that the store is unavailable while its database is away', async () => {
    const client = open(app.url, (await app.makeProject()).secret)

    await app.tools.db.$executeRawUnsafe('ALTER TABLE api_keys RENAME TO api_keys_elsewhere')
    const seen = await client.query(list)
    await app.tools.db.$executeRawUnsafe('ALTER TABLE api_keys_elsewhere RENAME TO api_keys')
    const again = await client.query(list)

    expect(seen.codes).toEqual(['unavailable'])
    expect(client.sent.map(answer => answer.status)).toEqual([503, 200])
    expect(client.sent[0]?.headers.get('retry-after')).toBe('1')
    expect(again.data.pets.nodes).toEqual([])
  })
})

async function usedUpKey(): Promise<string> {
  const project = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  await project.get('/v1/pets')
  return project.secret
}
