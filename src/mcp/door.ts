import { loadLater } from '../http/load-later.ts'
import type { Tools } from '../tools.ts'

/**
 * Makes the /mcp router. The code of the router is loaded by the warm-up (with PostgreSQL only) or by the first request
 * to /mcp.
 */
export const mcpDoor = (tools: Tools) =>
  loadLater(async () => (await import('./server.ts')).openMcpRouter(tools))
