import { readFileSync } from 'node:fs'
import openapiTS, { astToString, type ReferenceObject, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import { generateWire } from './codegen-wire.ts'

/** Returns the published client's files that are generated from openapi.yaml, by path. */
export async function generateClient(): Promise<Record<string, string>> {
  const text = readFileSync('openapi.yaml', 'utf8')
  const folder = 'clients/typescript/src/generated'
  return { [`${folder}/openapi.ts`]: await generateTypes(text), [`${folder}/wire.ts`]: generateWire(text) }
}

async function generateTypes(text: string): Promise<string> {
  const nodes = await openapiTS(text, {
    // A JavaScript number has 53 bits, so int64 becomes bigint.
    transform: schema =>
      isInt64(schema) ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
  })
  return `// Generated from openapi.yaml by npm run codegen.\n\n${astToString(nodes)}`
}

/** True if the schema is an int64: as a number, as a string of digits, or as a choice between them. */
function isInt64(schema: SchemaObject | ReferenceObject): boolean {
  if ('$ref' in schema) return false
  return schema.format === 'int64' || (schema.oneOf?.every(isInt64) ?? false)
}
