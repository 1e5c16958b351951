import { type Request, type Response, Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { addressOf } from '../http/own-address.ts'
import { makeFile, type StaticFile, sendFile } from '../http/static-files.ts'

const types = { yaml: 'application/yaml; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** openapi.yaml with the addresses of where it is asked for, for whoever writes a client; no key needed. */
export function contractRouter({ publicUrl, stagingUrl }: Config): Router {
  const kept = new LRUCache<string, Promise<Record<'yaml' | 'json', StaticFile>>>({ max: 50 })
  const router = Router({ strict: true, caseSensitive: true })
  for (const notation of ['yaml', 'json'] as const) {
    router.get(`/openapi.${notation}`, async (request, response) => {
      response.locals.route = `/openapi.${notation}`
      await sendFile(request, response, (await contractFor(request, response))[notation])
    })
  }
  return router

  /** A project's host names itself alone: keys of other projects do not work there. */
  function contractFor(request: Request, { locals: { host } }: Response) {
    const urls = host
      ? { publicUrl: addressOf(request, host.name), stagingUrl: null }
      : { publicUrl, stagingUrl }
    const contract = kept.get(urls.publicUrl) ?? read(urls)
    kept.set(urls.publicUrl, contract)
    return contract
  }

  async function read(urls: Pick<Config, 'publicUrl' | 'stagingUrl'>) {
    const { yaml, json } = (await import('./contract.ts')).readContract(urls)
    return { yaml: makeFile(types.yaml, yaml), json: makeFile(types.json, json) }
  }
}
