import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: value => (value as Date).toISOString(),
  parseValue: readMoment,
  parseLiteral: node => readMoment(node.kind === Kind.STRING ? node.value : null),
})

/** Nothing takes a day as input so far, and what gives one has it as text. */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  serialize: value => value as string,
})

function readMoment(value: unknown): Date {
  const moment = typeof value === 'string' && rfc3339.test(value) ? new Date(value) : null
  if (moment && !Number.isNaN(moment.getTime())) return moment
  throw new GraphQLError('DateTime cannot represent a value that is no moment in RFC 3339.')
}
