import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-changes-0123456789abcdef'
const now = Date.parse('2027-03-04T05:06:07.890Z')
let app: App
let store: TestProject
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  const clock = { now: () => now, aheadMs: () => now - Date.now() }
  app = await startApp({ clock, env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  send = graphqlOf(app, store)
})
afterAll(() => app.stop())

// The times of orders come from the clock of the database, not from the clock of the test, so the tests check only the
// format of these times.
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
const asOperator = (query: string) => sendGraphql(app.url, operatorKey, query)
const shown = () => new Date(now).toISOString()
const fields = `id status petId petName categoryId reference note placedAt approvedAt deliveredAt cancelledAt
  pet { id name status categoryId }`

async function makePet(status: string | null): Promise<string> {
  const input = `name: "Luna", categoryId: 7, status: ${status}`
  return (await send(`mutation { createPet(input: { ${input} }) { id } }`)).data.createPet.id
}

test('an order shows the time of each step, the pet as it is now, and the pet as it was when ordered', async () => {
  const id = await makePet('available')
  const placed = (
    await send(
      `mutation { placeOrder(input: { petId: "${id}", reference: "A 1", note: "Ring" }) { ${fields} } }`,
    )
  ).data.placeOrder
  const whole = {
    ...{ id: expect.stringMatching(/^order_\d+$/), status: 'placed', petId: id, petName: 'Luna' },
    ...{ categoryId: '7', reference: 'A 1', note: 'Ring', placedAt: moment },
    ...{ approvedAt: null, deliveredAt: null, cancelledAt: null },
    pet: { id, name: 'Luna', status: 'pending', categoryId: '7' },
  }
  expect(placed).toEqual(whole)
  const act = async (mutation: string) => {
    const { data } = await send(`mutation { ${mutation}(id: "${placed.id}") { ${fields} } }`)
    return data[mutation]
  }

  const approved = await act('approveOrder')
  const { placedAt, approvedAt } = approved
  expect(approved).toEqual({ ...whole, status: 'approved', placedAt: placed.placedAt, approvedAt: moment })
  expect(await act('approveOrder')).toEqual(approved)
  await send(`mutation { updatePet(petId: "${id}", input: { name: "Lu", categoryId: 8 }) { id } }`)
  const delivered = await act('deliverOrder')
  expect(delivered).toEqual({
    ...{ ...whole, status: 'delivered', placedAt, approvedAt, deliveredAt: moment },
    pet: { id, name: 'Lu', status: 'sold', categoryId: '8' },
  })
  expect(await act('deliverOrder')).toEqual(delivered)
  expect(await act('cancelOrder')).toBeNull()
  expect((await send(`mutation { deletePet(petId: "${id}") { petId } }`)).data).toEqual({
    deletePet: { petId: id },
  })
  expect((await send(`{ order(id: "${placed.id}") { ${fields} } }`)).data.order).toEqual({
    ...{ ...delivered, pet: null },
  })
})

test.each(['available', null])(
  'cancelling an order restores the former status of its pet: %s',
  async status => {
    const id = await makePet(status)
    const order = (await send(`mutation { placeOrder(input: { petId: "${id}" }) { id } }`)).data.placeOrder

    const cancel = async () => {
      const { data } = await send(
        `mutation { cancelOrder(id: "${order.id}") { status cancelledAt approvedAt pet { status } } }`,
      )
      return data.cancelOrder
    }
    const first = await cancel()

    expect(first).toEqual({ status: 'cancelled', cancelledAt: moment, approvedAt: null, pet: { status } })
    expect(await cancel()).toEqual(first)
  },
)

test('a category shows its name and its number of pets, and its removal returns its id', async () => {
  const own = await app.makeProject()
  const ask = graphqlOf(app, own)
  for (const categoryId of [7, 7, 8])
    await ask(`mutation { createPet(input: { name: "x", categoryId: ${categoryId} }) { id } }`)
  const named = await ask(
    'mutation { setCategory(categoryId: 7, name: " Dogs ") { id categoryId name petCount } }',
  )
  const again = await ask('mutation { setCategory(categoryId: 7, name: "Hounds") { name } }')
  await ask('mutation { setCategory(categoryId: -9, name: "None") { id } }')

  const all = await ask(
    '{ categories { nodes { id name petCount } } pets { nodes { category { id petCount } } } }',
  )
  const removed = await ask('mutation { removeCategory(categoryId: "7") { removedId } }')

  expect(named.data.setCategory).toEqual({ id: 'category_7', categoryId: '7', name: 'Dogs', petCount: 2 })
  expect(again.data.setCategory).toEqual({ name: 'Hounds' })
  expect(all.data.categories.nodes).toEqual([
    { id: 'category_-9', name: 'None', petCount: 0 },
    { id: 'category_7', name: 'Hounds', petCount: 2 },
  ])
  const dogs = { category: { id: 'category_7', petCount: 2 } }
  expect(all.data.pets.nodes).toEqual([dogs, dogs, { category: null }])
  expect(removed.data).toEqual({ removeCategory: { removedId: 'category_7' } })
  expect(codesOf(await ask('{ category(categoryId: 7) { name } }'))).toEqual(['category_not_found'])
})

