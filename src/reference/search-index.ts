import type { GraphQLNamedType } from 'graphql'
import { makeFile } from '../http/static-files.ts'
import type { Schema } from './contract.ts'
import { readSchema } from './graphql-schema.ts'
import { type Guide, piecesOf, sectionId } from './guides.ts'
import { content, type Door, type Tag } from './pages.ts'
import { onceForHosts, type Site } from './site.ts'

/** A place that the search finds: an operation, a field, a type, an error code, or a section of a guide. */
export type Place = { id: string; page: string; door: string; title: string; text: string }

/**
 * In characters: the index stores only this much of the text of each place. The stored part is enough for an excerpt
 * and for the words that matter. The whole texts would double the size of the index.
 */
const longestText = 900

/** The places of all pages as JSON, with the ids that their elements have on the pages. */
export const searchFileOf = onceForHosts(site => makeFile('application/json', JSON.stringify(placesOf(site))))

function placesOf({ showsGraphql }: Pick<Site, 'showsGraphql'>): Place[] {
  const { contract, groups, guides, topics, intro, errors } = content()
  const rules = placesOn('', 'Rules')
  const start = placesOn('', 'Guide')
  return [
    start('start', 'Start', intro),
    start('authentication', 'Authentication', topics.Authentication),
    ...guides.flatMap(placesOfGuide),
    ...groups.flatMap(({ tags }) => tags.flatMap(placesOfTag)),
    { ...rules('limits', 'Limits by plan', topics.Limits), page: 'limits' },
    ...Object.entries(contract.components.schemas).map(placeOfSchema),
    ...(showsGraphql ? placesOfGraphql() : []),
    { ...rules('errors', 'Error codes', errors), page: 'error-codes' },
    ...placesOfErrors(errors),
    { ...rules('versioning', 'Versioning', contract.info.description), page: 'versioning' },
  ]
}

const placesOn =
  (page: string, door: Door) =>
  (id: string, title: string, text: string | null | undefined): Place => ({
    ...{ id, page, door, title, text: plain(text ?? '') },
  })

function placesOfGuide({ name, title, text }: Guide): Place[] {
  const place = placesOn(`guides/${name}`, 'Guide')
  const words = piecesOf(text).filter(piece => typeof piece === 'string')
  const [first = '', ...sections] = words.join('\n').split(/^## /m)
  return [
    place(`guide-${name}`, title, first),
    ...sections.map(section => {
      const [heading = '', ...lines] = section.split('\n')
      return place(sectionId(name, heading), heading, lines.join('\n'))
    }),
  ]
}

function placesOfTag({ name, title, description, operations }: Tag): Place[] {
  const place = placesOn(name, 'REST')
  return [
    place(`tag-${name}`, title, description),
    ...operations.map(({ operationId, summary, method, path, description: text = '', parameters = [] }) => {
      const described = parameters.map(parameter => `${parameter.name}: ${parameter.description ?? ''}`)
      return place(operationId, `${summary} · ${method} ${path}`, [text, ...described].join(' '))
    }),
  ]
}

function placeOfSchema([name, schema]: [string, Schema]): Place {
  const parts = schema.allOf ?? [schema]
  const members = parts.flatMap(part => Object.entries(part.properties ?? {}))
  const described = members.map(([member, { description = '' }]) => `${member}: ${description}`)
  return placesOn('objects', 'REST')(`schema-${name}`, name, [schema.description, ...described].join(' '))
}

function placesOfGraphql(): Place[] {
  const schema = readSchema()
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()]
  const fields = (page: string, root: typeof query) =>
    Object.values(root?.getFields() ?? {}).map(({ name, description, deprecationReason, args }) => {
      const text = [description, deprecationReason, ...args.map(({ name }) => name)].join(' ')
      return placesOn(page, 'GraphQL')(`graphql-${root?.name}-${name}`, name, text)
    })
  return [
    placesOn('graphql', 'GraphQL')('graphql-queries', 'Queries', ''),
    ...fields('graphql', query),
    placesOn('graphql-mutations', 'GraphQL')('graphql-mutations', 'Mutations', ''),
    ...fields('graphql-mutations', mutation),
    placesOn('graphql-types', 'GraphQL')('graphql-types', 'Types', ''),
    ...content().graphql.shownTypes.map(placeOfType),
  ]
}

function placeOfType(type: GraphQLNamedType): Place {
  const members = 'getFields' in type ? Object.keys(type.getFields()) : []
  const text = [type.description, ...members].join(' ')
  return placesOn('graphql-types', 'GraphQL')(`graphql-${type.name}`, type.name, text)
}

/** The rows of the table of error codes. */
const placesOfErrors = (errors: string): Place[] =>
  errors.split('\n').flatMap(line => {
    const [, code, ...cells] = line.split('|').map(cell => cell.trim())
    if (!code?.startsWith('`')) return []
    return [placesOn('error-codes', 'Rules')('errors', code.replaceAll('`', ''), cells.join(' '))]
  })

/** Removes the Markdown syntax. */
function plain(text: string): string {
  const words = text
    .replaceAll(/[`*|[\]]/g, ' ')
    .split(/\s/)
    .filter(Boolean)
    .join(' ')
  return words.length <= longestText ? words : `${words.slice(0, longestText)}…`
}
