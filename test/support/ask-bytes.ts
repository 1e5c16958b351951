import { type IncomingHttpHeaders, request } from 'node:http'

export type AnsweredBytes = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Sends one request, and returns the answer's body as it came over the network. */
export function askBytes(
  url: string,
  headers: Record<string, string> = {},
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<AnsweredBytes> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
