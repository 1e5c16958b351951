import { type Answer, ask } from './ask.ts'
import type { App, TestProject } from './start-app.ts'

export type GraphqlError = {
  message: string
  path?: (string | number)[]
  extensions: {
    code: string
    status: number
    details?: { field: string; message: string }[]
    [more: string]: unknown
  }
}
export type GraphqlAnswer<Data> = {
  status: number
  headers: Answer['headers']
  data: Data
  errors: GraphqlError[]
  extensions: Record<string, unknown>
  text: string
}

type More = {
  variables?: unknown
  headers?: Record<string, string>
  extensions?: unknown
  operationName?: string
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its own query.
type Anything = any

/** Sends one operation with a secret, or without one. */
export async function sendGraphql<Data = Anything>(
  url: string,
  secret: string | null,
  query: string | undefined,
  { headers = {}, ...more }: More = {},
): Promise<GraphqlAnswer<Data>> {
  const answer = await ask(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: JSON.stringify({ query, ...more }),
  })
  const { data = null, errors = [], extensions = {} } = (answer.json ?? {}) as Partial<GraphqlAnswer<Data>>
  return {
    status: answer.status,
    headers: answer.headers,
    data: data as Data,
    errors,
    extensions,
    text: answer.text,
  }
}

/** The codes of an answer's errors. */
export const codesOf = ({ errors }: { errors: GraphqlError[] }) => errors.map(error => error.extensions.code)

export const graphqlOf = (app: App, project: TestProject) => (query: string, more?: More) =>
  sendGraphql(app.url, project.secret, query, more)
