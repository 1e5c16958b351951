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
    // The size tells a model whether the file fits its context.
    ...{ description: `The REST contract (${Math.round(sizeOf('openapi.yaml') / 1000)} KB)` },
    path: 'openapi.yaml',
  },
  page('errors', 'Every error code, and what to do'),
  ...Object.entries(guides).map(([name, description]) => page(name, description)),
]
const sizes = new Map(files.map(({ uri, path }) => [uri, sizeOf(path)]))

export const resources = files.map(({ path, ...resource }) => ({ ...resource }))

/** Returns the bytes of the resource with this URI; 0 if there is none. */
export const bytesOfResource = (uri: string): number => sizes.get(uri) ?? 0

type Contents = { uri: string; mimeType: string; text: string }

/**
 * Makes the function that returns the contents of the resource with a URI, or null if there is none. Each file is read
 * only once.
 */
export function openResources(publicUrl: string): (uri: string) => Contents | null {
  const contents = new Map<string, Contents>()
  return uri => {
    const known = contents.get(uri)
    if (known) return known
    const file = files.find(each => each.uri === uri)
    if (!file) return null
    const text = readFileSync(new URL(file.path, root), 'utf8')
    const read = {
      ...{ uri, mimeType: file.mimeType },
      text: text.replaceAll('http://localhost:4000', () => publicUrl),
    }
    contents.set(uri, read)
    return read
  }
}

function page(name: string, description: string) {
  return { uri: `pet-store://${name}`, name, mimeType: 'text/markdown', description, path: `docs/${name}.md` }
}

function sizeOf(path: string): number {
  return statSync(new URL(path, root)).size
}
