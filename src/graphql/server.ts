import { ApolloServer, type ApolloServerPlugin } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { expressMiddleware } from '@as-integrations/express5'
import { type ErrorRequestHandler, json, type Request, type RequestHandler, Router } from 'express'
import type { GraphQLSchema } from 'graphql'
import { StoreError } from '../core/errors.ts'
import { answerJson } from '../http/answer.ts'
import { bearerOf, findCaller, refuseAnonymous } from '../http/authenticate.ts'
import { gatherErrorHeaders, statusOf, toStoreError } from '../http/errors.ts'
import { bodyLimitBytes, readPlainBytes } from '../http/json-body.ts'
import { isOperatorKey } from '../http/operator.ts'
import type { Tools } from '../tools.ts'
import { type Context, makeContext, type Sender } from './context.ts'
import { openDirectRun } from './direct.ts'
import { type Documents, openDocuments } from './documents.ts'
import { extensionsOf, formatError } from './errors.ts'
import { limits } from './guard.ts'
import { ideRouter } from './ide.ts'
import { keepAnswers } from './kept-answers.ts'
import { type Admit, openAdmission, operations } from './operations.ts'
import { relaxPolicy, sandbox, wantsPage } from './sandbox.ts'
import { makeSchema } from './schema.ts'

/** The /graphql door: who sends, what they send, and then Apollo. */
export type GraphqlDoor = { router: Router; steps: RequestHandler[]; answerError: ErrorRequestHandler }

export function openGraphqlDoor(tools: Tools): GraphqlDoor {
  const schema = makeSchema()
  const documents = openDocuments(schema, { introspection: tools.config.graphqlIntrospection })
  const admit = openAdmission(schema)
  const apollo = makeApollo(tools, schema, documents, admit)
  apollo.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests()
  const answer = expressMiddleware(apollo, {
    context: async ({ req, res }) => makeContext(tools, req, res),
  })

  const router = Router({ strict: true })
  const page: RequestHandler = (request, response, next) => {
    if (!wantsPage(request)) return next()
    response.locals.route = '/graphql'
    // Apollo insists that a body has been read, though a page has none.
    request.body = {}
    answer(request, response, next)
  }
  if (tools.config.graphqlSandbox) {
    router.use('/ide', ideRouter())
    router.use(relaxPolicy, page)
  }
  const steps = [
    identify(tools),
    readBody,
    keepAnswers(tools, apollo, openDirectRun(schema, documents, admit)),
    answer,
  ]
  const answerError = answerErrors(tools)
  router.use(...steps, answerError)
  return { router, steps, answerError }
}

function makeApollo(
  tools: Tools,
  schema: GraphQLSchema,
  documents: Documents,
  admit: Admit,
): ApolloServer<Context> {
  const { graphqlIntrospection: introspection, graphqlSandbox, publicUrl } = tools.config
  return new ApolloServer<Context>({
    schema,
    introspection,
    documentStore: documents.store,
    parseOptions: { maxTokens: limits.tokens },
    executionOptions: { maxCoercionErrors: 10 },
    allowBatchedHttpRequests: false,
    // A page of another origin cannot send these without asking first; the bearer key is one of them.
    csrfPrevention: {
      requestHeaders: ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'],
    },
    formatError,
    stringifyResult: result => JSON.stringify(result),
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    logger: apolloLog(tools),
    plugins: [
      operations(documents, admit) as ApolloServerPlugin<Context>,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      graphqlSandbox ? sandbox(publicUrl) : ApolloServerPluginLandingPageDisabled(),
    ],
  })
}

/** Finds out who sends. Without any key one may look at the schema, at the pace allowed to an address. */
function identify(tools: Tools): RequestHandler {
  return async (request, response, next) => {
    response.locals.route = '/graphql'
    response.locals.sender = await findSender(tools, request, response)
    next()
  }
}

async function findSender(
  tools: Tools,
  request: Request,
  response: Parameters<typeof refuseAnonymous>[2],
): Promise<Sender> {
  const secret = bearerOf(request)
  const caller = await findCaller(tools, request)
  if (caller) {
    response.locals.caller = caller
    return { kind: 'caller', caller }
  }
  // At a project's own host nobody is more than a caller of that project.
  if (secret !== null && !response.locals.host && isOperatorKey(tools, secret)) return { kind: 'operator' }
  const refusal = await refuseAnonymous(tools, request, response)
  if (request.headers.authorization !== undefined || refusal.code !== 'unauthorized') throw refusal
  return { kind: 'anonymous', refusal }
}

const readJson = json({ limit: bodyLimitBytes, type: 'application/json' })

const readBody: RequestHandler = async (request, response, next) => {
  if (request.method !== 'POST') {
    request.body = {}
    return next()
  }
  const plain = readPlainBytes(request)
  if (plain) {
    request.sent = await plain
    return next()
  }
  if (request.is('application/json') === false) {
    throw new StoreError('unsupported_media_type', 'The body must be application/json in UTF-8.')
  }
  readJson(request, response, next)
}

/** What fails before Apollo, in the shape of GraphQL's errors. */
function answerErrors({ log }: Tools): ErrorRequestHandler {
  return (thrown, _request, response, _next) => {
    const error = toStoreError(thrown)
    const { requestId } = response.locals
    if (error.code === 'internal_error') log.error({ requestId, error: thrown }, 'bug')
    if (response.headersSent) return void response.destroy()
    gatherErrorHeaders(response, error)
    const extensions = { ...extensionsOf(error), ...(error.code === 'internal_error' && { requestId }) }
    const answer = { errors: [{ message: error.message, extensions }] }
    answerJson(response, statusOf[error.code], JSON.stringify(answer))
  }
}

function apolloLog({ log }: Tools) {
  const say = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) =>
    log[level]({ from: 'apollo' }, String(message))
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}

declare global {
  namespace Express {
    interface Locals {
      /** Who sends an operation; set at the /graphql door. */
      sender?: Sender
    }
  }
}
