import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const files = [
  {
    ...{ uri: 'pet-store://openapi.yaml', name: 'openapi.yaml', mimeType: 'application/yaml' },
    ...{ description: 'The REST contract (120 KB)', path: 'openapi.yaml' },
  },
  {
    ...{ uri: 'pet-store://errors', name: 'errors', mimeType: 'text/markdown' },
    ...{ description: 'Every error code, and what to do', path: 'docs/errors.md' },
  },
  {
    ...{ uri: 'pet-store://mcp', name: 'mcp', mimeType: 'text/markdown' },
    ...{ description: 'The guide to these tools', path: 'docs/mcp.md' },
  },
] as const

export const resources = files.map(({ path, ...resource }) => ({ ...resource }))

/** Returns the resource's contents; null if there is none of this URI. */
export function readResource(uri: string, publicUrl: string) {
  const file = files.find(each => each.uri === uri)
  if (!file) return null
  const text = readFileSync(new URL(file.path, root), 'utf8')
  return { uri, mimeType: file.mimeType, text: text.replaceAll('http://localhost:4000', () => publicUrl) }
}
