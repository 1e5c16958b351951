import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Bundles src/cli into one file without dependencies, so that it starts quickly with the Node.js of its users. */
export default defineConfig({
  root: here('.'),
  build: {
    ssr: here('../../src/cli/main.ts'),
    outDir: here('dist'),
    target: 'node20',
    minify: true,
    rollupOptions: { output: { banner: '#!/usr/bin/env node', entryFileNames: 'animal-store.js' } },
  },
  ssr: { noExternal: true },
})
