import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../support/command-line.ts'
import { revisions } from '../support/mcp.ts'
import { standIn } from '../support/stand-in.ts'
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

it('animal-store mcp sends a call of the newer revision before an earlier one is answered', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const call = (id: number) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'list_pets', _meta } })}\n`
  const answers: (() => void)[] = []
  const url = await standIn(async (request, response) => {
    const { id } = JSON.parse(await text(request))
    answers.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} })))
    if (answers.length === 2) for (const answer of answers) answer()
  })

  const env = { ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: 'as_x' }
  const { output } = await runCommand(env, ['mcp'], undefined, call(1) + call(2))

  const ids = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).id)
  expect(ids.toSorted()).toEqual([1, 2])
})
