import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Request, RequestHandler } from 'express'
import { answerBytes, bytesOf } from '../http/answer.ts'
import { addHeaders } from '../http/headers.ts'
import { protectPage } from '../http/standard-headers.ts'
import { html, raw } from '../reference/html.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const firstQuery = `# Under Headers, set Authorization to Bearer and an API key of your project.
query FirstPets {
  pets(first: 5) {
    nodes {
      id
      name
      status
    }
  }
}
`

/**
 * The page that browsers get at /graphql. It links to Apollo Sandbox on Apollo's own site. If Sandbox were embedded
 * here, its scripts would run in the dashboard's origin and could read the API key; in an opaque origin Sandbox does
 * not start.
 */
export function landingPage(publicUrl: string): RequestHandler {
  const style = ['../styles/tokens.css', '../styles/base.css', 'landing-page.css'].map(read).join('\n')
  const protect = protectPage(policyOf(style))
  const page = bytesOf(pageOf(publicUrl, style))
  return (request, response, next) => {
    if (!wantsPage(request)) return next()
    protect(request, response, () => {
      addHeaders(response, [
        ...['Content-Type', 'text/html; charset=utf-8'],
        ...['Cache-Control', 'no-cache', 'Vary', 'Accept, Accept-Encoding'],
      ])
      return answerBytes(response, 200, page)
    })
  }
}

/** The page runs no scripts and has an opaque origin; only its links lead out of it. */
const policyOf = (style: string) =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function sandboxUrl(publicUrl: string): string {
  const initial = {
    endpoint: `${publicUrl}/graphql`,
    document: firstQuery,
    headers: JSON.stringify({ Authorization: '' }),
  }
  return `https://studio.apollographql.com/sandbox/explorer?${new URLSearchParams(initial)}`
}

const pageOf = (publicUrl: string, style: string) =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>GraphQL · Animal Store</title><style>${raw(style)}</style></head>
<body><main><h1>GraphQL at ${publicUrl}/graphql</h1>
<p><a href="${sandboxUrl(publicUrl)}" target="_blank" rel="noopener noreferrer">Open Apollo Sandbox</a></p>
<p>Sandbox is a page of Apollo's own that sends your operations from your browser to this address. Under Headers, set
<code>Authorization</code> to <code>Bearer</code> and an API key.</p>
<p>Without the network, <a href="/reference/graphql#graphql-queries">the API reference</a> explains every field and sends operations with "Try it".</p>
</main></body></html>
`.html

/** True if a browser asks for a page; false if a client asks for an answer. */
function wantsPage(request: Request): boolean {
  // Do the cheap check first: parsing the whole header costs a tenth of a cached answer.
  if (request.method !== 'GET' || !/\btext\//i.test(request.headers.accept ?? '')) return false
  const types = ['application/json', 'application/graphql-response+json', 'text/html']
  return request.accepts(types) === 'text/html'
}
