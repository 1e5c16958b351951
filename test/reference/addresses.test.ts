import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

it.each(['/reference', '/reference/animals', '/reference/guides/limits'])(
  '%s with a slash at the end redirects to the path without the slash',
  async path => {
    const { status, headers } = await ask(`${app.url}${path}/`)

    expect([status, headers.location]).toEqual([302, path])
    expect((await ask(`${app.url}${path}`)).status).toBe(200)
  },
)

it('a page that does not exist is not found, with or without slashes', async () => {
  const { headers } = await ask(`${app.url}/reference/nothing/`)

  expect((await ask(`${app.url}${headers.location}`)).status).toBe(404)
  expect((await ask(`${app.url}/reference//`)).status).toBe(404)
})
