// This first file is plain JavaScript without types. For a first file with types, Node.js would load its type stripper,
// which takes 70 ms. All later files come from the compile cache, in which the types are already stripped. A Node.js
// that is too old for the TypeScript files can still read this file.
//
// `npm start` adds three options of V8, which `node --v8-options` lists:
// - `--v8-pool-size=1`: by default V8 has four helper threads. With one process for each core, these threads would share
//   the core with the requests, and a full garbage collection would delay requests by 75 ms.
// - `--heap-growing-percent=50`: by default V8 begins a full garbage collection when the heap has grown by a tenth, which
//   was every few seconds.
// - `--max-semi-space-size=16`: young objects then take at most 48 MB. By default they take up to 96 MB, and this serves no
//   more requests.
import { fileURLToPath } from 'node:url'

const oldest = 26
const folder = fileURLToPath(new URL('..', import.meta.url))

if (Number.parseInt(process.versions.node, 10) < oldest) {
  console.error(
    `Animal Store needs Node ${oldest}, but this is ${process.versions.node}. npm ci installs the right version, and npm start uses it.`,
  )
  process.exit(1)
}
const { enableCompileCache } = await import('node:module')
enableCompileCache(`${folder}node_modules/.cache/compiled`)
await import('./main.ts')
