import { type ErrorRequestHandler, type RequestHandler, Router } from 'express'
import { actAs } from '../core/acts.ts'
import { StoreError } from '../core/errors.ts'
import { noProject, noteWork, runFor } from '../database/owner.ts'
import { actOf } from '../http/acts.ts'
import { bytesOf } from '../http/answer.ts'
import { keepByKey } from '../http/caching.ts'
import { waitForWorkTurn } from '../http/charge.ts'
import { addErrorHeaders, noteThrown, statusOf, toStoreError } from '../http/errors.ts'
import { addHeader } from '../http/headers.ts'
import { readJsonBytes } from '../http/json-body.ts'
import { answerOptions } from '../http/options.ts'
import type { Ending } from '../http/streams.ts'
import type { Tools } from '../tools.ts'
import { type Answer, sendAnswer } from './answer.ts'
import { openAnswerCache } from './answer-cache.ts'
import { type Apollo, openApollo } from './apollo.ts'
import { charge } from './charge.ts'
import { type Context, makeContext } from './context.ts'
import { extensionsOf } from './errors.ts'
import { explainCostHeader } from './explain-cost.ts'
import { identify } from './identity.ts'
import { landingPage } from './landing-page.ts'
import { mediaTypeFor, mediaTypes } from './media-type.ts'
import { unreadablePrice } from './prices.ts'
import { asStream, streamSubscription, streamTypeOf } from './subscriptions.ts'

/**
 * Makes the /graphql router: it identifies the client, reads the operation, and answers it from the cache or through
 * Apollo.
 */
export function openGraphqlRouter(tools: Tools, drain: Ending): Router {
  const apollo = openApollo(tools)
  const router = Router()
  router.use(
    (_request, response, next) => {
      response.locals.route = '/graphql'
      next()
    },
    answerOptions(tools, 'GET, POST, OPTIONS'),
  )
  if (tools.config.graphqlSandbox) router.use(landingPage(tools.config.publicUrl))
  router.use(answerOperation(tools, apollo, drain), answerErrors(tools))
  return router
}

function answerOperation(tools: Tools, apollo: Apollo, drain: Ending): RequestHandler {
  // Run Apollo with the caller recorded as the client of the database work and as the actor of changes. Search the
  // cache of answers without recording the caller, because recording takes extra CPU time.
  const findAnswer = openAnswerCache(tools, context => inNameOfCaller(context, () => apollo.run(context)))

  return async (request, response) => {
    keepByKey(response)
    addHeader(response, 'Vary', `Authorization, Accept, Accept-Encoding, ${explainCostHeader}`)
    const identity = await identify(tools, request, response)
    const context = makeContext(tools, identity, request, response)
    noteWork(ownerOf(context))
    const turn = waitForWorkTurn(tools, response)
    if (turn) await turn
    const answer = await answerOf(context)
    const { subscription } = context.operation
    if (subscription) return inNameOfCaller(context, () => streamSubscription(context, subscription, drain))
    // A client that accepts only a stream gets the single answer as a stream.
    return sendAnswer(response, mediaTypeFor(request) === null ? asStream(request, answer) : answer)
  }

  function inNameOfCaller<Result>(context: Context, work: () => Result): Result {
    const { request, response } = context
    return runFor(ownerOf(context), () =>
      actAs(() => actOf(tools.config, request, response, 'graphql'), work),
    )
  }

  async function answerOf(context: Context): Promise<Answer> {
    const { request, response, operation } = context
    try {
      if (mediaTypeFor(request) === null && streamTypeOf(request) === null) {
        throw new StoreError('not_acceptable', `The answer can only be ${mediaTypes.join(' or ')}.`)
      }
      if (request.method === 'POST') {
        const isSlow = !request.complete
        operation.body = await readJsonBytes(request, response)
        // While a slow body arrives, the key may be revoked, and its project suspended or given another plan.
        if (isSlow && context.identity.kind !== 'anonymous')
          context.identity = await identify(tools, request, response)
      }
      return await findAnswer(context)
    } finally {
      // A request that never became an operation is not charged yet. Charge it like a malformed one.
      if (!operation.isCharged) await charge(context, unreadablePrice)
    }
  }
}

const ownerOf = ({ response }: Context): number => response.locals.caller?.project.id ?? noProject

/** Answers errors that occur before Apollo, in GraphQL's shape and the client's preferred media type. */
function answerErrors(tools: Tools): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    noteThrown(tools, response, thrown)
    if (response.headersSent) return
    const error = toStoreError(thrown)
    const { requestId } = response.locals
    addErrorHeaders(response, error)
    const extensions = { ...extensionsOf(error), ...(error.code === 'internal_error' && { requestId }) }
    const body = bytesOf(JSON.stringify({ errors: [{ message: error.message, extensions }] }))
    const type = `${mediaTypeFor(request) ?? 'application/json'}; charset=utf-8`
    sendAnswer(response, { status: statusOf[error.code], headers: [['Content-Type', type]], body })
  }
}
