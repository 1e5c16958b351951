import { randomUUID } from 'node:crypto'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { StoreError } from '../core/errors.ts'
import { answerBytes, answerEmpty, bytesOf } from '../http/answer.ts'
import { authenticate, findCallerAgain } from '../http/authenticate.ts'
import { chargeProject, isFairRead } from '../http/charge.ts'
import { answerErrors } from '../http/errors.ts'
import { addHeader } from '../http/headers.ts'
import { readJsonBytes } from '../http/json-body.ts'
import { callerOf } from '../http/locals.ts'
import { answerOptions } from '../http/options.ts'
import type { Tools } from '../tools.ts'
import { type Messages, readMessages } from './messages.ts'
import { refuseForeignOrigin } from './origins.ts'
import { type Answered, type AnswerMessages, openProtocol } from './protocol.ts'

/** Makes the /mcp router. It authenticates callers as /v1 does, and charges calls of tools like requests to /v1. */
export function openMcpRouter(tools: Tools): Router {
  const router = Router()
  router.use(
    nameRoute,
    answerOptions(tools, 'POST, OPTIONS'),
    authenticate(tools),
    answerMessages(tools, openProtocol(tools)),
    answerErrors(tools),
  )
  return router
}

const nameRoute: RequestHandler = (_request, response, next) => {
  response.locals.route = '/mcp'
  next()
}

function answerMessages(tools: Tools, answer: AnswerMessages): RequestHandler {
  return async (request, response) => {
    const { body, calls, others, isGreeting } = await readMessagesOf(tools, request, response)
    response.locals.operation = calls.join(',')
    await chargeOthers(tools, response, others)
    if (isGreeting) addHeader(response, 'Mcp-Session-Id', randomUUID())
    const answered = await answer({ request, response }, body)
    // The protocol refuses some calls before any tool runs, for example because of their Accept header. Charge these
    // calls too.
    await chargeOthers(tools, response, calls.length - (response.locals.toolsRun ?? 0))
    await send(response, answered)
  }
}

/** Parses the messages. A malformed request costs the same as one that calls no tool. */
async function readMessagesOf(tools: Tools, request: Request, response: Response): Promise<Messages> {
  try {
    refuseForeignOrigin(tools.config, request)
    requirePost(request, response)
    const isSlow = !request.complete
    const bytes = await readJsonBytes(request, response)
    if (isSlow) await findCallerAgain(tools, request, response)
    return readMessages(bytes)
  } catch (refusal) {
    await chargeOthers(tools, response, 1)
    throw refusal
  }
}

/**
 * In the older revision, GET opens a stream and DELETE ends a session. This server has neither streams nor sessions.
 */
function requirePost({ method }: Request, response: Response): void {
  if (method === 'POST') return
  addHeader(response, 'Allow', 'POST, OPTIONS')
  throw new StoreError('method_not_allowed', `${method} is not allowed here; use POST or OPTIONS.`)
}

/**
 * Messages that call no tool, such as greetings and lists of tools, are free up to a rate. Above the rate, each message
 * costs one management request.
 */
async function chargeOthers(tools: Tools, response: Response, others: number): Promise<void> {
  if (others === 0) return
  const isFree = await isFairRead(tools, callerOf(response), others)
  await chargeProject(tools, response, callerOf(response), { store: 0, management: isFree ? 0 : others })
}

async function send(response: Response, { status, type, body }: Answered): Promise<void> {
  if (body === '') return answerEmpty(response, status)
  if (type) addHeader(response, 'Content-Type', type)
  await answerBytes(response, status, bytesOf(body))
}
