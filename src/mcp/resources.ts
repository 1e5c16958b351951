import { readFileSync, statSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const guides = {
  mcp: 'The guide to these tools',
  events: 'The events of the store, as a list and as a stream',
  webhooks: 'Events sent to your own address',
  keys: 'API keys, and what to do when one leaks',
  usage: 'Usage for billing',
  domains: 'Custom domains and their DNS records',
  graphql: 'The store over GraphQL',
  people: 'Members, roles and invitations',
}
const files = [
  {
    ...{ uri: 'pet-store://openapi.yaml', name: 'openapi.yaml', mimeType: 'application/yaml' },
    ...{ description: `The REST contract (${kilobytesOf('openapi.yaml')} KB)`, path: 'openapi.yaml' },
  },
  page('errors', 'Every error code, and what to do'),
  ...Object.entries(guides).map(([name, description]) => page(name, description)),
]

export const resources = files.map(({ path, ...resource }) => ({ ...resource }))

/** Returns the contents of the resource with this URI; null if there is none. */
export function readResource(uri: string, publicUrl: string) {
  const file = files.find(each => each.uri === uri)
  if (!file) return null
  const text = readFileSync(new URL(file.path, root), 'utf8')
  return {
    uri,
    mimeType: file.mimeType,
    text: text.replaceAll('http://localhost:4000', () => publicUrl),
  }
}

function page(name: string, description: string) {
  return { uri: `pet-store://${name}`, name, mimeType: 'text/markdown', description, path: `docs/${name}.md` }
}

/** The size tells a model whether the file fits its context. */
function kilobytesOf(path: string): number {
  return Math.round(statSync(new URL(path, root)).size / 1000)
}
