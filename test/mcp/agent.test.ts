import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAgent, revisions } from '../support/mcp.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe.each(revisions)('the client of the MCP SDK in MCP revision %o', revision => {
  it('an agent lists the tools, adds a pet and finds it', async () => {
    const { secret } = await app.makeProject()
    const agent = await connectAgent(app.url, secret, revision)

    const { tools } = await agent.client.listTools()
    const added = await agent.call('add_pet', { name: 'Rex', categoryId: '9223372036854775807' })
    const found = await agent.call('list_pets', { name: 're' })
    const faulty = await agent.call('add_pet', { name: '' })
    const unset = await agent.call('update_pet', { petId: added.json.pet.id, status: null })
    const { resources } = await agent.client.listResources()
    const texts = new Map<string, string>()
    for (const { uri } of resources) {
      const [content] = (await agent.client.readResource({ uri })).contents
      texts.set(uri, content && 'text' in content ? String(content.text) : '')
    }
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
    expect(unset).toMatchObject({ isError: false, json: { pet: { name: 'Rex' } } })
    expect(texts.get('pet-store://openapi.yaml')).toContain('operationId: listPets')
    for (const guide of [
      'errors',
      'mcp',
      'events',
      'webhooks',
      'keys',
      'usage',
      'domains',
      'graphql',
      'people',
    ])
      expect(texts.get(`pet-store://${guide}`)).toMatch(/^# /)
    expect(texts.size).toBe(10)
  })
})
