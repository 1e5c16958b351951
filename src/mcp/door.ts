import { loadLater } from '../http/load-later.ts'
import type { Tools } from '../tools.ts'

/**
 * Makes the /mcp router, whose code is loaded late. With PostgreSQL, the warm-up loads the code. With the embedded
 * database, or without a warm-up, the first request to /mcp loads the code.
 */
export const mcpDoor = (tools: Tools) =>
  loadLater(async () => (await import('./server.ts')).openMcpRouter(tools))
