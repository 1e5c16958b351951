import { type IncomingHttpHeaders, request } from 'node:http'
import { checkAgainstContract } from './contract.ts'

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown }
export type Question = {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** The source address of the request (see freshAddress). */
  from?: string
}

/** Sends one request on a new connection. Every answer of /v1 is checked against openapi.yaml. */
export async function ask(url: string, question: Question = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, from } = question
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const answer = await new Promise<Answer>((resolve, reject) => {
    const options = { method, headers: { ...length, ...headers }, agent: false as const, localAddress: from }
    const outgoing = request(url, options, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = /[/+]json/.test(String(response.headers['content-type'])) && text !== ''
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text, json: isJson ? parseExactly(text) : null })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
  const { pathname } = new URL(url)
  const seenHeaders = new Headers(
    Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
  )
  checkAgainstContract(
    { method, path: pathname },
    { status: answer.status, headers: seenHeaders, body: answer.text },
  )
  return answer
}

let addresses = 0

/** Returns a new loopback address, whose anonymous budget is unused. */
export const freshAddress = () => `127.9.${(++addresses >> 8) % 256}.${addresses % 256}`

/** Parses JSON with integers past 2^53 as bigint, so that a test sees every digit. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? '')
      : value,
  )
}
