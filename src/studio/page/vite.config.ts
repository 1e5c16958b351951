import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/studio/',
  plugins: [react()],
  // Studio tells its makers when it is opened unless this is set; the page's policy would refuse the call anyway.
  define: { 'globalThis.process.env': JSON.stringify({ CHECKPOINT_DISABLE: '1' }) },
  build: {
    outDir: fileURLToPath(new URL('../../../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Studio is several megabytes, which a page on one's own machine may be.
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
  },
})
