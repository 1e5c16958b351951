import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openBrowser, openTab } from '../support/browser.ts'
import { serveFolder } from '../support/serve-folder.ts'
import { type App, startApp } from '../support/start-app.ts'

const run = promisify(execFile)
/** The PATH of this machine, without this repository's programs. Its Node.js may be version 20. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

const readme = readFileSync('clients/typescript/README.md', 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)
const [install = ''] = blocks('sh')
const [program = '', receiver = ''] = blocks('ts')

let folder: string
let app: App

/** Installs with the README's command outside the repository, but from the packed file instead of the registry. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-client-'))
  const fromFile = install.trim().replace('@animal-store/client', './animal-store-client-1.0.0.tgz')
  const env = { PATH: machinePath, HOME: folder, npm_config_offline: 'true', npm_config_audit: 'false' }
  await run('npm', ['pack', './clients/typescript'], { env: { ...env, npm_config_pack_destination: folder } })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await run('sh', ['-c', fromFile], { cwd: folder, env })
  app = await startApp()
}, 180_000)
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

/** Returns the README's program. Its project has no pets yet. */
async function programOfReadme(): Promise<string> {
  const { secret } = await app.makeProject()
  return program.replace('http://localhost:4000', app.url).replace('as_...', secret)
}

const installed = () => join(folder, 'node_modules/@animal-store/client')

describe('the packed client', () => {
  it('the package holds the module, its types, its README and its licence, and has no dependencies', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed(), 'package.json'), 'utf8'),
    )
    const files = readdirSync(installed(), { recursive: true, withFileTypes: true }).filter(entry =>
      entry.isFile(),
    )

    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
    expect(readdirSync(installed()).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    expect(files.filter(({ name }) => !/\.(js|d\.ts)$/.test(name))).toHaveLength(3)
    expect(readFileSync(join(installed(), 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'))
    expect(readdirSync(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@animal-store'])
  })

  it('the package has less than 15 KB of code, gzipped', () => {
    const modules = readdirSync(join(installed(), 'dist'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.js'))
      .map(file => readFileSync(join(installed(), 'dist', file), 'utf8'))

    expect(modules.length).toBeGreaterThan(10)
    // The package must not contain the modules that read import files. Only the service, the command line and the
    // dashboard use these modules.
    expect(modules.join('')).not.toContain('splitImport')
    expect(gzipSync(modules.join('')).length).toBeLessThan(15 * 1024)
    expect(readme).toContain('less than 15 KB, gzipped')
  })

  it.each([
    ['the Node of this repository', process.execPath],
    ["the machine's own Node", 'node'],
  ])("the README's code runs on %s", async (_, node) => {
    writeFileSync(join(folder, 'shop.js'), await programOfReadme())

    const { stdout, stderr } = await run(node, ['shop.js'], { cwd: folder, env: { PATH: machinePath } })

    expect(stderr).toBe('')
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^\d+n 9007199254740993n$/),
      'Max',
      '1 null',
      'cancelled',
      'name',
      'id,name,categoryId,status',
      '2',
      '9007199254740993n Dogs',
      '987 business',
    ])
  })

  it.each([
    [
      'Node',
      { module: 'nodenext', lib: ['ES2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    ],
    [
      'a bundler for browsers',
      { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022', 'DOM'], types: [] },
    ],
    ['a worker', { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022', 'WebWorker'], types: [] }],
  ])(
    'the package has types for %s, and a compiler with the strictest options finds misuse',
    async (_, options) => {
      writeFileSync(join(folder, 'shop.ts'), await programOfReadme())
      writeFileSync(join(folder, 'receiver.ts'), receiver)
      writeFileSync(join(folder, 'mistakes.ts'), mistakes)
      const strictest = {
        target: 'ES2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        skipLibCheck: false,
        noEmit: true,
      }
      const files = ['shop.ts', 'receiver.ts', 'mistakes.ts']
      const config = { compilerOptions: { ...strictest, ...options }, files }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))

      const compiled = run(process.execPath, [resolve('node_modules/typescript/bin/tsc')], { cwd: folder })

      expect(await compiled.catch(({ stdout }) => stdout)).toEqual({ stdout: '', stderr: '' })
    },
    180_000,
  )

  it('in a browser, a page of another origin and a worker read and add pets through the client with exact numbers', async ({
    skip,
  }) => {
    if (!hasChromium) return skip('chromium is not installed')
    const { secret } = await app.makeProject()
    writeFileSync(join(folder, 'visit.js'), visit(app.url, secret))
    writeFileSync(join(folder, 'worker.js'), "import { visit } from './visit.js'\npostMessage(await visit())")
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>A shop</title>')
    const site = await serveFolder(folder)
    // Plain HTTP with a host name is no secure context, so some browser APIs are missing.
    const browser = await openBrowser(['--host-resolver-rules=MAP shop.test 127.0.0.1'])
    try {
      const page = await openTab(browser, null)
      await page.goto(`${site.url.replace('127.0.0.1', 'shop.test')}/index.html`)
      expect(await page.evaluate('isSecureContext')).toBe(false)

      const inPage = await page.evaluate("import('/visit.js').then(({ visit }) => visit())")
      const inWorker = await page.evaluate(`new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' })
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = reject
      })`)

      expect(inPage).toEqual({ added: '-9223372036854775808', all: 1, refused: 'invalid_input', left: 997 })
      expect(inWorker).toEqual({ added: '-9223372036854775808', all: 2, refused: 'invalid_input', left: 994 })
    } finally {
      await browser.close()
      site.stop()
    }
  }, 180_000)
})

const mistakes = `
import { AnimalStore, StoreError, type ErrorCode, type Pet } from '@animal-store/client'

const store = new AnimalStore({ url: 'http://localhost:4000', key: 'as_...' })
const pet: Pet = await store.pets.create({ name: 'Max', categoryId: 1n })
export const id: bigint = pet.id
// @ts-expect-error an int64 is a bigint
store.pets.create({ name: 'Max', categoryId: 1 })
// @ts-expect-error a pet has a category
store.pets.create({ name: 'Max' })
// @ts-expect-error no pet is lost
store.pets.list({ status: 'lost' })
// @ts-expect-error a status may be absent
export const status: string = pet.status
// @ts-expect-error the state of the limits is only read
store.rateLimit = null
export function isMissing(error: unknown): boolean {
  // @ts-expect-error the store has no such code
  if (error instanceof StoreError && error.code === 'pet_lost') return false
  return error instanceof StoreError && error.code === ('pet_not_found' satisfies ErrorCode)
}
`

const visit = (url: string, key: string) => `
import { AnimalStore } from './node_modules/@animal-store/client/dist/index.js'

export async function visit() {
  const store = new AnimalStore({ url: '${url}', key: '${key}' })
  const { categoryId } = await store.pets.create({ name: 'Max', categoryId: -(2n ** 63n) })
  let all = 0
  for await (const pet of store.pets.list()) all += 1
  const refused = await store.pets.create({ name: '', categoryId }).catch(({ code }) => code)
  return { added: String(categoryId), all, refused, left: store.rateLimit.remaining }
}
`
