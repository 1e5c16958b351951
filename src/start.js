// Plain JavaScript: for a first file with types node would load all that strips them, which takes 70 ms, where the cache
// has every other file without types already. A node that is too old for those files reads this one.
import { fileURLToPath } from 'node:url'

const oldest = 26
const folder = fileURLToPath(new URL('..', import.meta.url))

if (Number.parseInt(process.versions.node, 10) < oldest) {
  console.error(
    `Animal Store needs Node ${oldest} and this is ${process.versions.node}: npm ci brings it along, and npm start uses it.`,
  )
  process.exit(1)
}
const { enableCompileCache } = await import('node:module')
enableCompileCache(`${folder}node_modules/.cache/compiled`)
await import('./main.ts')
