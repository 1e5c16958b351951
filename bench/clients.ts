// Records what client libraries send by running them against a listening server, so that the bench can replay it.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Library } from './questions.ts'

export type Request = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

const recorded = new Map<string, Promise<Request>>()

export function requestOf(library: Library, operation: string, variables: object): Promise<Request> {
  const key = JSON.stringify([library, operation, variables])
  const request = recorded.get(key) ?? record(library, operation, variables)
  recorded.set(key, request)
  return request
}

async function record(library: Library, operation: string, variables: object): Promise<Request> {
  // The compiler does not know the libraries, because the first run of the bench installs them.
  const libraries = await import(join(import.meta.dirname, 'peers', 'clients.ts'))
  const requests: Request[] = []
  const server = createServer(async (message, response) => {
    requests.push(await read(message))
    response.setHeader('content-type', 'application/json').end('{"data":{}}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // A library may fail because the answer lacks the requested fields, but it has already sent its request.
  await libraries[library](`http://127.0.0.1:${port}/graphql`, operation, variables).catch(() => {})
  server.close()
  server.closeAllConnections()
  const [request, ...more] = requests
  if (!request || more.length > 0)
    throw new Error(`${library} sent ${requests.length} requests instead of one.`)
  return request
}

/** Headers that belong to the connection. They are not recorded, because a replay uses another connection. */
const ofTheConnection = ['host', 'connection', 'content-length']

async function read(message: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const headers = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
    ofTheConnection.includes(name) ? [] : [[name, values.join(', ')]],
  )
  return {
    method: message.method === 'GET' ? 'GET' : 'POST',
    path: message.url ?? '/',
    headers: Object.fromEntries(headers),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString() }),
  }
}
