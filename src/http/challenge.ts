import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { batch } from '../database/batch.ts'
import type { Tools } from '../tools.ts'
import { answerText } from './answer.ts'
import { refuseAnonymous } from './authenticate.ts'

const nothingHere = () => new StoreError('not_found', 'There is nothing at this address.')
const prefix = '/.well-known/acme-challenge/'

/** Returns false if the request is not for a challenge token. */
export type AnswerChallenge = (request: Request, response: Response, host: string) => Promise<boolean>

/**
 * Answers the certificate authority's check of a name, in any process (RFC 8555, 8.3). Pending tokens are answered
 * before any budget is checked, because behind a balancer that hides addresses the authority shares one budget with all
 * clients. Concurrent requests share one SQL statement, and at most two such statements run at once. So a flood of
 * guessed tokens uses at most two database connections.
 */
export function openAcmeChallenges(tools: Tools): AnswerChallenge {
  const findChallenge = batch(async (tokens: readonly string[]) => {
    const found = await tools.db.acmeChallenge.findMany({ where: { token: { in: [...tokens] } } })
    return tokens.map(token => found.find(challenge => challenge.token === token) ?? null)
  })

  return async (request, response, host) => {
    if (request.method !== 'GET' || !request.path.startsWith(prefix)) return false
    const token = request.path.slice(prefix.length)
    const challenge = /^[\w-]{1,200}$/.test(token) ? await findChallenge(token) : null
    if (challenge?.name !== host) throw await refuseAnonymous(tools, request, response, nothingHere())
    response.locals.route = prefix
    answerText(response, 'application/octet-stream', challenge.keyAuthorization)
    return true
  }
}
