import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mostBytes } from '../../src/mcp/fit.ts'
import { connectAgent } from '../support/mcp.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

it('an agent reads all API keys and all domains page by page, each once', async () => {
  const project = await app.makeProject()
  const { id: projectId } = project.project
  const key = { projectId, prefix: 'as_00000000', scopes: ['pets:read' as const] }
  await app.tools.db.apiKey.createMany({
    data: Array.from({ length: 250 }, (_, i) => ({
      ...key,
      name: `${'猫'.repeat(60)} ${i}`,
      hash: randomBytes(32),
    })),
  })
  const names = Array.from(
    { length: 300 },
    (_, i) => `${'long-label-'.repeat(5)}${1000 + i}.${'a'.repeat(60)}.${'b'.repeat(60)}.test`,
  )
  await app.tools.db.domain.createMany({
    data: names.map(name => ({ projectId, name, createdAt: new Date(), looksSince: new Date() })),
  })
  const agent = await connectAgent(app.url, project.secret)
  const readAll = async (tool: string, list: string, member: string) => {
    const found: string[] = []
    let pages = 0
    for (let cursor: string | undefined; ; pages++) {
      const { json } = await agent.call(tool, cursor === undefined ? {} : { cursor })
      expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThan(mostBytes + 1000)
      found.push(...json[list].map((item: Record<string, string>) => item[member]))
      if (!json.nextCursor) return { found, pages: pages + 1 }
      cursor = json.nextCursor
    }
  }

  const keys = await readAll('list_api_keys', 'apiKeys', 'id')
  const domains = await readAll('list_domains', 'domains', 'name')
  const { json: refused } = await agent.call('list_api_keys', { cursor: 'wrong' })
  await agent.close()

  expect([new Set(keys.found).size, keys.found.length]).toEqual([251, 251])
  expect(domains.found).toEqual(names)
  expect(Math.min(keys.pages, domains.pages)).toBeGreaterThan(1)
  expect(refused).toMatchObject({ code: 'invalid_input', details: [{ field: 'cursor' }] })
})
