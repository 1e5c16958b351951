import { loadLater } from '../http/load-later.ts'
import type { Tools } from '../tools.ts'

/** Makes the /mcp router, loaded by the warm-up on PostgreSQL, otherwise at its first request. */
export const mcpDoor = (tools: Tools) =>
  loadLater(async () => (await import('./server.ts')).openMcpRouter(tools))
