import { type ApolloServer, HeaderMap } from '@apollo/server'
import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { type Caller, holdsScope } from '../core/callers.ts'
import { StoreError } from '../core/errors.ts'
import { storeCharge } from '../core/limits.ts'
import { openPageCache } from '../core/page-cache.ts'
import { bytesOf } from '../http/answer.ts'
import { gatherHeader } from '../http/gathered-headers.ts'
import type { Tools } from '../tools.ts'
import { showDecision } from './charge.ts'
import { type Context, makeContext } from './context.ts'
import type { RunDirectly } from './direct.ts'

/** An answer as it is sent: its bytes stand in a string, one character each. */
type Answer = {
  status: number
  headers: [string, string][]
  body: string
  bytes: number | null
  lastId: bigint | null
}

const keptBytes = 4_000_000
const learntBytes = 1_000_000
const longestQuestion = 4096
const utf8 = new TextDecoder()

/**
 * Whole answers of operations that only read pets wait under the version of the pets, and are found by the bytes of
 * the question before Apollo runs. What a question costs is learnt when Apollo answers it for the first time.
 */
export function keepAnswers(
  tools: Tools,
  apollo: ApolloServer<Context>,
  runDirectly: RunDirectly,
): RequestHandler {
  const costs = new LRUCache<string, number>({
    maxSize: learntBytes,
    sizeCalculation: (_cost, question) => 100 + question.length,
  })
  const answers = openPageCache<Answer>(keptBytes)

  return async (request, response, next) => {
    const caller = response.locals.caller
    const question = caller ? questionOf(request, caller) : null
    if (!caller || question === null) {
      parseSent(request)
      return next()
    }

    const points = costs.get(question)
    if (points === undefined) {
      const context = makeContext(tools, request, response)
      send(response, await run(context))
      if (context.outcome.petsOnly !== undefined) costs.set(question, context.outcome.petsOnly)
      return
    }

    const decision = await tools.limiter.charge(storeCharge(caller, tools.config.ban, points))
    const context = makeContext(tools, request, response)
    context.paid = decision
    // Without Redis nothing is kept.
    const version = tools.config.redisUrl === null ? null : decision.petsVersion
    if (decision.outcome !== 'accepted' || version === null) {
      return send(response, await run(context))
    }
    let isMine = false
    const answer = await answers.find(version, question, () => {
      isMine = true
      return runToKeep(context)
    })
    // Whoever runs the operation settles the bill on the way.
    if (!isMine && answer.bytes === null) return send(response, await run(context))
    if (!isMine) {
      showDecision(tools, response, decision)
      tools.usageCounter.countRequest(caller, 'graphql', false, points)
    }
    send(response, answer)
  }

  async function run(context: Context): Promise<Answer> {
    parseSent(context.request)
    const answer = await runDirectly(context)
    if (!answer) return runInApollo(apollo, context)
    const body = bytesOf(answer.text)
    const type: [string, string] = ['Content-Type', 'application/json; charset=utf-8']
    return {
      status: answer.status,
      headers: [type, ...answer.headers],
      body,
      bytes: body.length,
      lastId: null,
    }
  }

  async function runToKeep(context: Context): Promise<Answer> {
    const answer = await run(context)
    const { petsOnly, lastId = null } = context.outcome
    // Faulty answers speak of their own request.
    return petsOnly === undefined ? { ...answer, bytes: null } : { ...answer, lastId }
  }
}

/** Only who runs an operation has to read it. */
function parseSent(request: Request): void {
  if (!request.sent || request.body !== undefined) return
  try {
    request.body = JSON.parse(utf8.decode(request.sent))
  } catch {}
  if (typeof request.body === 'object' && request.body !== null) return
  throw new StoreError('malformed_request', 'The request is malformed.')
}

/** The bytes that were sent, with all that the answer depends on beside them; null for what is not kept. */
function questionOf(request: Request, caller: Caller): string | null {
  const { accept = '' } = request.headers
  const { sent } = request
  if (!sent || sent.length > longestQuestion || accept.length > 200) return null
  if (caller.project.suspended || !holdsScope(caller, 'pets:read')) return null
  return `${caller.project.id} ${accept} ${sent.toString('latin1')}`
}

const headersForApollo = ['content-type', 'accept', 'authorization', 'x-apollo-operation-name']

async function runInApollo(apollo: ApolloServer<Context>, context: Context): Promise<Answer> {
  const { request } = context
  const headers = new HeaderMap()
  for (const name of headersForApollo) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body: request.body },
    context: async () => context,
  })
  if (answer.body.kind !== 'complete') throw new Error('Apollo answered in parts')
  const body = bytesOf(answer.body.string)
  // Node counts the bytes itself.
  answer.headers.delete('content-length')
  return {
    status: answer.status ?? 200,
    headers: [...answer.headers],
    body,
    bytes: body.length,
    lastId: null,
  }
}

function send(response: Response, { status, headers, body }: Answer): void {
  response.statusCode = status
  for (const [name, value] of headers) gatherHeader(response, name, value)
  response.end(body, 'latin1')
}

declare global {
  namespace Express {
    interface Request {
      /** The body as it came, where it came plainly. */
      sent?: Buffer
    }
  }
}
