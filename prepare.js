// Plain JavaScript, for it runs before anything is certain, on whatever Node the machine has.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const has = path => existsSync(new URL(path, import.meta.url))
const builders = ['vite', 'prisma'].every(name => has(`node_modules/${name}/package.json`))
const isBuilt = has('dist/dashboard/index.html') && has('src/generated/prisma/client.ts')

if (builders) {
  execSync('prisma generate && npm run build', { stdio: 'inherit' })
} else if (!isBuilt) {
  console.error(
    'The dashboard and the database client are built with the devDependencies, which are left out here. ' +
      'Run npm ci --include=dev first, and npm prune --omit=dev after it.',
  )
  process.exitCode = 1
}
