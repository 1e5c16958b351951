// This file is plain JavaScript, because the machine's own Node.js may run it and may be too old for TypeScript.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'

// Link the command here instead of in a "bin" of package.json: npx would then install the whole package into its cache
// at each call, which takes two seconds of CPU.
mkdirSync(new URL('node_modules/.bin', import.meta.url), { recursive: true })
const link = new URL('node_modules/.bin/animal-store', import.meta.url)
rmSync(link, { force: true })
symlinkSync('../../src/cli/bin.js', link)

const has = path => existsSync(new URL(path, import.meta.url))
const canBuild = ['vite', 'prisma', '@graphql-codegen/core', 'openapi-typescript'].every(name =>
  has(`node_modules/${name}/package.json`),
)
const made = [
  'dist/dashboard/index.html',
  'src/generated/prisma/client.ts',
  'src/cli/generated/operations.ts',
]
const isBuilt = made.every(has)

if (canBuild) {
  const { status } = spawnSync('npm run codegen && npm run build && npm run snapshot', {
    shell: true,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} else if (!isBuilt) {
  console.error(
    'Building the dashboard and generating code needs the devDependencies, which npm left out. ' +
      'Run npm ci --include=dev first; npm ci --omit=dev may follow.',
  )
  process.exitCode = 1
}