test.each([
  ['free', false, 'plan_required'],
  ['pro', true, null],
])(
  'domainPreconditions on the plan %s holds a code and a message for each condition',
  async (plan, met, code) => {
    const own = await app.makeProject({ plan })
    const query = '{ domainPreconditions { met plan { met code message } deploy { met code message } } }'
    const ask = async () => (await graphqlOf(app, own)(query)).data.domainPreconditions

    const before = await ask()
    await graphqlOf(app, own)('mutation { deploy(input: {}) { id } }')
    const after = await ask()
    const message = expect.stringMatching(/\w+/)

    expect(before).toEqual({
      ...{ met: false, plan: { met, code, message } },
      deploy: { met: false, code: 'deploy_required', message },
    })
    expect(after).toEqual({ met, plan: { met, code, message }, deploy: { met: true, code: null, message } })
  },
)

test('a project shows that it is suspended until it is resumed, and both mutations return its state', async () => {
  const { slug } = (await app.makeProject()).project
  const look = async () =>
    (await asOperator(`{ project(slug: "${slug}") { suspended } }`)).data.project.suspended
  const act = async (mutation: string) =>
    (await asOperator(`mutation { ${mutation}(project: "${slug}") { id suspended } }`)).data[mutation]

  expect(await look()).toBe(false)
  for (const _ of [1, 2])
    expect(await act('suspendProject')).toEqual({ id: `project_${slug}`, suspended: true })
  expect(await look()).toBe(true)
  for (const _ of [1, 2])
    expect(await act('resumeProject')).toEqual({ id: `project_${slug}`, suspended: false })
  expect(await look()).toBe(false)
})

test('a deploy shows if it is current, which deploy it restored, and its log', async () => {
  const own = await app.makeProject()
  const ask = graphqlOf(app, own)
  const selection = 'id state current rollbackOf createdAt configuration { title } log { at level message }'
  const deploy = async (title: string, more = '') =>
    (await ask(`mutation { deploy(input: { title: "${title}" ${more} }) { ${selection} } }`)).data.deploy
  const currents = async () => {
    const { deploys, project } = (
      await ask('{ deploys { nodes { id current } } project { currentDeploy { id current } } }')
    ).data
    const ids = deploys.nodes.filter(({ current }: { current: boolean }) => current)
    expect(ids).toEqual(project.currentDeploy ? [project.currentDeploy] : [])
    return ids.map(({ id }: { id: string }) => id)
  }

  expect(await currents()).toEqual([])
  const first = await deploy('First')
  expect(await currents()).toEqual([first.id])
  const second = await deploy('Second')
  const failed = await deploy('Third', 'domains: { primary: "unknown.test" }')
  expect(await currents()).toEqual([second.id])
  const back = (await ask(`mutation { rollback(to: "${first.id}") { ${selection} } }`)).data.rollback
  expect(await currents()).toEqual([back.id])

  expect([first, second, failed, back]).toMatchObject([
    { state: 'succeeded', current: true, rollbackOf: null, configuration: { title: 'First' } },
    { state: 'succeeded', current: true, rollbackOf: null, configuration: { title: 'Second' } },
    { state: 'failed', current: false, rollbackOf: null, configuration: { title: 'Third' } },
    { state: 'succeeded', current: true, rollbackOf: first.id, configuration: { title: 'First' } },
  ])
  for (const { log, createdAt } of [first, failed, back]) {
    expect(createdAt).toBe(shown())
    expect(log.length).toBeGreaterThan(0)
    for (const { at } of log) expect(at).toBe(shown())
  }
  expect(codesOf(await ask(`mutation { rollback(to: "${failed.id}") { id } }`))).toEqual(['deploy_not_found'])
})

test('each mutation of an operation returns the objects in the state after this mutation, and not after later ones', async () => {
  const own = await app.makeProject()
  const ask = graphqlOf(app, own)
  const { id } = (await ask('mutation { petCreate(input: { name: "Luna", categoryId: 7 }) { pet { id } } }'))
    .data.petCreate.pet
  const { id: order } = (await ask(`mutation { orderPlace(input: { petId: "${id}" }) { order { id } } }`))
    .data.orderPlace.order
  await ask('mutation { categorySet(input: { id: "category_7", name: "Dogs" }) { category { id } } }')

  const pets = await ask(`mutation {
    approved: orderApprove(input: { id: "${order}" }) { order { status pet { status } } }
    delivered: orderDeliver(input: { id: "${order}" }) { order { status pet { status } } } }`)
  const make = 'petCreate(input: { name: "x", categoryId: 7 }) { pet { category { name petCount } } }'
  const categories = await ask(`mutation {
    first: ${make}
    categorySet(input: { id: "category_7", name: "Hounds" }) { category { name petCount } }
    former: createPet(input: { name: "x", categoryId: 7 }) { category { name petCount } } }`)

  expect(pets.data).toEqual({
    approved: { order: { status: 'approved', pet: { status: 'pending' } } },
    delivered: { order: { status: 'delivered', pet: { status: 'sold' } } },
  })
  expect(categories.data).toEqual({
    first: { pet: { category: { name: 'Dogs', petCount: 2 } } },
    categorySet: { category: { name: 'Hounds', petCount: 2 } },
    former: { category: { name: 'Hounds', petCount: 3 } },
  })
})
