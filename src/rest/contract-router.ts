import { Router } from 'express'
import type { Config } from '../config.ts'
import { readContract } from './contract.ts'

/** openapi.yaml with this service's own addresses, for whoever writes a client; no key needed. */
export function contractRouter(config: Config): Router {
  const contract = readContract(config)
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/openapi.yaml', (_request, response) => {
    response.locals.route = '/openapi.yaml'
    response.type('application/yaml').send(contract.yaml)
  })
  router.get('/openapi.json', (_request, response) => {
    response.locals.route = '/openapi.json'
    response.type('application/json').send(contract.json)
  })
  return router
}
