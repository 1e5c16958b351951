import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Tools } from '../tools.ts'
import { answerText } from './answer.ts'
import { refuseAnonymous, requireAnonymousBudget } from './authenticate.ts'

const nothingHere = () => new StoreError('not_found', 'There is nothing at this address.')
const prefix = '/.well-known/acme-challenge/'

/** Answers the authority that comes to see who holds a name, whichever process it reaches (RFC 8555, 8.3). */
export async function answerChallenge(
  tools: Tools,
  request: Request,
  response: Response,
  host: string,
): Promise<boolean> {
  if (request.method !== 'GET' || !request.path.startsWith(prefix)) return false
  // Whoever guesses at tokens is stopped before the database is asked for another.
  await requireAnonymousBudget(tools, request, response)
  const token = request.path.slice(prefix.length)
  const challenge = /^[\w-]{1,200}$/.test(token)
    ? await tools.db.acmeChallenge.findUnique({ where: { token } })
    : null
  if (challenge?.name !== host) throw await refuseAnonymous(tools, request, response, nothingHere())
  response.locals.route = prefix
  answerText(response, 'application/octet-stream', challenge.keyAuthorization)
  return true
}
