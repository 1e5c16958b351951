// Plain JavaScript, for it runs before anything is certain, on whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const has = path => existsSync(new URL(path, import.meta.url))
const canBuild = ['vite', 'prisma'].every(name => has(`node_modules/${name}/package.json`))
const isBuilt = has('dist/dashboard/index.html') && has('src/generated/prisma/client.ts')

if (canBuild) {
  const { status } = spawnSync('prisma generate && npm run build', { shell: true, stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!isBuilt) {
  console.error(
    'The dashboard and the database client are built with the devDependencies, which are left out here. ' +
      'Run npm ci --include=dev first; npm ci --omit=dev may follow.',
  )
  process.exitCode = 1
}
