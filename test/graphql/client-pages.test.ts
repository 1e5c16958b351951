import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { customScalarTypes } from '../../clients/typescript/src/graphql.ts'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { sendGraphql } from '../support/graphql.ts'
import { ids } from '../support/ids.ts'
import { serveFolder } from '../support/serve-folder.ts'
import { type App, startApp } from '../support/start-app.ts'

const run = promisify(execFile)
/** Installed by `npm ci --prefix checks`. */
const relayCompiler = 'checks/node_modules/relay-compiler/cli.js'
/** npm writes this file at the end of an installation. */
const installed = 'checks/node_modules/.package-lock.json'
/**
 * True if `.ci/run` installs the linters and relay-compiler while the tests run. In this case the tests of this file
 * wait for the end of the installation.
 */
const isComing = process.env.LINTERS_COMING === '1'
const isReady = hasChromium && (isComing || existsSync(relayCompiler))

let app: App
let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>
let browser: Browser
beforeAll(async () => {
  if (!isReady) return
  const isInstalled = () => expect(existsSync(installed)).toBe(true)
  if (isComing) await vi.waitFor(isInstalled, { timeout: 400_000, interval: 500 })
  folder = mkdtempSync(join(tmpdir(), 'animal-store-pages-'))
  await compileRelay()
  await bundle(folder)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>A shop</title><div id="shop"></div>')
  site = await serveFolder(folder)
  app = await startApp()
  browser = await openBrowser()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await app?.stop()
  site?.stop()
  if (folder) rmSync(folder, { recursive: true })
})

async function compileRelay(): Promise<void> {
  mkdirSync('test/graphql/pages/generated', { recursive: true })
  await run(process.execPath, [resolve(relayCompiler)], { cwd: 'test/graphql/pages' })
}

/** Replaces each operation by its compiled form, as babel-plugin-relay does. */
const relayOperations: Plugin = {
  name: 'relay-operations',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('relay.tsx')
      ? code
          .replace(/graphql`\s*\w+ (\w+)[^`]*`/g, '__$1')
          .replace(
            /^/,
            [...code.matchAll(/graphql`\s*\w+ (\w+)/g)].map(([, name]) => importOf(name)).join(''),
          )
      : null,
}
const importOf = (name = '') => `import __${name} from './generated/${name}.graphql.ts'\n`

/** Bundles the pages for development, so that the libraries log their warnings. */
async function bundle(outDir: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    mode: 'development',
    plugins: [relayOperations],
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      lib: {
        entry: ['apollo', 'urql', 'relay'].map(name => `test/graphql/pages/${name}.tsx`),
        formats: ['es'],
      },
    },
  })
}

test.skipIf(!isReady).each(['apollo', 'urql', 'relay'])(
  'a browser page with %s reads pages of pets in both directions, and shows a created pet and an error',
  async library => {
    const store = await app.makeProject()
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await store.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 })
    const { data } = await sendGraphql(app.url, store.secret, '{ pets(first: 3) { pageInfo { endCursor } } }')
    const shop = { url: app.url, key: store.secret, after: data.pets.pageInfo.endCursor }
    const page = await browser.newPage()
    const logged: string[] = []
    page.on('console', line => {
      if (/warning|error/.test(line.type())) logged.push(line.text())
    })
    page.on('pageerror', error => logged.push(String(error)))
    const names = () => page.getByRole('listitem').allTextContents()
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => `Pet ${from + n}`)
    const press = (name: string) => page.getByRole('button', { name }).click()

    await page.goto(`${site.url}/index.html`)
    await page.evaluate(
      `import('/${library}.js').then(({ open }) => open(${JSON.stringify(shop)}, document.getElementById('shop')))`,
    )
    await expect.poll(names).toEqual(numbered(4, 5))
    await press('Later')
    await expect.poll(names).toEqual(numbered(4, 7))
    await press('Earlier')
    await expect.poll(names).toEqual(numbered(2, 7))
    await press('Earlier')
    await expect.poll(names).toEqual(numbered(1, 7))
    expect(await page.getByRole('button', { name: /Earlier|Later/ }).count()).toBe(0)

    await page.getByLabel('Name').fill('Luna')
    await press('Add')
    await expect.poll(names).toEqual([...numbered(1, 7), 'Luna'])
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.getByLabel('Name').fill('')
    await press('Add')
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('invalid_input')
    expect(await names()).toEqual([...numbered(1, 7), 'Luna'])
    expect(ids(await store.get('/v1/pets')).length).toBe(8)
    expect(logged).toEqual([])
    await page.close()
  },
)

test.skipIf(!isReady)(
  'the browser pages of this test pass the strict compiler with the types that Relay generates',
  async () => {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'test/graphql/pages', '--noEmit']

    expect(await run(process.execPath, tsc).catch(({ stdout }) => stdout)).toEqual({ stdout: '', stderr: '' })
  },
  60_000,
)

test('docs/graphql.md shows the Relay configuration that the test pages use, and the configuration has all our custom scalars', () => {
  const [, written = ''] =
    /```json\n(\{[^`]+customScalarTypes[^`]+)```/.exec(readFileSync('docs/graphql.md', 'utf8')) ?? []
  const used = JSON.parse(readFileSync('test/graphql/pages/relay.config.json', 'utf8'))
  const { src: _src, schema: _schema, ...documented } = JSON.parse(written)

  expect(used).toMatchObject(documented)
  expect(documented.customScalarTypes).toEqual(customScalarTypes)
})
