import type { ApolloServerPlugin } from '@apollo/server'
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default'
import type { Request } from 'express'
import { protectPage } from '../http/standard-headers.ts'
import type { Context } from './context.ts'

const apollo = 'https://*.apollographql.com https://*.cdn.apollographql.com https://*.embed.apollographql.com'

/** Sandbox comes from Apollo's servers, which this page alone may load from; the page's own policy narrows it further. */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'unsafe-inline' ${apollo}`,
  `style-src 'self' 'unsafe-inline' ${apollo} https://fonts.googleapis.com`,
  'font-src https://fonts.gstatic.com',
  `img-src 'self' data: ${apollo}`,
  `manifest-src ${apollo}`,
  `frame-src ${apollo}`,
  `connect-src 'self' ${apollo}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const offlineHint =
  'Apollo Sandbox cannot be loaded; it appears that you might be offline. <a href="/graphql/ide">The editor at /graphql/ide</a> needs no network.'

/** What an editor shows first. The schema is shown without a key, so none is made up here. */
export const firstQuery = (where: string) => `# ${where} Authorization: Bearer and an API key of your project.
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

/** A row to put a key into; empty, since any made-up one would be refused the schema too. */
export const emptyKey = { Authorization: '' }

/** Apollo's page, whose fallback tells of the editor that is served from here. */
export function sandbox(publicUrl: string): ApolloServerPlugin<Context> {
  const page = ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false, endpointIsEditable: false },
    document: firstQuery('Under Headers, send'),
    headers: emptyKey,
  })
  return {
    async serverWillStart(service) {
      const listener = await page.serverWillStart?.(service)
      return {
        async renderLandingPage() {
          const rendered = await listener?.renderLandingPage?.()
          const html = async () => {
            const text = typeof rendered?.html === 'function' ? await rendered.html() : (rendered?.html ?? '')
            return (
              text
                .replace(
                  'Apollo Sandbox cannot be loaded; it appears that you might be offline.',
                  offlineHint,
                )
                // Without Sandbox in it, its frame would lie over the link.
                .replace(
                  '#embeddableSandbox {',
                  '#embeddableSandbox:empty { display: none }\n  #embeddableSandbox {',
                )
                .replace('Welcome to Apollo Server', `Animal Store at ${publicUrl}/graphql`)
            )
          }
          return { html }
        },
      }
    },
  }
}

/** Whether a browser asks for a page rather than a client for an answer. */
export function wantsPage(request: Request): boolean {
  // Clients never name this kind; to weigh all that they do name costs a tenth of a kept answer.
  if (request.method !== 'GET' || !/\btext\//i.test(request.headers.accept ?? '')) return false
  const kinds = ['application/json', 'application/graphql-response+json', 'text/html']
  return request.accepts(kinds) === 'text/html'
}

export const protectSandbox = protectPage(policy)
