import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { parseTime } from '../core/time.ts'

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: value => (value as Date).toISOString(),
  parseValue: value => readMoment(value),
  parseLiteral: node => readMoment(node.kind === Kind.STRING ? node.value : null, node),
})

/** The schema uses dates only in output, where the value is already text. No input takes a date so far. */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: value => value as string,
})

/**
 * The schema uses this scalar only in output. The value is JSON text. Integers that a double cannot hold keep their
 * digits.
 */
export const JsonScalar = new GraphQLScalarType<string, unknown>({
  name: 'JSON',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: text => parseExactly(text as string),
})

/** Caches the last parsed values, because aliases of a field show the same value several times. */
const lastValues = new LRUCache<string, { value: unknown }>({ max: 20 })

function parseExactly(text: string): unknown {
  const known = lastValues.get(text)
  if (known) return known.value
  // Use a reviver only if the text has a long number: it takes six times as long, and an answer may have a thousand texts.
  const value: unknown = /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  lastValues.set(text, { value })
  return value
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && context?.source
  return isRounded ? JSON.rawJSON(context.source ?? '') : value
}

/** `node` is the value's place in the operation's text, if it is a literal. */
function readMoment(value: unknown, node?: ValueNode): Date {
  const time = typeof value === 'string' ? parseTime(value) : null
  if (time) return time
  // documents.ts recognizes an error about an input value by the words "cannot represent", which the errors of
  // GraphQL's own scalars contain too.
  throw new GraphQLError('DateTime cannot represent a value that is not a date and time in RFC 3339.', {
    nodes: node,
  })
}
