// Generates clients from openapi.yaml as users do, and compiles them strictly. Each client then writes and reads an id
// that does not fit a double, against the real service.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { int64Members } from './exact-fetch.ts'
import { generateAll } from './generate.ts'
import { withService } from './service.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// A path in a variable, because the client's sources are outside of this TypeScript project.
const wire = here('../../clients/typescript/src/generated/wire.ts')
assert.deepEqual(
  int64Members,
  (await import(wire)).int64Members,
  'int64Members of exact-fetch.ts is outdated',
)

rmSync(here('generated'), { recursive: true, force: true })
rmSync(here('dist'), { recursive: true, force: true })
await generateAll(here('../../openapi.yaml'), here('generated'))
run([here('../../node_modules/typescript/bin/tsc'), '-p', here('.')])
await withService(here('../..'), env => run([here('dist/round-trips.js')], env))

function run(args: string[], env: Record<string, string> = {}): void {
  execFileSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
}
