import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { escapeHtml, type Html, html, raw } from './html.ts'
import { content, type Door, type Page, pagesOf, startPage } from './pages.ts'
import { addressOf, fillAddress, onceForHosts, type Site } from './site.ts'

export type ReferenceOptions = Site & {
  /** The start page's path: `/reference`, or `/` at a project's own host. */
  home: string
  /** The canonical URL of the start page for search engines, if the page has several URLs. */
  canonical?: string
  /** The dashboard's URL; absent at a project's own hosts. */
  dashboard?: string
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const style = ['../styles/tokens.css', '../styles/base.css', 'page.css'].map(read).join('\n')
const scripts = ['page.js', 'samples.js', 'try.js', 'rank.js', 'search.js', 'place.js']
// Drop `export`: all files become one script, and only the test of rank.js imports from them.
const script = scripts
  .map(read)
  .join('\n')
  .replaceAll(/^export /gm, '')

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const [scriptHash, styleHash] = [hash(script), hash(style)]

/** The page has one inline script and one inline style. The policy allows only their hashes. */
export const policyAt = (baseUrl: string): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    'img-src data:',
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The page with all other pages' contents, for printing. */
const wholeSlug = 'all'

const rootOf = '/reference'
const pathOf = (slug: string, home: string) => (slug === '' ? home : `${rootOf}/${slug}`)

type Rendered = { slug: string; title: string; door: Door; body: string }

/** The contents of all pages, without the frame. Links point to ids, as if all were one page. */
const bodiesOf = onceForHosts(site => {
  const bodies = pagesOf(site).map(
    ({ slug, title, door, show }): Rendered => ({ slug, title, door, body: show(site).html }),
  )
  return { bodies, pages: pagesById(bodies) }
})

/**
 * Returns a page's content for one host. The start page is rendered for each host, because the start page shows the
 * title and the description of the host. In all other pages, only the address of the host is filled in.
 */
const bodyFor = (site: Site, { slug, body }: Rendered) =>
  slug === startPage.slug ? startPage.show(site).html : fillAddress(body, escapeHtml(addressOf(site)))

/**
 * Renders one page, or all contents as one page, with the frame. On a single page, each link leads to the page that
 * contains the link's target. Returns null if the page does not exist.
 */
export function showPage(options: ReferenceOptions, slug: string): string | null {
  const { home, showsGraphql } = options
  const { bodies, pages } = bodiesOf(options)
  const isWhole = slug === wholeSlug
  const shown = bodies.filter(page => isWhole || page.slug === slug)
  if (shown.length === 0) return null
  const title = isWhole || slug === '' ? options.title : `${shown[0]?.title} · ${options.title}`
  const canonical = slug === '' && options.canonical
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · API reference</title>${canonical && html`<link rel="canonical" href="${canonical}">`}<style>${raw(style)}</style></head>
<body data-base-url="${options.baseUrl}" data-home="${home}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><p class="brand">${options.title}</p>${options.dashboard && html`<a href="${options.dashboard}">Dashboard</a>`}<span class="badge plain">version ${content().contract.info.version}</span><a class="to-contents" href="#contents">Contents</a>
  <form class="key" novalidate><label for="key">Your API key</label><input class="input" id="key" type="password" placeholder="as_…" autocomplete="off" spellcheck="false"></form></header>
<div class="columns">
<nav class="contents" id="contents" aria-label="Contents"><form class="search" role="search" novalidate><label class="hidden-label" for="search">Search</label><input class="input" id="search" type="search" placeholder="Search  Ctrl K" autocomplete="off" spellcheck="false" aria-controls="found"><ul id="found" hidden></ul></form>${menu(bodies, showsGraphql)}</nav>
<main id="content" tabindex="-1">${shown.map((page, index) => html`<section>${page.door !== 'Guide' && page.door !== shown[index - 1]?.door && html`<h1>${headings[page.door]}</h1>`}${raw(bodyFor(options, page))}</section>`)}</main></div>
<script>${raw(script)}</script></body></html>`
  return isWhole ? page.html : leadToPages(page.html, pages, slug, home)
}

/**
 * The heading above the pages of each part of the reference. Guides need no such heading, because each guide has a
 * heading of its own.
 */
const headings = { Guide: '', REST: 'REST', GraphQL: 'GraphQL', Rules: 'Rules' }

function menu(bodies: readonly Rendered[], showsGraphql: boolean): Html {
  const ofDoor = (door: Door) => bodies.filter(page => page.door === door && page.slug !== '')
  const list = (pages: readonly Rendered[]) =>
    pages.map(({ title, body }) => html`<li><a href="#${firstId(body)}">${title}</a></li>`)
  return html`<ul class="menu">
  <li><a href="#start">Start</a></li>
  <li class="group">Guides<ul>${list(ofDoor('Guide'))}</ul></li>
  ${content().groups.map(
    group =>
      html`<li class="group">${group.name}<ul>${group.tags
        .flatMap(({ operations }) => operations)
        .map(
          ({ operationId, summary, method, deprecated }) =>
            html`<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <span${deprecated ? raw(' class="struck"') : ''}>${summary}</span></a></li>`,
        )}</ul></li>`,
  )}
  <li><a href="#objects">Objects</a></li>
  ${showsGraphql && html`<li class="group">GraphQL<ul>${list(ofDoor('GraphQL'))}</ul></li>`}
  <li class="group">Rules<ul><li><a href="#limits">Limits by plan</a></li>${list(ofDoor('Rules'))}</ul></li>
  <li><a href="${rootOf}/${wholeSlug}">All on one page</a></li>
</ul>`
}

const firstId = (body: string) => / id="([^"]+)"/.exec(body)?.[1] ?? ''

/** Maps each id that a link can point to, to its page. */
function pagesById(bodies: readonly Rendered[]): Map<string, string> {
  const pages = new Map<string, string>()
  for (const { slug, body } of bodies)
    for (const [, id = ''] of body.matchAll(/ id="([^"]+)"/g)) if (!pages.has(id)) pages.set(id, slug)
  return pages
}

function leadToPages(text: string, pages: Map<string, string>, here: string, home: string): string {
  return text.replaceAll(/href="#([^"]+)"/g, (link, id: string) => {
    const slug = pages.get(id)
    return slug === undefined || slug === here ? link : `href="${pathOf(slug, home)}#${id}"`
  })
}

/** All pages as Markdown. */
const markdownOf = onceForHosts(site =>
  pagesOf(site).map(({ slug, title, asMarkdown }) => ({ slug, text: `# ${title}\n\n${asMarkdown(site)}\n` })),
)

/** Writes one page, or all of them, as Markdown for agents. Null if there is no such page. */
export function writeMarkdown(site: Site, slug: string): string | null {
  const shown = markdownOf(site).filter(page => slug === wholeSlug || page.slug === slug)
  return shown.length === 0 ? null : fillAddress(shown.map(({ text }) => text).join('\n'), addressOf(site))
}

/** The list of pages for agents, as llmstxt.org proposes it. */
export function writeIndex(site: Site): string {
  const { contract } = content()
  const address = addressOf(site)
  const line = ({ slug, title, door }: Page) =>
    `- [${door === 'GraphQL' ? `GraphQL: ${title}` : title}](${address}${rootOf}/${slug || 'start'}.md)`
  const pages = pagesOf(site)
  const list = (doors: readonly Door[]) =>
    pages
      .filter(({ door }) => doors.includes(door))
      .map(line)
      .join('\n')
  return [
    `# ${site.title}`,
    `> ${site.description ?? contract.info.summary}`,
    `## Guides\n\n${list(['Guide'])}`,
    `## API\n\n${list(['REST', 'GraphQL', 'Rules'])}\n- [OpenAPI](${address}/openapi.yaml)${site.showsGraphql ? `\n- [GraphQL schema](${address}/schema.graphql)` : ''}`,
    `## Optional\n\n- [All of it in one file](${address}${rootOf}/${wholeSlug}.md)`,
  ].join('\n\n')
}
