import { invalidInput } from '../core/errors.ts'
import { malformed } from '../http/body.ts'
import { findTool } from './all-tools.ts'
import { bytesOfResource } from './resources.ts'

/** The messages of one HTTP request: usually one, or a batch in the older revision of the protocol. */
export type Messages = {
  body: unknown
  /** The names of the called tools, for the log. Unknown names, which a client chose, are left out. */
  calls: string[]
  /** The number of messages that call no tool. A read of a resource counts as one for each started 50 KB. */
  others: number
  isGreeting: boolean
}

export const mostMessages = 20
const bytesOfAMessage = 50_000
/** Three times the bytes of all resources. The answer to a request is in memory several times until it is sent. */
const mostBytesRead = 1_000_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function readMessages(bytes: Buffer): Messages {
  const body = withoutCancellations(parse(bytes))
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  if (messages.length > mostMessages)
    throw invalidInput([{ field: 'body', message: `must hold at most ${mostMessages} messages` }])
  const read = messages.map(bytesReadBy)
  if (sumOf(read) > mostBytesRead)
    throw invalidInput([{ field: 'body', message: 'must read at most 1 MB of resources' }])
  const calls = messages.flatMap(message => toolCalledBy(message) ?? [])
  const counted = sumOf(read.map(bytes => Math.max(1, Math.ceil(bytes / bytesOfAMessage))))
  const isGreeting = messages.some(message => methodOf(message) === 'initialize')
  return { body, calls, others: counted - calls.length, isGreeting }
}

function parse(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes)
    // The reviver costs more than the rest of the parsing, and few bodies have a number that needs it.
    return longNumber.test(text) ? JSON.parse(text, exactIds) : JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
}

/**
 * Drops cancellations from a batch: a cancelled call gets no answer, so the response to its batch would never end. A
 * cancellation cannot reach a call of another request: `direct.ts` passes no notification to its shared server, and
 * every other request has a server of its own.
 */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body
  const others = body.filter(message => methodOf(message) !== 'notifications/cancelled')
  return others.length > 0 ? others : body
}

/** An integer beyond 2^53 has sixteen digits at least. */
const longNumber = /\d{16}/

/** Keeps an integer beyond 2^53 as its digits. A double would round it to another id. */
function exactIds(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
  return isRounded ? source : value
}

/** Returns the called tool's name; null for other messages, and for calls without an id, which are never run. */
function toolCalledBy(message: unknown): string | null {
  if (methodOf(message) !== 'tools/call' || !isObject(message) || message.id === undefined) return null
  const name = isObject(message.params) ? message.params.name : null
  return typeof name === 'string' && findTool(name) ? name : null
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** Returns the bytes of the resource that the message reads; 0 for other messages. */
function bytesReadBy(message: unknown): number {
  if (methodOf(message) !== 'resources/read' || !isObject(message) || !isObject(message.params)) return 0
  const { uri } = message.params
  return typeof uri === 'string' ? bytesOfResource(uri) : 0
}

const methodOf = (message: unknown) => (isObject(message) ? message.method : null)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
