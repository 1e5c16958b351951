import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

describe('what a service needs to run', () => {
  it('the dependencies hold what a service needs to run, and nothing that is needed only to build or develop', () => {
    const ofBuilders = /^src\/(dashboard\/|studio\/page\/|dev\.ts$)/
    const ofServer = globSync('src/**/*.{ts,js}').filter(file => !ofBuilders.test(file))

    const wanted = new Set(ofServer.flatMap(packagesOf))
    const left = Object.keys(dependencies).filter(name => !wanted.has(name))

    expect([...wanted].filter(name => !dependencies[name])).toEqual([])
    expect(left).toEqual([])
    expect(dependencies.node).toMatch(/^26\./)
  })

  it.each(['.', 'checks'])(
    'allowScripts in %s names every package that has an install script, and no other',
    folder => {
      const { allowScripts } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
      const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'))

      const withScript = Object.keys(packages)
        .filter(path => packages[path].hasInstallScript)
        .map(path => path.split('node_modules/').at(-1))

      expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort())
    },
  )

  it('if the packages for building are missing, the script prepare says in one sentence what to do', () => {
    const { status, stderr } = prepare()

    expect(status).toBe(1)
    expect(stderr).toMatch(/^Building the dashboard and generating code needs the devDependencies.*\n$/)
  })

  it('the script prepare needs no packages for building if everything is built', () => {
    give('dist/dashboard/index.html')
    give('src/generated/prisma/client.ts')
    give('src/cli/generated/operations.ts')

    const { status, stderr } = prepare()

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

let clone: string
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'animal-store-clone-'))
  for (const file of ['package.json', 'prepare.js']) copyFileSync(file, join(clone, file))
})
afterEach(() => rmSync(clone, { recursive: true }))

const prepare = () => spawnSync('npm', ['run', '--silent', 'prepare'], { cwd: clone, encoding: 'utf8' })

function give(file: string): void {
  mkdirSync(dirname(join(clone, file)), { recursive: true })
  writeFileSync(join(clone, file), '')
}

/** Ignores imports of types: they are removed before the code runs and need no package. */
function packagesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^(import|export) type [^;]*? from ['"][^'"]+['"]/gm, '')
  return [...text.matchAll(/(?:\bfrom |\bimport ?\(?|\bresolve\()['"]([^'".][^'"]*)['"]/g)]
    .map(([, specifier = '']) => specifier)
    .filter(specifier => !isBuiltin(specifier))
    .map(specifier => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    .filter(name => name in { ...dependencies, ...devDependencies })
}
