import { readFileSync } from 'node:fs'
import { type Request, type Response, Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { urlOfHost } from '../http/host-name.ts'
import { makeFile, type StaticFile, sendFile } from '../http/static-files.ts'

const types = { yaml: 'application/yaml; charset=utf-8', json: 'application/json; charset=utf-8' } as const

const schemaType = 'text/plain; charset=utf-8'

/**
 * Reads the contract in advance. Otherwise its first reader and all other requests would have to wait for the reading.
 */
export async function loadContract(urls: Pick<Config, 'publicUrl' | 'stagingUrl'>): Promise<void> {
  ;(await import('./contract.ts')).readContract(urls)
}

/**
 * Serves the contracts without a key. openapi.yaml lists the URL of the serving host. schema.graphql is served only if
 * anonymous clients may introspect the schema.
 */
export function contractRouter({ publicUrl, stagingUrl, graphqlIntrospection }: Config): Router {
  const contracts = new LRUCache<string, Promise<Record<'yaml' | 'json', StaticFile>>>({ max: 50 })
  let schema: StaticFile | undefined
  const router = Router({ strict: true, caseSensitive: true })
  for (const notation of ['yaml', 'json'] as const) {
    router.get(`/openapi.${notation}`, async (request, response) => {
      response.locals.route = `/openapi.${notation}`
      await sendFile(request, response, (await contractFor(request, response))[notation])
    })
  }
  if (graphqlIntrospection) {
    router.get('/schema.graphql', async (request, response) => {
      response.locals.route = '/schema.graphql'
      schema ??= makeFile(schemaType, readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'))
      await sendFile(request, response, schema)
    })
  }
  return router

  /** A project's host lists only itself as server, because keys of other projects do not work there. */
  function contractFor(request: Request, { locals: { host } }: Response) {
    const urls = host
      ? { publicUrl: urlOfHost(request, host.name, publicUrl), stagingUrl: null }
      : { publicUrl, stagingUrl }
    const contract = contracts.get(urls.publicUrl) ?? read(urls)
    contracts.set(urls.publicUrl, contract)
    return contract
  }

  async function read(urls: Pick<Config, 'publicUrl' | 'stagingUrl'>) {
    const { yaml, json } = (await import('./contract.ts')).readContract(urls)
    return { yaml: makeFile(types.yaml, yaml), json: makeFile(types.json, json) }
  }
}
