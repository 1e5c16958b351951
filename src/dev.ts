import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

// For developers: the service starts anew on each change, and the dashboard reloads in place.
const inSource = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const dashboard = await createServer({ configFile: inSource('dashboard/vite.config.ts') })
await dashboard.listen()
dashboard.printUrls()

const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', inSource('main.ts')], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
service.on('exit', async code => {
  await dashboard.close()
  process.exit(code ?? 0)
})
