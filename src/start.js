// Plain JavaScript: for a first file with types node would load all that strips them, which takes 70 ms, where the cache
// has every other file without types already.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
await import('./main.ts')
