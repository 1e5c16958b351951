import { loadLater } from '../http/load-later.ts'
import type { Tools } from '../tools.ts'

/** Makes the /mcp router, loaded at its first request: most stores never get one. */
export const mcpDoor = (tools: Tools) =>
  loadLater(async () => (await import('./server.ts')).openMcpRouter(tools))
