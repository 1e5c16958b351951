import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

let parsed: Record<string, unknown> | undefined

export const readOpenapiText = () => readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')

/**
 * Returns openapi.yaml as an object, which callers must not change. Parsing takes 0.2 s of CPU, so all readers share
 * the object.
 */
export function readOpenapi(): Record<string, unknown> {
  // Read integers as BigInt, because a JavaScript number would round the minimum and maximum of an int64.
  parsed ??= parse(readOpenapiText(), { intAsBigInt: true, maxAliasCount: -1 })
  return parsed as Record<string, unknown>
}
