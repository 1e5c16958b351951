import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export const revisions = ['legacy', 'auto', { pin: '2026-07-28' }] as const
type Revision = (typeof revisions)[number]

type Result = {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content: { type: string; text?: string }[]
}

/** Connects the SDK's own client to /mcp. */
export async function connectAgent(url: string, secret: string, mode: Revision = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
  })
  await client.connect(transport)
  return {
    client,
    /** Returns the answer of a tool, or its error. */
    async call(name: string, args: Record<string, unknown> = {}) {
      const result = (await client.callTool({ name, arguments: args })) as Result
      const text = result.content[0]?.text ?? ''
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers of all shapes.
      const json = JSON.parse(text) as any
      return { isError: result.isError === true, json, structured: result.structuredContent }
    },
    close: () => client.close(),
  }
}
