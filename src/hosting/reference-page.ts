import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { ServedHost } from '../core/served-hosts.ts'

type Parameter = { name: string; in: string; description?: string; required?: boolean }
type Operation = {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: Parameter[]
  responses: Record<string, unknown>
}
type Contract = { info: { version: string }; paths: Record<string, Record<string, Operation>> }

const methods = ['get', 'post', 'put', 'patch', 'delete']

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid #8886; padding-top: 1.5rem; }
code, pre { font: .9rem/1.5 ui-monospace, monospace; } pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid #8886; border-radius: .4rem; }
.method { font-weight: 700; margin-right: .5rem; } .old { opacity: .75; } dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
`

/** What may be loaded by the page: its own style and nothing else from anywhere. */
export const referencePolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Makes the page at `/` of a project's hosts: its title, how to call it, and every operation of the contract. */
export function makeReferencePage(): (page: ServedHost['page'], address: string) => string {
  const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Contract
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap(method => (item[method] ? [section(method, path, item[method])] : [])),
  )

  return ({ title, description, primary }, address) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inHtml(title)}</title>
<link rel="canonical" href="https://${inHtml(primary)}/">
<style>${style}</style>
</head>
<body>
<main>
<h1>${inHtml(title)}</h1>
${description ? paragraphs(description) : ''}
<p>Version ${inHtml(contract.info.version)}. Requests carry an API key of this store as a bearer token.
The whole contract: <a href="/openapi.yaml">openapi.yaml</a>. GraphQL is at <code>/graphql</code>.</p>
<pre>curl -H 'Authorization: Bearer as_...' '${inHtml(address)}/v1/pets?limit=20'</pre>
${operations.join('\n')}
</main>
</body>
</html>
`
}

function section(method: string, path: string, operation: Operation): string {
  const { operationId, summary, description, deprecated, parameters = [], responses } = operation
  const named = parameters.filter(parameter => parameter.name)
  const list = named.map(
    ({ name, in: place, required, description: text }) =>
      `<dt><code>${inHtml(name)}</code> (${inHtml(place)}${required ? ', required' : ''})</dt><dd>${inHtml(text ?? '')}</dd>`,
  )
  return `<section id="${inHtml(operationId)}"${deprecated ? ' class="old"' : ''}>
<h2>${inHtml(summary)}${deprecated ? ' (deprecated)' : ''}</h2>
<p><code><span class="method">${method.toUpperCase()}</span>/v1${inHtml(path)}</code></p>
${paragraphs(description ?? '')}
${list.length > 0 ? `<dl>${list.join('\n')}</dl>` : ''}
<p>Answers: ${Object.keys(responses)
    .map(status => `<code>${inHtml(status)}</code>`)
    .join(' ')}</p>
</section>`
}

function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter(Boolean)
    .map(paragraph => `<p>${inHtml(paragraph).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('\n')
}

function inHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, character => names[character] ?? '')
}
