import { HeaderMap } from '@apollo/server'
import { ApolloServerErrorCode, unwrapResolverError } from '@apollo/server/errors'
import { GraphQLError, type GraphQLErrorOptions, type GraphQLFormattedError } from 'graphql'
import { type ErrorCode, type Fault, invalidInput, StoreError } from '../core/errors.ts'
import { statusOf, toStoreError } from '../http/errors.ts'

/** Maps GraphQL's own error codes to the store's. */
const codeOf: Partial<Record<string, ErrorCode>> = {
  [ApolloServerErrorCode.GRAPHQL_PARSE_FAILED]: 'malformed_request',
  [ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED]: 'malformed_request',
  [ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE]: 'malformed_request',
  [ApolloServerErrorCode.BAD_REQUEST]: 'malformed_request',
  [ApolloServerErrorCode.BAD_USER_INPUT]: 'invalid_input',
}

/** Clients with persisted queries look for these two codes. */
const protocolCodes: readonly unknown[] = [
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_FOUND,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]

/** Returns the extensions of an error: REST's code and status, and the other properties of the StoreError. */
export function extensionsOf(error: Pick<StoreError, 'code'> & Partial<StoreError>): Record<string, unknown> {
  const { code, details = [], retryAfterSeconds } = error
  return {
    code,
    status: statusOf[code],
    ...(details.length > 0 && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/**
 * Makes an error that rejects the whole operation, with REST's HTTP status. Keeps `thrown` as the original error, so
 * that operations.ts can log a bug.
 */
export function refusalOf(
  thrown: unknown,
  place: Pick<GraphQLErrorOptions, 'path' | 'nodes'> = {},
): GraphQLError {
  const error = toStoreError(thrown)
  const headers = new HeaderMap()
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
  if (error.code === 'unauthorized') headers.set('www-authenticate', 'Bearer')
  return new GraphQLError(error.message, {
    ...place,
    originalError: thrown instanceof Error ? thrown : error,
    extensions: { ...extensionsOf(error), http: { status: statusOf[error.code], headers } },
  })
}

/** Messages quote the request, sometimes several times. The limit keeps an answer shorter than its request. */
const longestMessage = 500

function shorten(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage).toWellFormed()}...`
}

export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const { locations, path } = formatted
  const place = { ...(locations && { locations }), ...(path && { path }) }
  const error = toStore(formatted, thrown)
  if (!error) return formatted
  const { code, message, details, retryAfterSeconds } = error
  const short = details.map(fault => ({ field: shorten(fault.field), message: shorten(fault.message) }))
  const extensions = extensionsOf({
    code,
    details: short,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
  return { message: shorten(message), ...place, extensions }
}

const tooManyInVariables = 'Too many errors processing variables'
const manyFaults = invalidInput([{ field: 'variables', message: 'have more faults than these' }])

/** Returns the error in the store's words; null if GraphQL's protocol prescribes the words. */
function toStore(formatted: GraphQLFormattedError, thrown: unknown): StoreError | null {
  const original = unwrapResolverError(thrown)
  if (!(original instanceof GraphQLError)) return toStoreError(original)
  // Our errors are wrapped in one GraphQLError. GraphQL also wraps its own input errors in each other.
  const { originalError } = original
  if (originalError && !(originalError instanceof GraphQLError)) return toStoreError(originalError)
  const code = formatted.extensions?.code
  if (protocolCodes.includes(code)) return null
  const http = original.extensions.http as { status?: number } | undefined
  if (http?.status === 405) return new StoreError('method_not_allowed', formatted.message)
  if (http?.status === 415) return new StoreError('unsupported_media_type', formatted.message)
  // Only execution detects an argument whose variable is missing, and that error has no code.
  const isAboutInput = /^(Argument "|Too many errors processing variables)/.test(formatted.message)
  // A 400 from Apollo is a client error even without a code.
  const known = isAboutInput
    ? 'invalid_input'
    : (codeOf[String(code)] ?? (http?.status === 400 && 'malformed_request'))
  if (!known) return toStoreError(original)
  if (formatted.message.startsWith(tooManyInVariables)) return manyFaults
  const details = known === 'invalid_input' ? [faultOf(formatted.message)] : []
  return new StoreError(known, formatted.message, { details })
}

/**
 * Finds the place of a fault in GraphQL's message: `Variable "$input" got invalid value "x" at "input.categoryId";
 * ...`.
 */
function faultOf(message: string): Fault {
  const field =
    / at "([^"]+)"; /.exec(message)?.[1] ?? /^(?:Variable "\$|Argument ")(\w+)/.exec(message)?.[1] ?? ''
  return { field, message: /; (.+)$/s.exec(message)?.[1] ?? message }
}

/** Removes GraphQL's suggestions of similar names, because enough of them would reveal the whole schema. */
export function hideSuggestions(error: GraphQLFormattedError): GraphQLFormattedError {
  return JSON.parse(JSON.stringify(error, (_key, value) => (typeof value === 'string' ? cut(value) : value)))
}

/** Cuts the last suggestion, which is GraphQL's. Earlier suggestions are quoted from the request, so they stay. */
function cut(message: string): string {
  const suggestion = message.lastIndexOf('Did you mean ')
  return suggestion < 0 ? message : message.slice(0, suggestion).trimEnd()
}
