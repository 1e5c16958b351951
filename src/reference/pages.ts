import { readFileSync } from 'node:fs'
import { anchor } from './anchor.ts'
import { type Contract, type Located, operationsOf, readContract } from './contract.ts'
import { readSchema } from './graphql-schema.ts'
import { showGraphql } from './graphql-view.ts'
import { type Guide, placeForAddress, readGuides, showGuide } from './guides.ts'
import { type Html, html, raw } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { graphqlAsMarkdown, operationsAsMarkdown, schemasAsMarkdown } from './markdown-pages.ts'
import { showOperation } from './operation-view.ts'
import { showSchema } from './schema-view.ts'
import { addressOf, type Site } from './site.ts'
import { showVersioning } from './versioning-view.ts'

/** The part of the reference that a page or a search result belongs to. */
export type Door = 'Guide' | 'REST' | 'GraphQL' | 'Rules'

export type Page = {
  /** The last part of the page's address; empty for the start. */
  slug: string
  title: string
  door: Door
  show(site: Site): Html
  /** The page's content for agents. */
  asMarkdown(site: Site): string
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Read the contents once for all hosts: only title and URLs differ between hosts. */
let made: ReturnType<typeof readAll> | undefined
export const content = () => {
  made ??= readAll()
  return made
}

function readAll() {
  const contract = readContract()
  const operations = operationsOf(contract)
  const restNames = operations.map(
    ({ operationId, method, path }) => [operationId, `${method} ${path}`] as const,
  )
  const [intro = '', ...parts] = contract.info.description.split(/^\*\*(\w+)\.\*\* /m)
  const topics = Object.fromEntries(
    parts.flatMap((part, index) => (index % 2 ? [] : [[part, parts[index + 1] ?? '']])),
  )
  return {
    contract,
    operations,
    groups: groupsOf(contract, operations),
    graphql: showGraphql(new Map(restNames)),
    guides: readGuides(),
    intro: intro.trim(),
    topics,
    errors: read('../../docs/errors.md').replace(/^# .*\n/, ''),
  }
}

export type Tag = { name: string; title: string; description: string; operations: Located[] }

const groupsOf = (contract: Contract, operations: Located[]) =>
  contract['x-tagGroups'].map(group => ({
    name: group.name,
    tags: contract.tags
      .filter(tag => group.tags.includes(tag.name))
      .map(
        ({ name, 'x-displayName': title = name, description = '' }): Tag => ({
          ...{ name, title, description },
          operations: operations.filter(({ tags }) => tags.includes(name)),
        }),
      ),
  }))

/** All pages of the reference in their order. */
export function pagesOf({ showsGraphql }: Pick<Site, 'showsGraphql'>): Page[] {
  const { contract, groups, guides, errors, operations } = content()
  return [
    startPage,
    ...guides.map(guidePage),
    ...groups.flatMap(({ tags }) => tags.map(tagPage)),
    {
      ...{ slug: 'objects', title: 'Objects', door: 'REST' },
      show: () =>
        html`<h2 id="objects">Objects${anchor('objects')}</h2>${Object.entries(contract.components.schemas).map(([name, schema]) => showSchema(name, schema))}`,
      asMarkdown: () => schemasAsMarkdown(contract.components.schemas),
    },
    ...(showsGraphql ? graphqlPages() : []),
    {
      ...{ slug: 'error-codes', title: 'Error codes', door: 'Rules' },
      show: () => html`<h2 id="errors">Error codes${anchor('errors')}</h2>${markdown(errors)}`,
      asMarkdown: () => errors.trim(),
    },
    {
      ...{ slug: 'versioning', title: 'Versioning', door: 'Rules' },
      show: ({ baseUrl }) =>
        html`<h2 id="versioning">Versioning${anchor('versioning')}</h2>${showVersioning(contract, operations, baseUrl)}`,
      asMarkdown: () => contract.info.description,
    },
  ]
}

export const startPage: Page = {
  ...{ slug: '', title: 'Start', door: 'Guide' },
  show: site => {
    const { contract, intro, topics } = content()
    const { baseUrl, showsGraphql } = site
    return html`<section id="start"><h1>${site.title}</h1><p class="lead">${site.description ?? contract.info.summary}</p>
    ${intro && markdown(intro)}
    <dl class="addresses"><dt>REST</dt><dd><code class="break">${baseUrl}</code></dd>${showsGraphql && html`<dt>GraphQL</dt><dd><code class="break">${addressOf(site)}/graphql</code></dd>`}</dl>
    <p class="row">${downloads(baseUrl, showsGraphql)}</p>
    ${curl(baseUrl)}
    <h2 id="authentication">Authentication${anchor('authentication')}</h2>${markdown(topics.Authentication ?? '')}${markdown(topics.Also ?? '')}
  </section>`
  },
  asMarkdown: ({ baseUrl }) => `REST: ${baseUrl}\n\n${content().contract.info.description}`,
}

const downloads = (baseUrl: string, showsGraphql: boolean) =>
  ['openapi.yaml', 'openapi.json', ...(showsGraphql ? ['schema.graphql'] : [])].map(
    name => html`<a href="${new URL(name, baseUrl).href}" download>${name}</a> `,
  )

const curl = (baseUrl: string) =>
  html`<pre tabindex="0" aria-label="A first request"><code>curl -H 'Authorization: Bearer as_...' '${baseUrl}/pets?limit=3'</code></pre>`

const guidePage = (guide: Guide): Page => ({
  ...{ slug: `guides/${guide.name}`, title: guide.title, door: 'Guide' },
  show: site => showGuide(guide, addressOf(site)),
  asMarkdown: site =>
    guide.text
      .replaceAll(placeForAddress, addressOf(site))
      .replace(/\]\(([\w-]+)\)/g, '](/reference/guides/$1.md)'),
})

const tagPage = (tag: Tag): Page => ({
  ...{ slug: tag.name, title: tag.title, door: 'REST' },
  show: ({ baseUrl, showsGraphql }) => {
    const { contract, topics } = content()
    const { schemas, headers } = contract.components
    return html`<h2 id="tag-${tag.name}">${tag.title}${anchor(`tag-${tag.name}`)}</h2>
      <p class="soft">${raw(inline(tag.description))}</p>
      ${tag.operations.map(operation => showOperation(operation, { baseUrl, schemas, showsGraphql }))}
      ${tag.name === 'limits' && html`<h2 id="limits">Limits by plan${anchor('limits')}</h2>${markdown(topics.Limits ?? '')}${showHeaders(headers)}`}`
  },
  asMarkdown: ({ baseUrl }) => `${tag.description}\n\n${operationsAsMarkdown(tag.operations, baseUrl)}`,
})

function graphqlPages(): Page[] {
  const { queries, mutations, types } = content().graphql
  const schema = readSchema()
  return [
    {
      ...{ slug: 'graphql', title: 'Queries', door: 'GraphQL' },
      show: site =>
        html`<p id="graphql">One address for every operation: <code class="break">${addressOf(site)}/graphql</code></p>${queries}`,
      asMarkdown: () => graphqlAsMarkdown(schema, 'queries'),
    },
    {
      ...{ slug: 'graphql-mutations', title: 'Mutations', door: 'GraphQL' },
      show: () => mutations,
      asMarkdown: () => graphqlAsMarkdown(schema, 'mutations'),
    },
    {
      ...{ slug: 'graphql-types', title: 'Types', door: 'GraphQL' },
      show: () => types,
      asMarkdown: () => graphqlAsMarkdown(schema, 'types'),
    },
  ]
}

function showHeaders(all: Record<string, { description?: string }>): Html {
  return html`<h3>Response headers</h3><dl class="members">${Object.entries(all).map(
    ([name, { description }]) =>
      html`<dt><code>${name}</code></dt><dd>${raw(inline(description ?? ''))}</dd>`,
  )}</dl>`
}
