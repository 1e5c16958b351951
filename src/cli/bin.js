#!/usr/bin/env node
// Runs on the Node in the package: the machine's own may be too old to read TypeScript.
import { spawnSync } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Keeps the code without its types: a start takes half of the CPU.
module.enableCompileCache?.(
  join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules/.cache/compiled'),
)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  // `migrate` is the one command that runs beside the service, with its settings instead of its address.
  const isMigrate = process.argv.length === 3 && process.argv[2] === 'migrate'
  if (isMigrate) await import('../migrate.ts')
  else await import('./main.ts')
} else {
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
  const { status } = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
