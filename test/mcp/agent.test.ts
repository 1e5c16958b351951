import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAgent, revisions } from '../support/mcp.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe.each(revisions)("the SDK's client in the revision %o", revision => {
  it('an agent lists the tools, adds a pet and finds it', async () => {
    const { secret } = await app.makeProject()
    const agent = await connectAgent(app.url, secret, revision)

    const { tools } = await agent.client.listTools()
    const added = await agent.call('add_pet', { name: 'Rex', categoryId: '9223372036854775807' })
    const found = await agent.call('list_pets', { name: 're' })
    const faulty = await agent.call('add_pet', { name: '' })
    const { resources } = await agent.client.listResources()
    const [contract] = (await agent.client.readResource({ uri: 'pet-store://openapi.yaml' })).contents
    await agent.close()

    expect(tools.map(({ name }) => name)).toContain('add_pet')
    expect(added).toMatchObject({
      isError: false,
      json: { pet: { name: 'Rex', categoryId: '9223372036854775807' } },
    })
    expect(added.structured).toEqual(added.json)
    expect(found.json).toMatchObject({ pets: [{ id: added.json.pet.id, name: 'Rex' }], nextCursor: null })
    expect(faulty).toMatchObject({
      isError: true,
      json: { code: 'invalid_input', status: 400, details: [{ field: 'name' }, { field: 'categoryId' }] },
    })
    expect(resources.length).toBeGreaterThan(2)
    expect(contract).toMatchObject({ mimeType: 'application/yaml' })
  })
})
