// Generates clients from openapi.yaml as users do, and compiles them strictly. Each client then writes and reads an id
// that does not fit a double, against the real service.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateAll } from './generate.ts'
import { withService } from './service.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

rmSync(here('generated'), { recursive: true, force: true })
rmSync(here('dist'), { recursive: true, force: true })
await generateAll(here('../../openapi.yaml'), here('generated'))
run([here('../../node_modules/typescript/bin/tsc'), '-p', here('.')])
await withService(here('../..'), env => run([here('dist/round-trips.js')], env))

function run(args: string[], env: Record<string, string> = {}): void {
  execFileSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
}
