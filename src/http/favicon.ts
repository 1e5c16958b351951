import { readFileSync } from 'node:fs'
import { Router } from 'express'
import { answerEmpty } from './answer.ts'
import { addHeader } from './headers.ts'
import { makeFile, type StaticFile, sendFile } from './static-files.ts'

const icon = new URL('../dashboard/icon.svg', import.meta.url)

/**
 * Serves the icon that browsers request on every site. Project hosts have none: a project must not show the platform's
 * icon.
 */
export function faviconRouter(): Router {
  let file: StaticFile | undefined
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/favicon.ico', (request, response) => {
    response.locals.route = '/favicon.ico'
    if (response.locals.host) {
      addHeader(response, 'Cache-Control', 'public, max-age=86400')
      return answerEmpty(response, 204)
    }
    file ??= makeFile('image/svg+xml', readFileSync(icon))
    return sendFile(request, response, file)
  })
  return router
}
