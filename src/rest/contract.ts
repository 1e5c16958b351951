import { readFileSync } from 'node:fs'
import { type Document, parseDocument } from 'yaml'

const source = new URL('../../openapi.yaml', import.meta.url)

declare global {
  interface JSON {
    /** TypeScript's library does not declare it yet. */
    rawJSON(text: string): object
  }
}

export type ContractUrls = { publicUrl: string; stagingUrl: string | null }

/** openapi.yaml in both notations, with the addresses of this service as servers. */
export function readContract(urls: ContractUrls): { yaml: string; json: string } {
  // An int64's bounds would be rounded as numbers.
  const contract = parseDocument(readFileSync(source, 'utf8'), { intAsBigInt: true })
  contract.set('servers', contract.createNode(listServers(urls)))
  return { yaml: contract.toString({ lineWidth: 0 }), json: toJson(contract) }
}

function listServers({ publicUrl, stagingUrl }: ContractUrls) {
  const production = { url: `${publicUrl}/v1`, description: 'Production', 'x-internal': false }
  const staging = { url: `${stagingUrl}/v1`, description: 'Staging', 'x-internal': false }
  return stagingUrl === null ? [production] : [production, staging]
}

function toJson(contract: Document): string {
  const exact = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(`${value}`) : value
  return JSON.stringify(contract.toJS(), exact, 2)
}
