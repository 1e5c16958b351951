import { Router } from 'express'
import type { Config } from '../config.ts'

/** openapi.yaml with this service's own addresses, for whoever writes a client; no key needed. */
export function contractRouter(config: Config): Router {
  let contract: Promise<{ yaml: string; json: string }> | undefined
  const read = async () => (await import('./contract.ts')).readContract(config)
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/openapi.yaml', async (_request, response) => {
    response.locals.route = '/openapi.yaml'
    contract ??= read()
    response.type('application/yaml').send((await contract).yaml)
  })
  router.get('/openapi.json', async (_request, response) => {
    response.locals.route = '/openapi.json'
    contract ??= read()
    response.type('application/json').send((await contract).json)
  })
  return router
}
