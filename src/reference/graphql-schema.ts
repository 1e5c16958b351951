import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLSchema } from 'graphql'

let schema: GraphQLSchema | undefined

/** Reads schema.graphql once. */
export function readSchema(): GraphQLSchema {
  schema ??= buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'), {
    // Locations are a third of the parsed schema, and each full garbage collection would walk through them.
    noLocation: true,
  })
  return schema
}
