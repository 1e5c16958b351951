import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: value => (value as Date).toISOString(),
  parseValue: value => readMoment(value),
  parseLiteral: node => readMoment(node.kind === Kind.STRING ? node.value : null, node),
})

/** Only for output, where the value is already text. No input takes a date so far. */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: value => value as string,
})

/** `node` is the value's place in the operation's text, if it is a literal. */
function readMoment(value: unknown, node?: ValueNode): Date {
  const [, day] = (typeof value === 'string' && rfc3339.exec(value)) || []
  const moment = day !== undefined && isDay(day) ? new Date(value as string) : null
  if (moment && !Number.isNaN(moment.getTime())) return moment
  // documents.ts finds such errors by the words "cannot represent", as in the errors of GraphQL's own scalars.
  throw new GraphQLError('DateTime cannot represent a value that is not a date and time in RFC 3339.', {
    nodes: node,
  })
}

/** True if the day exists: JavaScript parses the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  const begin = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(day)
}
