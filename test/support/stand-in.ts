import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server in the store's place for one test, and returns its address. */
export async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** Starts an endless export, written as fast as it is read. */
export async function endlessExport() {
  const piece = '{"id":1}\n'.repeat(10_000)
  let made = 0
  const url = await standIn((_, response) => {
    const makeMore = () => {
      if (response.destroyed) return
      made += piece.length
      if (response.write(piece)) setImmediate(makeMore)
      else response.once('drain', makeMore)
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    makeMore()
  })
  let before = -1
  return {
    url,
    made: () => made,
    /** True if nothing was sent since the last call. */
    isStill: () => {
      const isSame = made > 0 && made === before
      before = made
      return isSame
    },
  }
}
