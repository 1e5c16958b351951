import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject

beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject()
})
afterAll(() => app.stop())

/** The audits of the GraphQL-over-HTTP specification, with a real key. */
const audits = serverAudits({
  url: () => `${app.url}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${project.secret}`)
    return fetch(url, { ...init, headers })
  },
})

describe('GraphQL over HTTP', () => {
  test('the audit suite for GraphQL over HTTP has at least 61 audits', () => {
    expect(audits.length).toBeGreaterThanOrEqual(61)
  })

  test.each(audits.map(audit => [audit.name, audit] as const))('%s', async (_name, audit) => {
    const result = await audit.fn()

    expect(result).toMatchObject({ status: 'ok' })
  })
})
