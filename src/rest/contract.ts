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

type Contract = { yaml: string; json: string }

const blanks = { publicUrl: 'https://production.invalid', stagingUrl: 'https://staging.invalid' }
let templates: { oneServer: Contract; twoServers: Contract } | undefined

/** openapi.yaml in both notations, with the addresses of this service as servers. */
export function readContract({ publicUrl, stagingUrl }: ContractUrls): Contract {
  templates ??= readTemplates()
  const { yaml, json } = stagingUrl === null ? templates.oneServer : templates.twoServers
  const fill = (text: string) =>
    text
      .replaceAll(`${blanks.publicUrl}/v1`, () => `${publicUrl}/v1`)
      .replaceAll(`${blanks.stagingUrl}/v1`, () => `${stagingUrl}/v1`)
  return { yaml: fill(yaml), json: fill(json) }
}

/** Parsing the file takes 0.2 s of CPU, so it is parsed once and not for each host. */
function readTemplates() {
  // An int64's bounds would be rounded as numbers.
  const contract = parseDocument(readFileSync(source, 'utf8'), { intAsBigInt: true })
  const withServers = (urls: ContractUrls) => {
    contract.set('servers', contract.createNode(listServers(urls)))
    return { yaml: contract.toString({ lineWidth: 0 }), json: toJson(contract) }
  }
  return { oneServer: withServers({ ...blanks, stagingUrl: null }), twoServers: withServers(blanks) }
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
