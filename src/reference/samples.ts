import { clientCalls } from './client-calls.ts'
import { type Located, type Parameter, showJson } from './contract.ts'
import { graphqlSample } from './graphql-sample.ts'
import { sameOperations } from './same-operations.ts'

export type Sample = { language: Language; code: string }
export type Language = 'curl' | 'JavaScript' | 'TypeScript' | 'Python' | 'GraphQL' | 'PHP' | 'Ruby'

/** Placeholder for the reader's key, replaced when the sample is copied. */
export const placeForKey = 'as_...'

type SampleRequest = { method: string; url: string; type: string | null; body: string | null }

/** Returns a request as a sample in each language. A test runs each sample. */
export function samplesOf(operation: Located, baseUrl: string, showsGraphql: boolean): Sample[] {
  const request = requestOf(operation, baseUrl)
  const call = clientCalls[operation.operationId]
  const same = showsGraphql && sameOperations.find(({ rest }) => rest === operation.operationId)
  return [
    { language: 'curl', code: curl(request) },
    { language: 'JavaScript', code: javaScript(request) },
    ...(call ? [{ language: 'TypeScript' as const, code: typeScript(call, baseUrl) }] : []),
    { language: 'Python', code: python(request) },
    ...(same ? [{ language: 'GraphQL' as const, code: graphql(same.root, same.field) }] : []),
  ]
}

function requestOf({ method, path, parameters = [], requestBody }: Located, baseUrl: string): SampleRequest {
  const inPath = (name: string) =>
    parameters.find(parameter => parameter.in === 'path' && parameter.name === name)
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => exampleOf(inPath(name)))
  const needed = parameters.filter(parameter => parameter.in === 'query' && parameter.required)
  const query = new URLSearchParams(needed.map(parameter => [parameter.name, exampleOf(parameter)]))
  const [type = null, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return {
    method,
    url: `${baseUrl}${filled}${query.size > 0 ? `?${query}` : ''}`,
    type,
    body: content ? bodyText(Object.values(content.examples ?? {})[0]?.value ?? content.example) : null,
  }
}

const exampleOf = (parameter: Parameter | undefined) => String(parameter?.example ?? 1)

/** Formats JSON on one line; leaves other formats unchanged. */
export const bodyText = (value: unknown) => (typeof value === 'string' ? value : showJson(value, 0))

function curl({ method, url, type, body }: SampleRequest): string {
  const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${inShell(url)}`,
    `-H 'Authorization: Bearer ${placeForKey}'`,
    ...(type ? [`-H 'Content-Type: ${type}'`] : []),
    ...(body === null ? [] : [`--data-binary ${inShell(body)}`]),
  ].join(' \\\n  ')
}

/** Quotes a text in a way that is valid in JavaScript and Python. */
const literal = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

function javaScript({ method, url, type, body }: SampleRequest): string {
  const contentType = type ? `, 'Content-Type': ${literal(type)}` : ''
  return [
    `const answer = await fetch(${literal(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { Authorization: 'Bearer ${placeForKey}'${contentType} },`,
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    '})',
    'console.log(answer.status, await answer.text())',
  ].join('\n')
}

function typeScript(call: string, baseUrl: string): string {
  return [
    "import { AnimalStore } from '@animal-store/client'",
    '',
    `const store = new AnimalStore({ url: ${literal(new URL(baseUrl).origin)}, key: '${placeForKey}' })`,
    call,
  ].join('\n')
}

function python({ method, url, type, body }: SampleRequest): string {
  const contentType = type ? `, 'Content-Type': ${literal(type)}` : ''
  return [
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${literal(url)},`,
    `    method='${method}',`,
    `    headers={'Authorization': 'Bearer ${placeForKey}'${contentType}},`,
    ...(body === null ? [] : [`    data=${literal(body)}.encode(),`]),
    ')',
    'with urlopen(request) as answer:',
    '    print(answer.status, answer.read().decode())',
  ].join('\n')
}

function graphql(root: string, field: string): string {
  const { document, variables } = graphqlSample(root, field)
  return variables === '{}' ? document : `${document}\n\n# variables\n${variables.replace(/^/gm, '# ')}`
}
