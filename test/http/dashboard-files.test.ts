import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express, { type ErrorRequestHandler } from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { dashboardRouter } from '../../src/http/dashboard-files.ts'
import { errorBody } from '../../src/http/errors.ts'
import { ask } from '../support/ask.ts'
import { standIn } from '../support/stand-in.ts'

const answerError: ErrorRequestHandler = (error, _request, response, _next) =>
  void response.status(500).end(errorBody(error))

/** A folder that the test builds, and a server for it. */
async function openDashboard() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const routes: unknown[] = []
  const app = express().use((_request, response, next) => {
    response.on('close', () => routes.push(response.locals.route))
    next()
  })
  const url = await standIn(
    app
      .use(
        '/dashboard',
        dashboardRouter(() => [], folder),
      )
      .use(answerError),
  )
  return {
    folder,
    routes,
    build(what: string) {
      mkdirSync(join(folder, 'assets'), { recursive: true })
      writeFileSync(join(folder, 'index.html'), what)
      writeFileSync(join(folder, 'assets/main.js'), what)
    },
    ask: (path: string, method = 'GET') => ask(`${url}/dashboard${path}`, { method }),
  }
}

it('a running service goes on serving the old dashboard while a new one is built', async () => {
  const { folder, build, ask } = await openDashboard()
  const files = async () => Promise.all(['/', '/assets/main.js'].map(async path => (await ask(path)).text))

  build('first')
  expect(await files()).toEqual(['first', 'first'])
  build('second')
  expect(await files()).toEqual(['first', 'first'])
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  expect(await files()).toEqual(['first', 'first'])
})

it('every page of the dashboard is the same HTML document, and a file that was not built gets a 404', async () => {
  const { build, ask, routes } = await openDashboard()
  build('built')

  const [page, deep, head] = [await ask('/'), await ask('/pets/5'), await ask('/', 'HEAD')]
  const script = await ask('/assets/main.js')
  const absent = await ask('/assets/other.js')
  const posted = await ask('/pets', 'POST')

  for (const one of [page, deep]) expect([one.status, one.text]).toEqual([200, 'built'])
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '5'])
  expect(page.headers['cache-control']).toBe('no-cache')
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(JSON.parse(absent.text)).toMatchObject({ code: 'not_found', status: 404 })
  expect(JSON.parse(posted.text)).toMatchObject({ code: 'method_not_allowed' })
  expect(posted.headers.allow).toBe('GET, HEAD')
  await expect.poll(() => routes).toEqual(Array(6).fill('/dashboard'))
})

it('a page of the dashboard loads only its own files and cannot be framed', async () => {
  const { build, ask } = await openDashboard()
  build('built')

  const { headers } = await ask('/')

  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
})

it('a dashboard that is not built answers 404 and says how to build it', async () => {
  const { ask } = await openDashboard()

  expect(JSON.parse((await ask('/')).text)).toMatchObject({
    code: 'not_found',
    message: 'The dashboard is not built: run npm run build.',
  })
})
