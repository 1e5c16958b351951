import { type GraphQLSchema, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql'
import { type Located, nameOf, type Schema, showJson } from './contract.ts'
import { samplesOf } from './samples.ts'

/**
 * Writes operations as Markdown. The only sample is the one for curl, because an agent needs the request and not five
 * languages.
 */
export const operationsAsMarkdown = (operations: readonly Located[], baseUrl: string): string =>
  operations.map(operation => operationAsMarkdown(operation, baseUrl)).join('\n\n')

function operationAsMarkdown(operation: Located, baseUrl: string): string {
  const { method, path, summary, description = '', parameters = [], responses } = operation
  const [curl] = samplesOf(operation, baseUrl, false)
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description.trim(),
    parameters
      .map(
        ({ name, in: place, required, description: text = '' }) =>
          `- \`${name}\` (${place}${required ? ', required' : ''}): ${oneLine(text)}`,
      )
      .join('\n'),
    fenced('sh', curl?.code ?? ''),
    Object.entries(responses)
      .map(([status, answer]) => `- ${status}: ${oneLine(answer.description)}`)
      .join('\n'),
    ...Object.values(responses)
      .slice(0, 1)
      .flatMap(({ content = {} }) => Object.values(content).slice(0, 1))
      .flatMap(({ example, examples = {} }) => [
        example,
        ...Object.values(examples).map(({ value }) => value),
      ])
      .filter(value => value !== undefined)
      .slice(0, 1)
      .map(value => fenced('json', typeof value === 'string' ? value : showJson(value))),
  ]
    .filter(Boolean)
    .join('\n\n')
}

export const schemasAsMarkdown = (schemas: Record<string, Schema>): string =>
  Object.entries(schemas)
    .map(([name, schema]) => {
      const parts = schema.allOf ?? [schema]
      const required = parts.flatMap(part => part.required ?? [])
      const members = parts.flatMap(part => Object.entries(part.properties ?? {}))
      const rows = members.map(
        ([member, type]) =>
          `- \`${member}\` (${typeName(type)}${required.includes(member) ? ', required' : ''}): ${oneLine(type.description ?? '')}`,
      )
      return [`## ${name}`, oneLine(schema.description ?? ''), rows.join('\n')].filter(Boolean).join('\n\n')
    })
    .join('\n\n')

const typeName = ({ $ref, type = 'object', enum: values }: Schema): string =>
  $ref ? nameOf($ref) : (values?.join(' or ') ?? [type].flat().join(' or '))

/** Writes one part of the schema in GraphQL's schema language. */
export function graphqlAsMarkdown(schema: GraphQLSchema, part: 'queries' | 'mutations' | 'types'): string {
  const roots = { queries: schema.getQueryType(), mutations: schema.getMutationType() }
  const types = Object.values(schema.getTypeMap()).filter(
    type =>
      !isIntrospectionType(type) &&
      !isSpecifiedScalarType(type) &&
      !Object.values(roots).includes(type as never),
  )
  const shown = part === 'types' ? types : [roots[part]].filter(root => root !== null && root !== undefined)
  return fenced('graphql', shown.map(printType).join('\n\n'))
}

const oneLine = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim())
    .join(' ')
const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
