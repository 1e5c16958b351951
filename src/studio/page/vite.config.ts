import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/studio/',
  plugins: [react()],
  // Disables the report that Studio sends to Prisma when Studio is opened. The page's policy would block the report
  // anyway.
  define: { 'globalThis.process.env': JSON.stringify({ CHECKPOINT_DISABLE: '1' }) },
  build: {
    outDir: fileURLToPath(new URL('../../../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Studio is several megabytes, which is fine for a page on the same machine.
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
  },
})
