import { Router } from 'express'
import type { Tools } from '../tools.ts'
import { answerText } from './answer.ts'

/** Serves the local authority's root certificate, for trying the service on one's own machine. */
export function localAuthorityRouter({ hosting }: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const [{ root }] = hosting.authorities
  if (root !== null) {
    router.get('/local-ca.pem', async (_request, response) => {
      response.locals.route = '/local-ca.pem'
      answerText(response, 'application/x-pem-file', await root())
    })
  }
  return router
}
