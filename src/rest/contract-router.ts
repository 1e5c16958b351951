import { Router } from 'express'
import type { Config } from '../config.ts'
import { answerText } from '../http/answer.ts'

/** openapi.yaml with this service's own addresses, for whoever writes a client; no key needed. */
export function contractRouter(config: Config): Router {
  let contract: Promise<{ yaml: string; json: string }> | undefined
  const read = async () => (await import('./contract.ts')).readContract(config)
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/openapi.yaml', async (_request, response) => {
    response.locals.route = '/openapi.yaml'
    contract ??= read()
    answerText(response, 'application/yaml; charset=utf-8', (await contract).yaml)
  })
  router.get('/openapi.json', async (_request, response) => {
    response.locals.route = '/openapi.json'
    contract ??= read()
    answerText(response, 'application/json; charset=utf-8', (await contract).json)
  })
  return router
}
