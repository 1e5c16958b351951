import { Command } from 'commander'
import { reasonOf } from '../../clients/typescript/src/errors.ts'
import type { CommandContext } from './command-context.ts'
import type { Connection } from './rest-client.ts'

/** The timeout of a message, which is longer than any tool takes. */
const timeoutMs = 60_000
/** The JSON-RPC error code for faults of this bridge. The protocol reserves -32000 to -32099 for servers. */
const serverError = -32_000
const parseError = -32_700

type Message = {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
}
const metaField = '_meta'
type Session = { id: string | null; revision: string | null }

export function mcpCommand(shop: CommandContext): Command {
  return new Command('mcp')
    .description('run an MCP server on stdin and stdout, for agents that start their servers as programs')
    .addHelpText('after', '\nIt passes each message to /mcp of the service. See docs/mcp.md.')
    .action(async () => {
      const connection = shop.connect('owner')
      const session: Session = { id: null, revision: null }
      const pending = new Set<Promise<void>>()
      for await (const line of linesOf(process.stdin.setEncoding('utf8'))) {
        if (line.trim() === '') continue
        const message = parse(line)
        const answered = pass(connection, session, line, message).then(messages => {
          for (const message of messages) shop.output.write(`${message}\n`)
        })
        pending.add(answered)
        answered.finally(() => pending.delete(answered))
        // The answer to `initialize` has the session id, which all later messages must send. The newer protocol revision
        // has neither.
        if (message?.method === 'initialize') await answered
      }
      await Promise.all(pending)
    })
}

/**
 * Yields the lines of a text. Splits it at line feeds only: `readline` also ends a line at U+2028 and U+2029, which JSON
 * allows in strings.
 */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of text) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/**
 * Sends a message, and returns the answers as lines. If this fails, returns an error as the answer, so that the client
 * does not wait in vain.
 */
async function pass(
  { url, key }: Connection,
  session: Session,
  line: string,
  message: Message | null,
): Promise<string[]> {
  if (message === null) return [errorLine(null, parseError, 'The message is not JSON.')]
  try {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headersOf(message, session) },
      body: line,
      signal: AbortSignal.timeout(timeoutMs),
    })
    session.id ??= response.headers.get('mcp-session-id')
    const text = await response.text()
    if (!isAnswer(response, text)) return faultOf(message, textOfError(text, response.status))
    const answers = answersIn(response, text)
    session.revision ??= revisionIn(answers)
    return answers
  } catch (error) {
    const problem = error instanceof Error ? error.message : error
    return faultOf(message, `No Animal Store answers at ${url}: ${problem}${reasonOf(error)}`)
  }
}

/** Parses a line; null if it is not JSON. */
function parse(line: string): Message | null {
  try {
    return Object(JSON.parse(line))
  } catch {
    return null
  }
}

/** The newer protocol revision repeats parts of the message as headers, for load balancers. */
function headersOf({ method, params }: Message, session: Session): Record<string, string> {
  const { name = params?.uri, [metaField]: meta } = params ?? {}
  const revision = Object(meta)['io.modelcontextprotocol/protocolVersion']
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session.id && { 'mcp-session-id': session.id }),
    ...(typeof revision === 'string'
      ? {
          'mcp-protocol-version': revision,
          'mcp-method': String(method),
          ...(typeof name === 'string' && { 'mcp-name': name }),
        }
      : session.revision && { 'mcp-protocol-version': session.revision }),
  }
}

const isAnswer = ({ ok }: Response, text: string) => ok || text.includes('"jsonrpc"')

function answersIn({ headers }: Response, text: string): string[] {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return text === '' ? [] : [text]
  return text.split(/\r?\n/).flatMap(line => /^data: (.+)$/s.exec(line)?.[1] ?? [])
}

function revisionIn(answers: string[]): string | null {
  return /"protocolVersion":"([\d-]+)"/.exec(answers[0] ?? '')?.[1] ?? null
}

function textOfError(text: string, status: number): string {
  try {
    const { code, message } = JSON.parse(text)
    return `${code}: ${message}`
  } catch {
    return `The service answered with status ${status}.`
  }
}

const faultOf = ({ id }: Message, message: string): string[] =>
  id === undefined ? [] : [errorLine(id, serverError, message)]

const errorLine = (id: string | number | null, code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
