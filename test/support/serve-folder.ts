import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' }

/**
 * Serves the files of a folder on a new port, so that the origin of the files differs from the origin of the service.
 */
export async function serveFolder(folder: string): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = await readFile(join(folder, pathname)).catch(() => null)
    response
      .writeHead(file ? 200 : 404, { 'content-type': types[extname(pathname)] ?? 'text/plain' })
      .end(file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
