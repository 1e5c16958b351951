import { readContract } from '../../src/rest/contract.ts'

type Node = { [key: string]: unknown; $ref?: string }
export type Header = { required?: boolean; schema: { type: string } }
export type Answer = {
  headers: Record<string, Header>
  content?: Record<string, { schema: { $ref?: string } }>
}

export type Operation = {
  id: string
  method: string
  template: string
  path: RegExp
  answers: Map<number, Answer>
}

/** The contract as the service serves it. Examples and bounds beyond 2^53 are rounded here. */
export const contract = JSON.parse(
  readContract({ publicUrl: 'http://localhost:4000', stagingUrl: null }).json,
)

/** The headers of every answer. */
export const everyAnswer = resolve<Answer>({ $ref: '#/components/responses/InternalError' })

export const operations: Operation[] = Object.entries<Node>(contract.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const { operationId, responses } = operation as { operationId: string; responses: Record<string, Node> }
    return {
      id: operationId,
      method: method.toUpperCase(),
      template,
      path: new RegExp(`^/v1${template.replace(/\{\w+\}/g, '[^/]+')}$`),
      answers: new Map(
        Object.entries(responses).map(([status, answer]) => [Number(status), resolve<Answer>(answer)]),
      ),
    }
  }),
)

/** Every documented answer by name, such as `createPet 413`. */
export const documentedAnswers = operations.flatMap(({ id, answers }) =>
  [...answers.keys()].map(status => `${id} ${status}`),
)

/**
 * Replaces the references of an answer and of the answer's headers by the referenced objects. References in schemas
 * remain, because the validator follows those references.
 */
function resolve<T>(node: Node): T {
  const target = follow(node)
  const headers = Object.entries((target.headers ?? {}) as Record<string, Node>).map(([name, header]) => [
    name,
    follow(header),
  ])
  return { ...target, headers: Object.fromEntries(headers) } as T
}

function follow(node: Node): Node {
  if (node.$ref === undefined) return node
  return node.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((at, key) => at[key] as Node, contract as Node)
}
