// Packs both packages as npm would publish them, and fails if users could not use them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const binary = name => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'animal-store-packages-'))

try {
  const client = pack('clients/typescript')
  run('publint', 'run', client, '--strict')
  // The package has only ES modules, so CommonJS code must use `import()` instead of `require()`.
  run('attw', client, '--profile', 'esm-only')
  // The package of the command line has no types to check.
  run('publint', 'run', pack('clients/cli'), '--strict')
} finally {
  rmSync(folder, { recursive: true })
}

function pack(path) {
  const args = ['pack', '--json', '--pack-destination', folder]
  const output = execFileSync('npm', args, { cwd: join(root, path), encoding: 'utf8' })
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[')))
  return join(folder, filename)
}

function run(name, ...args) {
  execFileSync(binary(name), args, { stdio: 'inherit' })
}
