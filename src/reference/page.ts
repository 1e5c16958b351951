import { readFileSync } from 'node:fs'
import { anchor } from './anchor.ts'
import { operationsOf, readContract } from './contract.ts'
import { showGraphql } from './graphql-view.ts'
import { type Html, html, raw } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { showOperation } from './operation-view.ts'
import { showSchema } from './schema-view.ts'
import { showVersioning } from './versioning-view.ts'

export type ReferenceOptions = {
  title: string
  description: string | null
  /** The base URL of REST, including /v1. */
  baseUrl: string
  /** The canonical URL for search engines, if the page has several URLs. */
  canonical?: string
  /** The dashboard's URL; absent at a project's own hosts. */
  dashboard?: string
  /** False if anonymous readers must not see the schema. */
  showsGraphql: boolean
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
export const style = ['../styles/tokens.css', '../styles/base.css', 'page.css'].map(read).join('\n')
export const script = ['page.js', 'samples.js', 'try.js', 'search.js', 'place.js'].map(read).join('\n')

/** Only title and URLs differ between hosts, so build the rest once. */
let made: ReturnType<typeof makeContent> | undefined
export const content = () => {
  made ??= makeContent()
  return made
}

function makeContent() {
  const contract = readContract()
  const operations = operationsOf(contract)
  const graphql = showGraphql(
    new Map(operations.map(({ operationId, method, path }) => [operationId, `${method} ${path}`])),
  )
  const groups = contract['x-tagGroups'].map(group => ({
    name: group.name,
    tags: contract.tags.filter(tag => group.tags.includes(tag.name)),
  }))
  const [intro = '', ...parts] = contract.info.description.split(/^\*\*(\w+)\.\*\* /m)
  const topics = Object.fromEntries(
    parts.flatMap((part, index) => (index % 2 ? [] : [[part, parts[index + 1] ?? '']])),
  )
  const errors = read('../../docs/errors.md').replace(/^# .*\n/, '')
  return { contract, operations, graphql, groups, intro, topics, errors }
}

export function renderPage({
  title,
  description,
  baseUrl,
  canonical,
  dashboard,
  showsGraphql,
}: ReferenceOptions): string {
  const { contract, operations, graphql, groups, intro, topics, errors } = content()
  const { info, components } = contract
  const graphqlUrl = baseUrl.replace(/\/v1$/, '/graphql')
  const ofTag = (name: string) => operations.filter(({ tags }) => tags.includes(name))
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · API reference</title>${canonical && html`<link rel="canonical" href="${canonical}">`}<style>${raw(style)}</style></head>
<body data-base-url="${baseUrl}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><p class="brand">${title}</p>${dashboard && html`<a href="${dashboard}">Dashboard</a>`}<span class="badge plain">version ${info.version}</span><a class="to-contents" href="#contents">Contents</a>
  <form class="key" novalidate><label for="key">Your API key</label><input class="input" id="key" type="password" placeholder="as_…" autocomplete="off" spellcheck="false"></form></header>
<div class="columns">
<nav class="contents" id="contents" aria-label="Contents"><form class="search" role="search" novalidate><label class="hidden-label" for="search">Search</label><input class="input" id="search" type="search" placeholder="Search  /" autocomplete="off" spellcheck="false" aria-controls="found"><ul id="found" hidden></ul></form><ul class="menu">
  <li><a href="#start">Start</a></li>
  ${groups.map(
    group =>
      html`<li class="group">${group.name}<ul>${group.tags
        .flatMap(tag => ofTag(tag.name))
        .map(
          ({ operationId, summary, method, deprecated }) =>
            html`<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <span${deprecated ? raw(' class="struck"') : ''}>${summary}</span></a></li>`,
        )}</ul></li>`,
  )}
  <li><a href="#objects">Objects</a></li>
  ${
    showsGraphql &&
    html`<li class="group">GraphQL<ul>
    <li><a href="#graphql">Schema</a></li><li><a href="#graphql-queries">Queries</a></li><li><a href="#graphql-mutations">Mutations</a></li><li><a href="#graphql-types">Types</a></li>
  </ul></li>`
  }
  <li class="group">Rules<ul><li><a href="#limits">Limits by plan</a></li><li><a href="#errors">Error codes</a></li><li><a href="#versioning">Versioning</a></li></ul></li>
</ul></nav>
<main id="content" tabindex="-1">
  <section id="start"><h1>${title}</h1><p class="lead">${description ?? info.summary}</p>
    ${intro.trim() && markdown(intro)}
    <dl class="addresses"><dt>REST</dt><dd><code class="break">${baseUrl}</code></dd>${showsGraphql && html`<dt>GraphQL</dt><dd><code class="break">${graphqlUrl}</code></dd>`}</dl>
    <p class="row">${downloads(baseUrl, showsGraphql)}</p>
    ${curl(baseUrl)}
    <h2 id="authentication">Authentication${anchor('authentication')}</h2>${markdown(topics.Authentication ?? '')}${markdown(topics.Also ?? '')}
  </section>
  ${groups.map(
    group =>
      html`<section><h2 id="group-${group.name}">${group.name}${anchor(`group-${group.name}`)}</h2>${group.tags.map(
        tag =>
          html`<p class="soft">${tag['x-displayName'] ?? tag.name}: ${raw(inline(tag.description ?? ''))}</p>${ofTag(tag.name).map(operation => showOperation(operation, { baseUrl, schemas: components.schemas, showsGraphql }))}`,
      )}</section>`,
  )}
  <section><h2 id="objects">Objects${anchor('objects')}</h2>${Object.entries(components.schemas).map(([name, schema]) => showSchema(name, schema))}</section>
  ${showsGraphql && html`<section><h2 id="graphql">GraphQL${anchor('graphql')}</h2><p>One address for every operation: <code class="break">${graphqlUrl}</code></p>${graphql.section}</section>`}
  <section><h2 id="limits">Limits by plan${anchor('limits')}</h2>${markdown(topics.Limits ?? '')}${headers(components.headers)}</section>
  <section><h2 id="errors">Error codes${anchor('errors')}</h2>${markdown(errors)}</section>
  <section><h2 id="versioning">Versioning${anchor('versioning')}</h2>${showVersioning(contract, operations, baseUrl)}</section>
</main></div>
<script>${raw(script)}</script></body></html>`
  return page.html
}

const downloads = (baseUrl: string, showsGraphql: boolean) =>
  ['openapi.yaml', 'openapi.json', ...(showsGraphql ? ['schema.graphql'] : [])].map(
    name => html`<a href="${new URL(name, baseUrl).href}" download>${name}</a> `,
  )

const curl = (baseUrl: string) =>
  html`<pre tabindex="0" aria-label="A first request"><code>curl -H 'Authorization: Bearer as_...' '${baseUrl}/pets?limit=3'</code></pre>`

function headers(all: Record<string, { description?: string }>): Html {
  return html`<h3>Response headers</h3><dl class="members">${Object.entries(all).map(
    ([name, { description }]) =>
      html`<dt><code>${name}</code></dt><dd>${raw(inline(description ?? ''))}</dd>`,
  )}</dl>`
}
