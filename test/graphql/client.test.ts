import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
let site: Server
let origin: string

beforeAll(async () => {
  app = await startApp()
  const script = await bundle()
  site = createServer((request, response) => {
    const isScript = request.url === '/shop.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>A shop</title>')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.close()
  await app.stop()
})

/** Bundles the client as a frontend team would ship it. */
async function bundle(): Promise<string> {
  const lib = { entry: 'test/graphql/client/shop.ts', formats: ['es' as const], fileName: 'shop' }
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: { write: false, lib },
  })
  const [result] = [built].flat()
  if (!result || !('output' in result)) throw new Error('nothing was built')
  return result.output[0].code
}

test('a typed client in a browser reads and adds pets from another origin', async ({ skip }) => {
  if (!hasChromium) return skip('chromium is not installed')
  const project = await app.makeProject()
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    const store = JSON.stringify({ url: app.url, key: project.secret })
    const seen = await page.evaluate(`import('/shop.js').then(({ visit }) => visit(${store}))`)

    expect(seen).toEqual({
      origin,
      added: {
        id: expect.stringMatching(/^\d+$/),
        name: 'Biscuit',
        categoryId: '9007199254740993',
        status: 'available',
      },
      names: ['Biscuit', 'Waffles', 'Luna'],
      refused: { status: 200, code: 'invalid_input' },
      plan: 'business',
      left: '994',
    })
  } finally {
    await browser.close()
  }
}, 60_000)

test('a client generated from schema.graphql passes the strict compiler', async () => {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'test/graphql/client', '--strict', '--noEmit']

  const compiled = await promisify(execFile)(process.execPath, tsc).catch(({ stdout }) => stdout)

  expect(compiled).toEqual({ stdout: '', stderr: '' })
}, 60_000)
