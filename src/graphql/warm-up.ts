import { setImmediate as nextTurn } from 'node:timers/promises'
import { executeSync, getIntrospectionQuery, parse, validate } from 'graphql'
import { makeSchema } from './schema.ts'

/** Introspects the schema in advance: the first run takes 70 ms of CPU, for which the first client and all others would wait. */
export async function warmUpIntrospection(): Promise<void> {
  const schema = makeSchema()
  const document = parse(getIntrospectionQuery())
  await nextTurn()
  validate(schema, document)
  await nextTurn()
  executeSync({ schema, document })
}
