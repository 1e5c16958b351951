import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { toStoreError } from '../http/errors.ts'
import type { Context } from './context.ts'
import type { Documents } from './documents.ts'
import { formatError, refusalOf } from './errors.ts'
import { type Admit, finish, logBug } from './operations.ts'

export type DirectAnswer = { status: number; headers: [string, string][]; text: string }
export type RunDirectly = (context: Context) => Promise<DirectAnswer | null>

type Sent = { query: string; variables: Record<string, unknown> }

/**
 * Runs a plain operation without Apollo, whose own way around it costs more than admission and execution together.
 * Null, with nothing done yet, where the question asks for any more of GraphQL's protocol than that.
 */
export function openDirectRun(schema: GraphQLSchema, documents: Documents, admit: Admit): RunDirectly {
  return async context => {
    const sent = readSent(context)
    if (!sent) return null
    const { query, variables } = sent
    const judged = documents.judge(query)
    const operation = judged.faults.length === 0 ? onlyOperation(judged.document) : null
    if (!operation) return null
    const values = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 })
    if (values.errors) return null

    context.judged = judged
    try {
      await admit({ contextValue: context, operation, request: { variables }, values })
    } catch (thrown) {
      return refuse(context, refusalOf(toStoreError(thrown)))
    }
    const { data, errors } = await execute({
      schema,
      document: judged.document,
      contextValue: context,
      variableValues: variables,
    })
    for (const error of errors ?? []) logBug(context, error)
    const answer = { ...(errors && { errors: errors.map(format) }), ...(data !== undefined && { data }) }
    const status = finish(context, 200, answer) ?? 200
    return { status, headers: [], text: JSON.stringify(answer) }
  }
}

function refuse(context: Context, refusal: GraphQLError): DirectAnswer {
  const http = refusal.extensions.http as { status: number; headers: Map<string, string> }
  logBug(context, refusal)
  const answer = { errors: [format(refusal)] }
  const status = finish(context, http.status, answer) ?? http.status
  return { status, headers: [...http.headers], text: JSON.stringify(answer) }
}

const format = (error: GraphQLError) => formatError(error.toJSON(), error)

/** Persisted queries, batches and the choice among several operations or media types are Apollo's. */
function readSent({ request }: Context): Sent | null {
  const { accept = '*/*' } = request.headers
  if (accept !== '*/*' && accept !== 'application/json') return null
  const { query, variables, operationName, extensions } = request.body ?? {}
  if (typeof query !== 'string' || operationName !== undefined || extensions !== undefined) return null
  const isPlain = typeof variables === 'object' && variables !== null && !Array.isArray(variables)
  return variables === undefined || isPlain ? { query, variables: variables ?? {} } : null
}

function onlyOperation(document: DocumentNode): OperationDefinitionNode | null {
  const operations = document.definitions.filter(each => each.kind === Kind.OPERATION_DEFINITION)
  return operations.length === 1 ? (operations[0] ?? null) : null
}
