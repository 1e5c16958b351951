import { Router } from 'express'
import type { Config } from '../config.ts'
import { makeFile, type StaticFile, sendFile } from '../http/static-files.ts'

const types = { yaml: 'application/yaml; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** openapi.yaml with this service's own addresses, for whoever writes a client; no key needed. */
export function contractRouter(config: Config): Router {
  let contract: Promise<Record<'yaml' | 'json', StaticFile>> | undefined
  const read = async () => {
    const { yaml, json } = (await import('./contract.ts')).readContract(config)
    return { yaml: makeFile(types.yaml, yaml), json: makeFile(types.json, json) }
  }
  const router = Router({ strict: true, caseSensitive: true })
  for (const notation of ['yaml', 'json'] as const) {
    router.get(`/openapi.${notation}`, async (request, response) => {
      response.locals.route = `/openapi.${notation}`
      contract ??= read()
      await sendFile(request, response, (await contract)[notation])
    })
  }
  return router
}
