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
/** With one server, and with two. */
const templates = new Map<boolean, Contract>()

/** openapi.yaml in both notations, with the addresses of this service as servers. */
export function readContract({ publicUrl, stagingUrl }: ContractUrls): Contract {
  const hasStaging = stagingUrl !== null
  const template = templates.get(hasStaging) ?? readTemplate(hasStaging)
  templates.set(hasStaging, template)
  const fill = (text: string) =>
    text
      .replaceAll(`${blanks.publicUrl}/v1`, () => `${publicUrl}/v1`)
      .replaceAll(`${blanks.stagingUrl}/v1`, () => `${stagingUrl}/v1`)
  return { yaml: fill(template.yaml), json: fill(template.json) }
}

/** Parsing and writing the file takes half a second of CPU, so it is done once and not for each host. */
function readTemplate(hasStaging: boolean): Contract {
  // An int64's bounds would be rounded as numbers.
  const contract = parseDocument(readFileSync(source, 'utf8'), { intAsBigInt: true })
  const { publicUrl, stagingUrl } = blanks
  contract.set(
    'servers',
    contract.createNode(listServers({ publicUrl, stagingUrl: hasStaging ? stagingUrl : null })),
  )
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
