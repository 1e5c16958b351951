import type { Request, Response } from 'express'
import type { Tools } from '../tools.ts'
import { answerText } from './answer.ts'

const prefix = '/.well-known/acme-challenge/'

/** Answers the authority that comes to see who holds a name, whichever process it reaches (RFC 8555, 8.3). */
export async function answerChallenge(
  { db }: Tools,
  request: Request,
  response: Response,
  host: string,
): Promise<boolean> {
  if (request.method !== 'GET' || !request.path.startsWith(prefix)) return false
  const token = request.path.slice(prefix.length)
  const challenge = /^[\w-]{1,200}$/.test(token)
    ? await db.acmeChallenge.findUnique({ where: { token } })
    : null
  if (challenge?.name !== host) return false
  response.locals.route = prefix
  answerText(response, 'application/octet-stream', challenge.keyAuthorization)
  return true
}
