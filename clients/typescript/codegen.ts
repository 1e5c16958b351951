import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString, type ReferenceObject, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import { generateWire } from './codegen-wire.ts'

const contract = new URL('../../openapi.yaml', import.meta.url)
const target = (file: string) => new URL(`src/generated/${file}`, import.meta.url)

/** The files generated from openapi.yaml, by name. */
export async function generate(): Promise<Record<string, string>> {
  const text = readFileSync(contract, 'utf8')
  return { 'openapi.ts': await generateTypes(text), 'wire.ts': generateWire(text) }
}

async function generateTypes(text: string): Promise<string> {
  const nodes = await openapiTS(text, {
    // A number holds 53 bits of an int64; the client reads and writes such members as bigint.
    transform: schema =>
      isInt64(schema) ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
  })
  return `// Generated from openapi.yaml by npm run codegen.\n\n${astToString(nodes)}`
}

/** As a number or as its digits, or either. */
function isInt64(schema: SchemaObject | ReferenceObject): boolean {
  if ('$ref' in schema) return false
  return schema.format === 'int64' || (schema.oneOf?.every(isInt64) ?? false)
}

if (import.meta.main) {
  mkdirSync(target(''), { recursive: true })
  for (const [file, text] of Object.entries(await generate())) writeFileSync(target(file), text)
}
