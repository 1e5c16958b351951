import { Router } from 'express'
import type { Tools } from '../tools.ts'
import { answerText } from './answer.ts'

/** The root of the local authority, for whoever tries the service on their own machine. */
export function localAuthorityRouter({ hosting }: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const { rootPem } = hosting.authority
  if (rootPem !== null) {
    router.get('/local-ca.pem', (_request, response) => {
      response.locals.route = '/local-ca.pem'
      answerText(response, 'application/x-pem-file', rootPem)
    })
  }
  return router
}
