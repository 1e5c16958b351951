import { stringify } from 'yaml'
import { readOpenapi, readOpenapiText } from '../tools/openapi.ts'

declare global {
  interface JSON {
    /** TypeScript's library does not declare `rawJSON` yet. */
    rawJSON(text: string): object
  }
}

export type ContractUrls = { publicUrl: string; stagingUrl: string | null }

type Contract = { yaml: string; json: string }

const blanks = { publicUrl: 'https://production.invalid', stagingUrl: 'https://staging.invalid' }
/**
 * The contracts with placeholders for the URLs. The key is true for the contract that lists a staging server besides
 * the production server, and false for the contract that lists only the production server.
 */
const templates = new Map<boolean, Contract>()

/** Returns openapi.yaml as YAML and as JSON, with the addresses of this service as servers. */
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

function readTemplate(hasStaging: boolean): Contract {
  const { publicUrl, stagingUrl } = blanks
  const servers = listServers({ publicUrl, stagingUrl: hasStaging ? stagingUrl : null })
  // Replace only the servers in the text: writing the whole contract as YAML would take a tenth of a second of CPU.
  const yaml = readOpenapiText().replace(/^servers:\n(?: .*\n)+/m, () => stringify({ servers }))
  return { yaml, json: toJson({ ...readOpenapi(), servers }) }
}

function listServers({ publicUrl, stagingUrl }: ContractUrls) {
  const production = { url: `${publicUrl}/v1`, description: 'Production', 'x-internal': false }
  const staging = { url: `${stagingUrl}/v1`, description: 'Staging', 'x-internal': false }
  return stagingUrl === null ? [production] : [production, staging]
}

function toJson(contract: object): string {
  const exact = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(`${value}`) : value
  return JSON.stringify(contract, exact, 2)
}
