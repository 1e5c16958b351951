import { hash as digest } from 'node:crypto'
import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { StoreError } from '../core/errors.ts'
import { refusalOf } from './errors.ts'
import { type Fragments, fragmentsOf } from './selections.ts'
import { limits, refuseOversized } from './shape-limits.ts'

/** A parsed and validated operation. Each text is parsed and validated once. */
export type Validated = { document: DocumentNode; fragments: Fragments; faults: GraphQLError[] }

export type Documents = {
  validate(source: string, hash?: string): Validated
  /** Apollo reads from this store before it parses and validates a document itself. */
  store: {
    get(key: string): Promise<DocumentNode | undefined>
    set(): Promise<void>
    delete(): Promise<void>
  }
}

/** Replaces the document of a refused operation, so that no later step examines the refused document. */
const emptyDocument = parse('{ __typename }')
const cachedCharacters = 1_000_000
const mostFaults = 10

export function openDocuments(schema: GraphQLSchema, options: { introspection: boolean }): Documents {
  const rules = options.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const results = new LRUCache<string, Validated>({ maxSize: cachedCharacters })

  const hashes = new LRUCache<string, string>({
    maxSize: cachedCharacters,
    sizeCalculation: (_hash, source) => 200 + source.length,
  })

  function validateOnce(source: string, hash = hashOf(source)): Validated {
    const known = results.get(hash)
    if (known) return known
    const validated = examine(source)
    // The length of a text counts even if the text is invalid, because each error of an invalid text holds the whole
    // text.
    results.set(hash, validated, { size: 200 + source.length })
    return validated
  }

  /** Caches hashes: hashing a text costs several times as much as finding its hash. */
  function hashOf(source: string): string {
    const known = hashes.get(source)
    if (known) return known
    const hash = digest('sha256', source)
    hashes.set(source, hash)
    return hash
  }

  function examine(source: string): Validated {
    try {
      const document = parse(source, { maxTokens: limits.tokens })
      refuseOversized(document)
      const faults = [...validate(schema, document, rules, { maxErrors: mostFaults })]
      faults.push(...faultsOfOperations(schema, document))
      if (faults.length > 0) return refused(faults.map(fault => nameFault(document, fault)))
      return { document, fragments: fragmentsOf(document), faults: [] }
    } catch (error) {
      if (error instanceof StoreError) return refused([refusalOf(error)])
      if (error instanceof GraphQLError) return refused([nameSyntaxFault(error)])
      throw error
    }
  }

  return {
    validate: validateOnce,
    store: {
      // Apollo's key is the hash of the schema, a colon and the hash of the query.
      get: async key => results.get(key.slice(key.lastIndexOf(':') + 1))?.document,
      set: async () => {},
      delete: async () => {},
    },
  }
}

/**
 * Rejects operation types that the schema lacks. Validation accepts them, and execution would report a server error.
 */
function faultsOfOperations(schema: GraphQLSchema, document: DocumentNode): GraphQLError[] {
  return document.definitions
    .filter(definition => definition.kind === Kind.OPERATION_DEFINITION)
    .filter(({ operation }) => !schema.getRootType(operation))
    .map(node => new GraphQLError(`The schema has no ${node.operation}.`, { nodes: [node] }))
}

function refused(faults: GraphQLError[]): Validated {
  return { document: emptyDocument, fragments: new Map(), faults }
}

function nameSyntaxFault(fault: GraphQLError): GraphQLError {
  const tooLong = fault.message.includes(`${limits.tokens} tokens`)
  const error = tooLong
    ? new StoreError('operation_too_complex', `The operation has more than ${limits.tokens} tokens.`)
    : new StoreError('malformed_request', fault.message)
  return located(error, fault)
}

const tooManyFaults = new StoreError(
  'malformed_request',
  `The operation has more than ${mostFaults} faults; these are the first.`,
)

/** The error for documents in which too many fields have the same name: GraphQL compares all pairs of them. */
const tooAlike = new StoreError(
  'operation_too_complex',
  'The operation repeats fields of one name too often to check them for conflicts.',
)

/**
 * Chooses the error code of a fault. A literal of the wrong type gets `invalid_input`, the code that a variable of the
 * wrong type gets too. A document that repeats a field too often gets `operation_too_complex`. Any other fault gets
 * `malformed_request`.
 */
function nameFault(document: DocumentNode, fault: GraphQLError): GraphQLError {
  if (fault.message === 'Validation aborted.') return refusalOf(tooAlike)
  if (fault.message.endsWith('Validation aborted.')) return refusalOf(tooManyFaults)
  const [node] = fault.nodes ?? []
  const isAboutInput = /cannot represent|of required type|does not exist in|Expected value of type/.test(
    fault.message,
  )
  if (!isAboutInput || !node) return located(new StoreError('malformed_request', fault.message), fault)
  const field = placeOf(document, node)
  return located(
    new StoreError('invalid_input', fault.message, { details: [{ field, message: fault.message }] }),
    fault,
  )
}

function located(error: StoreError, fault: GraphQLError): GraphQLError {
  const { nodes, source, positions } = fault
  return new GraphQLError(error.message, {
    nodes,
    source,
    positions,
    originalError: error,
    extensions: refusalOf(error).extensions,
  })
}

/** Returns the path of a literal in its arguments, such as `input.categoryId`. */
function placeOf(document: DocumentNode, wanted: ASTNode): string {
  let place = ''
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node !== wanted) return
      place = [...ancestors, parent, node]
        .filter(each => each !== undefined && 'kind' in each)
        .filter(each => each.kind === Kind.ARGUMENT || each.kind === Kind.OBJECT_FIELD)
        .map(each => each.name.value)
        .join('.')
    },
  })
  return place
}
