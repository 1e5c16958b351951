import { loadLater } from '../http/load-later.ts'
import type { Tools } from '../tools.ts'

/** Makes the /mcp router. On PostgreSQL, the warm-up loads its code; otherwise its first request does. */
export const mcpDoor = (tools: Tools) =>
  loadLater(async () => (await import('./server.ts')).openMcpRouter(tools))
