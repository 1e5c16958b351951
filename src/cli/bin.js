#!/usr/bin/env node
// Use the Node.js of this package: the machine's own may be too old to run TypeScript.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Cache the compiled code, which halves the CPU time of a start.
module.enableCompileCache?.(
  join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules/.cache/compiled'),
)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  // `migrate` and `move` run beside the service and read its settings.
  if (process.argv.length === 3 && process.argv[2] === 'migrate') await import('../migrate.ts')
  else if (process.argv[2] === 'move') await import('../move.ts')
  else await import('./main.ts')
} else {
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to the child too, and a second SIGINT would end the child at once.
  process.on('SIGINT', () => {})
  child.on('exit', status => {
    process.exitCode = status ?? 1
  })
}
