import type { Caller } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'
import type { Tools } from '../tools.ts'

/** The JSON Schema of one argument. */
type Argument = {
  type: 'string' | 'integer' | 'boolean'
  /** Null unsets the field. */
  isNullable?: true
  description?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
}

/** Values of the arguments, of the types in the tool's input schema. Null may mean absent. */
export type Arguments = { readonly [name: string]: string | number | boolean | null | undefined }

export type Call = {
  tools: Tools
  caller: Caller
  args: Arguments
  /** An idempotency key from the id of the JSON-RPC message, so it is equal for all repeats of the call. Null if another call may have the same id. */
  onceKey: string | null
}

export type Tool = {
  name: string
  title: string
  description: string
  /** The scope that a key needs to call the tool. If null, any key may call the tool. */
  scope: Scope | null
  /** The budget that the call is charged to. `free` calls are charged to management if they come too fast. */
  budget: 'store' | 'management' | 'free'
  /** The tool's hints are made from its effect. Clients decide by the hints whether to ask a person before a call. */
  effect: 'reads' | 'adds' | 'changes' | 'destroys'
  /** Arguments by name. */
  input: Readonly<Record<string, Argument>>
  required?: readonly string[]
  run(call: Call): Promise<object>
}

const int64Pattern = '^(0|-?[1-9][0-9]{0,18})$'

/** An int64. Models and JavaScript round numbers beyond 2^53, so ids are strings. */
export const idArgument = (description?: string): Argument => ({
  type: 'string',
  pattern: int64Pattern,
  ...(description && { description }),
})

export const isIdArgument = ({ pattern }: Argument) => pattern === int64Pattern

export const cursorArgument = {
  cursor: { type: 'string', description: 'nextCursor of the previous page' },
} as const satisfies Tool['input']

export const pageArguments = {
  limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 20' },
  ...cursorArgument,
} as const satisfies Tool['input']

export const idempotencyArgument = {
  idempotencyKey: {
    type: 'string',
    maxLength: 255,
    description: 'Any unique text. A second call with the same text adds nothing',
  },
} as const satisfies Tool['input']

/** Uses `anyOf` for null, because some providers of models reject a list of types. */
function schemaOf({ isNullable, ...schema }: Argument) {
  return isNullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** Formats the tool as the protocol lists it. All four hints are set, because clients assume the worst for absent ones. */
export function describeTool({ name, title, description, input, required, effect }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        Object.entries(input).map(([argument, schema]) => [argument, schemaOf(schema)]),
      ),
      ...(required && { required: [...required] }),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'destroys',
      idempotentHint: effect !== 'adds',
      openWorldHint: false,
    },
  }
}
