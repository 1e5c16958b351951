import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { type App, startApp } from '../support/start-app.ts'
import type { Followed } from './client/follow.ts'

let app: App
let site: Server
let browser: Awaited<ReturnType<typeof openBrowser>> | undefined
beforeAll(async () => {
  app = await startApp()
  const lib = { entry: 'test/graphql/client/follow.ts', formats: ['es' as const], fileName: 'follow' }
  const settings = {
    configFile: false as const,
    define: { 'process.env.NODE_ENV': '"production"' },
    publicDir: false as const,
    logLevel: 'error' as const,
  }
  const [built] = [await build({ ...settings, build: { write: false, lib } })].flat()
  if (!built || !('output' in built)) throw new Error('nothing was built')
  const script = built.output[0].code
  site = createServer((request, response) => {
    const isScript = request.url === '/follow.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>A shop</title>')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  if (hasChromium) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  site.close()
  await app.stop()
})

test.each(['Apollo', 'urql', 'urql with graphql-sse', 'graphql-sse'])(
  'a browser page follows events with the library %s, and reads why a subscription is refused',
  async library => {
    if (!browser) return
    const project = await app.makeProject()
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`)
    const run = (key: string, many: number) =>
      page.evaluate<Followed[] | { refused: string }>(
        `import('/follow.js').then(({ follow }) => follow(${JSON.stringify(library)}, ${JSON.stringify({ url: app.url, key })}, ${many}))`,
      )

    let isOver = false
    const following = run(project.secret, 3).finally(() => {
      isOver = true
    })
    // The subscription begins some time after the page asks for it, so add pets until the subscription has received
    // one.
    let pets = 0
    while (!isOver && !(await page.evaluate('Boolean(globalThis.isFollowing)'))) {
      await project.post('/v1/pets', { name: `Pet ${++pets}`, categoryId: 7 })
    }
    await project.post('/v1/pets', { name: 'Luna', categoryId: 7 })
    await project.post('/v1/pets', { name: 'Milo', categoryId: 7 })
    const seen = await following
    const refused = await run((await project.issueKey(['pets:read'])).secret, 1)

    const numbers = Array.isArray(seen) ? seen.map(({ number }) => Number(number)) : []
    expect(numbers).toHaveLength(3)
    expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
    expect(seen).toMatchObject([{ type: 'pet.created' }, { type: 'pet.created' }, { type: 'pet.created' }])
    expect(refused).toEqual({ refused: expect.stringMatching(/scope events:read|403|Forbidden/) })
    await page.close()
  },
  60_000,
)
