import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectAgent } from '../support/mcp.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
let now = Date.now()
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now, aheadMs: () => now - Date.now() } })
})
afterAll(() => app.stop())

it('an agent adds three pets, finds one, is refused by the limit, retries in time, orders the pet and reads its events', async () => {
  const project = await app.makeProject({ plan: 'enterprise', perMinute: 4, perDay: 1000 })
  const agent = await connectAgent(app.url, project.secret)

  for (const name of ['Rex', 'Biscuit', 'Minka']) await agent.call('add_pet', { name, categoryId: '1' })
  const { json: found } = await agent.call('list_pets', { name: 'biscuit' })
  const [{ id: petId }] = found.pets
  const refused = await agent.call('place_order', { petId })
  // Between two readings, the limiter's clock may advance by a millisecond more than the test's clock.
  now += refused.json.retryAfterSeconds * 1000 + 10
  const { json: placed } = await agent.call('place_order', { petId, reference: 'agent-1' })
  const { json: listed } = await agent.call('list_orders')
  const { json: pending } = await agent.call('get_pet', { petId })
  now += 60_000
  const listEvents = async () => {
    now += 20_000
    return (await agent.call('list_events', { subject: `pet:${petId}` })).json.events
  }
  await expect.poll(async () => (await listEvents())?.length).toBe(2)
  const events = await listEvents()
  await agent.close()

  expect(events).toMatchObject([
    { type: 'pet.created', data: { id: petId, name: 'Biscuit' } },
    { type: 'pet.updated', data: { id: petId, status: 'pending' } },
  ])
  expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 })
  expect(placed.order).toMatchObject({ petId, petName: 'Biscuit', status: 'placed', reference: 'agent-1' })
  expect(listed.orders).toEqual([placed.order])
  expect(pending.pet.status).toBe('pending')
})

it('an agent with a key that only reads sees no tool that writes, and can write nothing', async () => {
  const project = await app.makeProject()
  await project.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  const { secret } = await project.issueKey(['pets:read', 'orders:read', 'events:read'])
  const agent = await connectAgent(app.url, secret)

  const { tools } = await agent.client.listTools()
  const { json: found } = await agent.call('list_pets')
  const [{ id: petId }] = found.pets
  const tries = [
    await agent.call('add_pet', { name: 'More', categoryId: '1' }),
    await agent.call('update_pet', { petId, name: 'Other' }),
    await agent.call('delete_pet', { petId }),
    await agent.call('place_order', { petId }),
    await agent.call('name_category', { categoryId: '1', name: 'Dogs' }),
    await agent.call('list_api_keys'),
  ]
  const { json: after } = await agent.call('list_pets')
  const readEvents = async () => {
    now += 20_000
    return (await agent.call('list_events', { subject: `pet:${petId}` })).json.events
  }
  await expect.poll(async () => (await readEvents())?.length).toBe(1)
  const events = await readEvents()
  await agent.close()

  expect(events).toMatchObject([{ type: 'pet.created', data: { id: petId, name: 'Rex' } }])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(tries.map(({ json }) => json.code)).toEqual(Array(6).fill('insufficient_scope'))
  expect(after).toEqual(found)
})
