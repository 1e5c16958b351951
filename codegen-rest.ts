import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const contract = new URL('openapi.yaml', import.meta.url)
const target = new URL('src/rest/generated/openapi.ts', import.meta.url)

/** The REST types as the contract has them now, and as they stand in the tree. */
export async function compareRestTypes(): Promise<{ fresh: string; committed: string }> {
  return { fresh: await generateRestTypes(), committed: readFileSync(target, 'utf8') }
}

async function generateRestTypes(): Promise<string> {
  const nodes = await openapiTS(contract, {
    // A number holds 53 bits of an int64; the store reads and writes such ids as bigint.
    transform: schema =>
      schema.format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
  })
  return `// Generated from openapi.yaml by npm run codegen.\n\n${astToString(nodes)}`
}

if (import.meta.main) writeFileSync(target, await generateRestTypes())
