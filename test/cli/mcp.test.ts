import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../support/command-line.ts'
import { revisions } from '../support/mcp.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

async function startProgram(secret: string, mode: (typeof revisions)[number]) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['src/cli/bin.js', 'mcp'],
      env: { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: secret, HOME: '/nonexistent' },
    }),
  )
  return client
}

it.each(revisions)(
  'animal-store mcp serves the tools on stdin and stdout in the protocol revision %o',
  async mode => {
    const { secret } = await app.makeProject()
    const client = await startProgram(secret, mode)

    const { tools } = await client.listTools()
    const added = await client.callTool({ name: 'add_pet', arguments: { name: 'Käthe 猫', categoryId: '1' } })
    await client.close()

    expect(tools.map(({ name }) => name)).toContain('add_pet')
    expect(added.structuredContent).toMatchObject({ pet: { name: 'Käthe 猫' } })
  },
)

it.each(revisions)(
  'a Unicode line separator in a message does not end the message, in the protocol revision %o',
  async mode => {
    const { secret } = await app.makeProject()
    const client = await startProgram(secret, mode)
    const names = ['a\u2028b', 'a\u2029b']

    const added = await Promise.all(
      names.map(name => client.callTool({ name: 'add_pet', arguments: { name, categoryId: '1' } })),
    )
    await client.close()

    expect(added.map(({ structuredContent }) => structuredContent)).toMatchObject(
      names.map(name => ({ pet: { name } })),
    )
  },
)

it('animal-store mcp answers a message with an error if the key is wrong', async () => {
  const { secret } = await app.makeProject()
  const other = `as_${'0'.repeat(secret.length - 3)}`

  await expect(startProgram(other, 'legacy')).rejects.toThrow()
})

it('animal-store mcp answers a line that is not JSON with a parse error', async () => {
  const { secret } = await app.makeProject()
  const env = { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: secret }

  const { output } = await runCommand(env, ['mcp'], undefined, 'not JSON\n')

  const error = { code: -32700, message: 'The message is not JSON.' }
  expect(JSON.parse(output)).toEqual({ jsonrpc: '2.0', id: null, error })
})
