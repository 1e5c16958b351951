import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import { anchor } from './anchor.ts'
import { readSchema } from './graphql-schema.ts'
import { type Html, html, raw } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { sameOperations } from './same-operations.ts'
import { tryGraphql } from './try-view.ts'

type AnyField = GraphQLField<unknown, unknown>

/** The parts of the schema, each of them a page. */
export type GraphqlView = { queries: Html; mutations: Html; types: Html; shownTypes: GraphQLNamedType[] }

/** Renders schema.graphql for browsing. Each type name links to its definition. */
export function showGraphql(restNames: Map<string, string>): GraphqlView {
  const { getQueryType, getMutationType, getTypeMap, description } = bound(readSchema())
  const query = getQueryType()
  const mutation = getMutationType()
  const fieldsOf = (root: typeof query) => Object.values(root?.getFields() ?? {})
  const isFormer = ({ deprecationReason }: AnyField) => Boolean(deprecationReason)
  const shown = typesOf([...fieldsOf(query), ...fieldsOf(mutation).filter(field => !isFormer(field))])
  const types = Object.values(getTypeMap()).filter(type => shown.has(type))
  const former = fieldsOf(mutation).filter(isFormer)
  const fields = (root: typeof query) =>
    fieldsOf(root)
      .filter(field => root === query || !isFormer(field))
      .map(field => showField(root?.name ?? '', field, restNames))
  return {
    shownTypes: types,
    queries: html`${markdown(description ?? '')}<h2 id="graphql-queries">Queries</h2>${fields(query)}`,
    mutations: html`<h2 id="graphql-mutations">Mutations</h2>${fields(mutation)}
    <h3 id="graphql-former-mutations">Deprecated mutations</h3>
    <dl class="members">${former.map(showFormer)}</dl>`,
    types: html`<h2 id="graphql-types">Types</h2>${types.toSorted((a, b) => a.name.localeCompare(b.name)).map(showType)}`,
  }
}

/** Returns the types that these fields lead to. Types that only deprecated mutations use are not shown. */
function typesOf(fields: readonly AnyField[]): Set<GraphQLNamedType> {
  const found = new Set<GraphQLNamedType>()
  const visit = (type: GraphQLNamedType): void => {
    if (found.has(type) || isSpecifiedScalarType(type)) return
    found.add(type)
    if (isObjectType(type)) visitFields(Object.values(type.getFields()))
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) visit(getNamedType(field.type))
    if (isObjectType(type)) type.getInterfaces().forEach(visit)
  }
  const visitFields = (fields: readonly AnyField[]) => {
    for (const { type, args } of fields) {
      visit(getNamedType(type))
      for (const argument of args) visit(getNamedType(argument.type))
    }
  }
  visitFields(fields)
  return found
}

/** Binds the schema's methods, so that they can be destructured. */
function bound(built: GraphQLSchema) {
  return {
    getQueryType: () => built.getQueryType(),
    getMutationType: () => built.getMutationType(),
    getTypeMap: () => built.getTypeMap(),
    description: built.description,
  }
}

function typeLink(type: GraphQLType): Html {
  const { name } = getNamedType(type)
  const builtIn = isSpecifiedScalarType(getNamedType(type))
  const [before = '', after = ''] = String(type).split(name)
  return builtIn ? html`${String(type)}` : html`${before}<a href="#graphql-${name}">${name}</a>${after}`
}

function showField(root: string, field: AnyField, restNames: Map<string, string>): Html {
  const id = `graphql-${root}-${field.name}`
  const same = sameOperations.find(other => other.field === field.name && other.root === root)
  return html`<section class="type" id="${id}" aria-labelledby="title-${id}">
    <h3 id="title-${id}"><code>${field.name}</code>${anchor(id)} <span class="soft mono">${typeLink(field.type)}</span>
      ${field.deprecationReason && html`<span class="badge bad">deprecated</span>`}</h3>
    ${describe(field.description)}
    ${field.deprecationReason && html`<p class="removal">${raw(inline(field.deprecationReason))}</p>`}
    ${same && html`<p class="small">The same over REST: <a href="#${same.rest}">${restNames.get(same.rest)}</a></p>`}
    ${members(field.args)}
    ${tryGraphql(root, field.name)}
  </section>`
}

/** Deprecated mutations have no form to try them. */
const showFormer = ({ name, deprecationReason }: AnyField) =>
  html`<dt id="graphql-Mutation-${name}"><code>${name}</code> <span class="badge bad">deprecated</span></dt>
    <dd>${raw(inline(deprecationReason ?? ''))}</dd>`

function showType(type: GraphQLNamedType): Html {
  const kind = isObjectType(type)
    ? 'type'
    : isInputObjectType(type)
      ? 'input'
      : isEnumType(type)
        ? 'enum'
        : 'scalar'
  const fields = isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : []
  const values = isEnumType(type) ? type.getValues() : []
  return html`<details class="type" id="graphql-${type.name}">
    <summary><code>${type.name}</code> <span class="soft small">${kind}</span></summary>
    <div class="inside">${describe(type.description)}${members(fields)}
      ${
        values.length > 0 &&
        html`<dl class="members">${values.map(value => html`<dt><code>${value.name}</code></dt><dd>${raw(inline(value.description ?? ''))}</dd>`)}</dl>`
      }</div>
  </details>`
}

type Member = Pick<
  GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField,
  'name' | 'type' | 'description'
> & {
  defaultValue?: unknown
  deprecationReason?: string | null | undefined
}

function members(list: readonly Member[]): Html | false {
  return (
    list.length > 0 &&
    html`<dl class="members">${list.map(
      member => html`<dt><code>${member.name}</code> <span class="soft mono">${typeLink(member.type)}${
        member.defaultValue !== undefined && ` = ${JSON.stringify(member.defaultValue)}`
      }</span>${member.deprecationReason && html` <span class="badge bad">deprecated</span>`}</dt>
      <dd>${raw(inline(member.description ?? ''))}</dd>`,
    )}</dl>`
  )
}

const describe = (text: string | null | undefined) => (text ? markdown(text) : null)
