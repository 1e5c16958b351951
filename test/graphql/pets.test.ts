import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
let send: ReturnType<typeof graphqlOf>

beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: 'operator-of-the-tests-0123456789abcdef' } })
  project = await app.makeProject()
  send = graphqlOf(app, project)
})
afterAll(() => app.stop())

const create = `mutation($input: NewPet!, $key: String) {
  createPet(input: $input, idempotencyKey: $key) { id name categoryId status }
}`

describe('pets over GraphQL', () => {
  test('a created pet can be read over REST and GraphQL', async () => {
    const { data } = await send(create, {
      variables: { input: { name: ' Biscuit ', categoryId: '7', status: 'sold' } },
    })

    const { id } = data.createPet
    expect(data.createPet).toEqual({ id, name: 'Biscuit', categoryId: '7', status: 'sold' })
    expect((await project.get(`/v1/pets/${id}`)).json).toMatchObject({
      name: 'Biscuit',
      categoryId: 7,
      status: 'sold',
    })
    expect((await send(`{ getPet(petId: ${id}) { name } }`)).data).toEqual({ getPet: { name: 'Biscuit' } })
  })

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
    'the category id %s is exact both as a string in the variables and as a literal in the query',
    async categoryId => {
      const asString = await send(create, { variables: { input: { name: 'Luna', categoryId } } })
      const asLiteral = await send(
        `mutation { createPet(input: { name: "Luna", categoryId: ${categoryId} }) { categoryId } }`,
      )

      expect(asString.data.createPet.categoryId).toBe(categoryId)
      expect(asLiteral.data.createPet.categoryId).toBe(categoryId)
    },
  )

  test('a category beyond 2^53 as a JSON number is rejected', async () => {
    const query = create.replaceAll('\n', ' ')
    const answer = await app.ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${project.secret}` },
      body: `{"query":${JSON.stringify(query)},"variables":{"input":{"name":"Luna","categoryId":9007199254740993}}}`,
    })

    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({
      errors: [{ extensions: { code: 'invalid_input', details: [{ field: 'input.categoryId' }] } }],
    })
  })

  test('pets on one page each show their own orders, even if another project has pets with their ids', async () => {
    const [store, other] = [await app.makeProject(), await app.makeProject()]
    const make = { name: 'Luna', categoryId: 1n }
    const { db } = app.tools
    const pets = await db.pet.createManyAndReturn({
      data: [1, 2, 3].map(() => ({ ...make, projectId: store.project.id })),
    })
    // Ids in two projects can be equal if somebody copies pets with psql.
    await db.pet.createMany({ data: pets.map(({ id }) => ({ ...make, id, projectId: other.project.id })) })
    const place = async (of: TestProject, n: number) => {
      const { json } = await of.post('/v1/store/orders', { petId: String(pets[n]?.id) })
      return (json as { id: number }).id
    }
    const cancelled = await place(store, 0)
    await store.post(`/v1/store/orders/${cancelled}/cancel`, '')
    const [again, last] = [await place(store, 0), await place(store, 2)]
    const elsewhere = [await place(other, 0), await place(other, 1)]
    const ordersOf = async (of: TestProject) => {
      const { data } = await graphqlOf(app, of)('{ pets { nodes { orders { nodes { id } } } } }')
      type Node = { orders: { nodes: { id: string }[] } }
      return data.pets.nodes.map(({ orders }: Node) => orders.nodes.map(({ id }) => id))
    }

    const order = (id?: number) => `order_${id}`
    expect(await ordersOf(store)).toEqual([[again, cancelled].map(order), [], [order(last)]])
    expect(await ordersOf(other)).toEqual([...elsewhere.map(id => [order(id)]), []])
  })

  test('the error lists every faulty field of a pet', async () => {
    const { errors } = await send(create, { variables: { input: { name: '', categoryId: '1.5' } } })

    expect(errors[0]?.extensions).toMatchObject({
      code: 'invalid_input',
      status: 400,
      details: [{ field: 'input.name' }, { field: 'input.categoryId' }],
    })
  })

  test('an unknown status is reported with its path, in a variable and in a literal', async () => {
    const inVariable = await send(create, {
      variables: { input: { name: 'A', categoryId: 1, status: 'lost' } },
    })
    const inLiteral = await send(
      'mutation { createPet(input: { name: "A", categoryId: 1, status: lost }) { id } }',
    )

    for (const { status, errors } of [inVariable, inLiteral]) {
      expect(status).toBe(400)
      expect(errors[0]?.extensions).toMatchObject({
        code: 'invalid_input',
        details: [{ field: 'input.status' }],
      })
    }
  })

  test('createPet with a used idempotency key returns the first pet for the same input, and rejects different input', async () => {
    const variables = { input: { name: 'Miso', categoryId: '2' }, key: 'once' }
    const first = await send(create, { variables })
    const again = await send(create, { variables })
    const other = await send(create, {
      variables: { ...variables, input: { name: 'Nori', categoryId: '2' } },
    })

    expect(again.data).toEqual(first.data)
    expect(codesOf(other)).toEqual(['idempotency_mismatch'])
  })

  test('REST and GraphQL share the cursors of pets', async () => {
    const own = await app.makeProject()
    for (const name of ['A', 'B', 'C']) await own.post('/v1/pets', { name, categoryId: 1 })
    const page = graphqlOf(app, own)
    const query =
      'query($after: String) { pets(first: 2, after: $after) { nodes { name } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }'

    const first = (await page(query)).data.pets
    const overRest = await own.get('/v1/pets?limit=2')
    const second = (await page(query, { variables: { after: first.pageInfo.endCursor } })).data.pets

    expect(overRest.headers.link).toContain(`cursor=${first.pageInfo.endCursor}`)
    expect(first.nodes.map((pet: { name: string }) => pet.name)).toEqual(['A', 'B'])
    expect(first.pageInfo).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0].cursor,
    })
    expect(second).toMatchObject({
      nodes: [{ name: 'C' }],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    })
  })

  test.each([
    ['pets(first: 0) { nodes { id } }', 'invalid_input'],
    ['pets(first: 101) { nodes { id } }', 'invalid_input'],
    ['pets(after: "nonsense") { nodes { id } }', 'invalid_input'],
    ['getPet(petId: 99999999) { id }', 'pet_not_found'],
    ['getPet(petId: "9223372036854775808") { id }', 'pet_not_found'],
    ['getPet(petId: "Biscuit") { id }', 'pet_not_found'],
  ])('the query %s returns the error code %s', async (field, code) => {
    expect(codesOf(await send(`{ ${field} }`))).toEqual([code])
  })

  test('the root field pets refuses the key of an operator with insufficient_scope', async () => {
    const answer = await sendGraphql(
      app.url,
      'operator-of-the-tests-0123456789abcdef',
      '{ pets { nodes { id } } }',
    )

    expect(codesOf(answer)).toEqual(['insufficient_scope'])
  })
})
